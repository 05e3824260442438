#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# only: stock not-rt debug arm64 hz
# kernels: newest
# The files that scripts read: their layout, byte for byte; names of tasks, which can be any text;
# and a full recorder.
. "$(dirname "$0")/../module.sh"
start_test

NEWLINE='
'
ESCAPE=$(printf '\033')

expect "distribute without latencies" reads distribute ""
expect "records without records" reads records ""
expect "histogram without ticks" reads histogram ""

trace 10ms 50ms
inject hardirq 425000 "$CPU"
inject bh 120000 "$CPU"
inject preempt 120000 "$CPU"
await recorded kind=softirq
await recorded kind=nosched
put 0 enable

# golden: replace names, numbers, times and frames of the report, which differ in each run, by
# letters. One F is any number of frames. A sample that looks like the one before is left out. 5.10
# does not count how often preemption is disabled.
golden() {
	sed -e 's/COMMAND: [^ ]* PID: [0-9]*/COMMAND: C PID: N/' \
		-e 's/TIME: 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9]\{6\}Z/TIME: T/' \
		-e 's/CGROUP: [0-9]* TGID: [0-9]*/CGROUP: N TGID: N/' \
		-e 's/STATE: no-resched/STATE: preempt-off/' \
		-e 's/\(LATENCY: \|MAX: \)[0-9]\{2,3\}\(+\{0,1\}ms\)/\1N\2/g' \
		-e 's/PENDING: [A-Z_,-]*/PENDING: V/' \
		-e 's/IRQS: [0-9]* SOFTIRQS: [A-Z0-9_,:-]*/IRQS: N SOFTIRQS: V/' \
		-e 's/^     [A-Za-z0-9_.]*+0x[0-9a-f]*\/0x[0-9a-f]*\( \[[a-z_]*\]\)\{0,1\}$/     F/' |
		awk '
			/COMMAND|AT:/ { same = /[+]ms|AT:/ && $0 == head; head = $0 }
			/^ [a-z]/ { same = 0 }
			!same && ($0 != last || $0 != "     F") { print }
			{ last = $0 }'
}

expect "the report with a window of each kind" same "trace_irqoff_latency: 50ms

 hardirq:
 cpu: $CPU
     COMMAND: C PID: N LATENCY: Nms MAX: Nms TIME: T CGROUP: N TGID: N
     F


 softirq:
 cpu: $CPU
     COMMAND: C PID: N LATENCY: N+ms STATE: bh-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: Nms MAX: Nms IRQS: N SOFTIRQS: V TIME: T CGROUP: N TGID: N
     F


 nosched:
 cpu: $CPU
     COMMAND: C PID: N LATENCY: N+ms STATE: preempt-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: Nms MAX: Nms IRQS: N SOFTIRQS: V TIME: T CGROUP: N TGID: N" \
	"$(golden <"$P/trace_latency")"

# In whole milliseconds, the lower bound rounded down, the upper one rounded up.
expect "the report has the bounds of records, rounded away from each other" same \
	"$(sed 's/.* latency_ns=\([0-9]*\) max_ns=\([0-9]*\) .*/\1 \2/' $P/records |
		awk '{ printf "LATENCY: %dms MAX: %dms\n", $1 / 1e6, ($2 + 999999) / 1e6 }')" \
	"$(grep -o 'LATENCY: [0-9]*ms MAX: [0-9]*ms' $P/trace_latency)"
end=$(records kind=hardirq | field end)
expect "TIME is the end of the window" grep -q \
	"MAX: .* TIME: $(date -d "@${end%.*}" +%Y-%m-%dT%H:%M:%S).$(echo "${end#*.}" | cut -c 1-6)Z " $P/trace_latency
expect "each sample has a TIME of its own" \
	same "" "$(grep -o 'TIME: [^ ]*' $P/trace_latency | sort | uniq -d)"
expect "the softirq of the module's own timer is not shown as pending" \
	sh -c "! grep HRTIMER $P/records $P/trace_latency"

expect "distribute with a window of each kind" reads distribute "hardirq-off:
         msecs           : count     distribution
        10 -> 19         : 0        |                                        |
        20 -> 39         : 0        |                                        |
        40 -> 79         : 0        |                                        |
        80 -> 159        : 0        |                                        |
       160 -> 319        : 0        |                                        |
       320 -> 639        : 1        |****************************************|
softirq-off:
         msecs           : count     distribution
        10 -> 19         : 0        |                                        |
        20 -> 39         : 0        |                                        |
        40 -> 79         : 0        |                                        |
        80 -> 159        : 1        |****************************************|
nosched:
         msecs           : count     distribution
        10 -> 19         : 0        |                                        |
        20 -> 39         : 0        |                                        |
        40 -> 79         : 0        |                                        |
        80 -> 159        : 1        |****************************************|"

record='seq=[0-9]+ kind=(hardirq|softirq|nosched) cpu=[0-9]+ end=[0-9]+\.[0-9]{9} latency_ns=[0-9]+'
record="$record max_ns=[0-9]+ steal_ns=[0-9]+( irqs=[0-9]+ softirqs=[A-Z0-9_,:-]+)? state=[a-z-]+ comm=[^ ]+ pid=[0-9]+ tgid=[0-9]+"
record="$record cgroup=[0-9]+ pending=[A-Z_,-]+ stack=[^ ]+"
sample=' sample=[0-9]+:[^ ]+'
sample="$sample in=(task|idle|softirq|interrupt),[a-z-]+,[0-9]+,[0-9]+,[0-9]+,[^ ]+"
sample="$sample moved=(-|0|([0-9]+|<),([0-9]+|<))( lock=[^ ]+)?"
expect "each record is key=value in the order that is documented" \
	same 3 "$(grep -cE "^$record($sample)*\$" $P/records)"
expect "a histogram begins with its CPU, kind and sums" \
	grep -qE "^cpu: $CPU kind: hardirq count: [0-9]+ sum_us: [0-9]+ max_us: 4[0-9]{5}\$" \
	$P/histogram
expect "rows of a histogram have the layout of distribute; only the row with most is full" \
	grep -qE '^    262144 -> 524287     : 1        \|\*? +\|$' $P/histogram

# Periods below a millisecond: each bound is at most one period (0.1 ms) off.
trace 100us 1ms
inject hardirq 2500 "$CPU"
put 0 enable
expect "LATENCY and MAX have three decimals" \
	grep -qE 'LATENCY: 2\.[45][0-9]{2}ms MAX: 2\.[56][0-9]{2}ms' $P/trace_latency
expect "distribute has rows in us" grep -qE '^ +1600 -> 3199 +: 1 ' $P/distribute
expect "the header of distribute says usecs" \
	grep -qx '         usecs           : count     distribution' $P/distribute

# prints_name NAME AS: name this subshell of expect() NAME, and make windows. Both files print the name
# as AS, which cannot be taken for a line, a field or a command of the terminal.
prints_name() {
	put 0 trace_latency
	if [ -n "$1" ]; then
		printf '%s' "$1" >/proc/self/comm
	else
		printf '\0' >/proc/self/comm
	fi
	inject hardirq 30000 "$CPU"
	inject bh 50000 "$CPU"
	await recorded kind=softirq || return
	same 2 "$(grep -cF " comm=$2 pid=" "$P/records")" &&
		same "$(grep -c COMMAND: "$P/trace_latency")" \
			"$(grep -cF " COMMAND: $2 PID: " "$P/trace_latency")"
}

trace 1ms 20ms
expect "a newline in a name is printed as an escape" \
	prints_name "a${NEWLINE}LATENCY: 9ms" 'a\x0aLATENCY:\x209ms'
expect "an escape character is printed as an escape" \
	prints_name "${ESCAPE}[2J${ESCAPE}[31mred" '\x1b[2J\x1b[31mred'
expect "a blank in a name is printed as an escape" prints_name "x pid=1 seq=2" 'x\x20pid=1\x20seq=2'
expect "other bytes and the backslash are printed as escapes" \
	prints_name "$(printf '\377\377\177\\x41')" '\xff\xff\x7f\x5cx41'
expect "an empty name is printed as an escape" prints_name "" '\x00'
expect "each record has one line" same "$(value records_kept status)" "$(wc -l <$P/records)"

# A full recorder keeps the newest records, and counts overwritten ones.
unload
load nr_records=10 nosched=0
trace 1ms 5ms
inject_times 25 hardirq 8000 "$CPU"
put 0 enable

expect "of 25 windows, the newest 10 can be read" \
	same "16 17 18 19 20 21 22 23 24 25" "$(sed 's/^seq=\([0-9]*\) .*/\1/' \
	$P/records | tr '\n' ' ' | sed 's/ $//')"
expect "status counts them: kept, overwritten, lost" same "10 15 0" \
	"$(value records_kept status) $(value records_overwritten status) $(value records_lost status)"
# Rows below 4 ms may have windows that the kernel made (seen on debug).
expect "all 25 windows are in distribute" \
	same 25 "$(awk '$2 == "->" && $1 >= 4 { n += $5 } END { print n }' $P/distribute)"

put 0 trace_latency
expect "clearing removes the records" same 0 "$(count)"
expect "clearing does not reset the number of windows" same 25 "$(value windows_hardirq status)"
expect "clearing does not reset the sum of their lengths" \
	between $((25 * 5000)) "$(value windows_hardirq_us status)" $((25 * 8100))
expect "clearing empties distribute" reads distribute ""
put 1 enable
inject hardirq 8000 "$CPU"
expect "the next window is record 26" same "seq=26" "$(cut -d ' ' -f 1 $P/records)"
finish

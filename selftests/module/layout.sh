#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# The layout of the files that scripts read, byte for byte. Names, numbers, times and frames differ
# in each run: the test first replaces them by letters.
. "$(dirname "$0")/../lib.sh"
start_test

CPU=$(last_cpu)

expect "the report without records" reads trace_latency "trace_irqoff_latency: 50ms

 hardirq:

 softirq:

 nosched:"
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

# golden: replace names, numbers, times and frames of the report by letters. One F is any number of
# frames.
golden() {
	sed -e 's/COMMAND: [^ ]* PID: [0-9]*/COMMAND: C PID: N/' \
		-e 's/TIME: 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9]\{6\}Z/TIME: T/' \
		-e 's/CGROUP: [0-9]* TGID: [0-9]*/CGROUP: N TGID: N/' \
		-e 's/\(LATENCY: \|MAX: \)[0-9]\{2,3\}\(+\{0,1\}ms\)/\1N\2/g' \
		-e 's/PENDING: [A-Z_,-]*/PENDING: V/' \
		-e 's/IRQS: [0-9]* SOFTIRQS: [A-Z0-9_,:-]*/IRQS: N SOFTIRQS: V/' \
		-e 's/^     [A-Za-z0-9_.]*+0x[0-9a-f]*\/0x[0-9a-f]*\( \[[a-z_]*\]\)\{0,1\}$/     F/' |
		awk '$0 != last || $0 != "     F" { print } { last = $0 }'
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

     COMMAND: C PID: N LATENCY: N+ms STATE: bh-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: N+ms STATE: bh-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: Nms MAX: Nms IRQS: N SOFTIRQS: V TIME: T CGROUP: N TGID: N
     F


 nosched:
 cpu: $CPU
     COMMAND: C PID: N LATENCY: N+ms STATE: preempt-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: N+ms STATE: preempt-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: N+ms STATE: preempt-off PENDING: V TIME: T CGROUP: N TGID: N
     F

     COMMAND: C PID: N LATENCY: Nms MAX: Nms IRQS: N SOFTIRQS: V TIME: T CGROUP: N TGID: N" \
	"$(golden <"$P/trace_latency")"

# rounded_away: the report has the bounds of each record in whole milliseconds, the lower one
# rounded down, the upper one rounded up
rounded_away() {
	awk '{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			ns[pair[1]] = pair[2]
		}
		printf "LATENCY: %dms MAX: %dms \n", int(ns["latency_ns"] / 1e6),
			int((ns["max_ns"] + 999999) / 1e6)
	}' "$P/records" >/tmp/bounds
	[ -s /tmp/bounds ] || return 1
	while read -r bounds; do
		grep -qF " $bounds " "$P/trace_latency" || {
			echo "not in the report: $bounds"
			return 1
		}
	done </tmp/bounds
}

expect "the report has the bounds of records, rounded away from each other" rounded_away
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
expect "each record is key=value in the order that is documented" \
	same 3 "$(grep -cE "^$record($sample)*\$" $P/records)"
expect "a histogram begins with its CPU, kind and sums" \
	grep -qE "^cpu: $CPU kind: hardirq count: [0-9]+ sum_us: [0-9]+ max_us: 4[0-9]{5}\$" \
	$P/histogram
expect "rows of a histogram have the layout of distribute" \
	grep -qE '^    262144 -> 524287     : 1        \|[* ]{40}\|$' $P/histogram

# Periods below a millisecond: each bound is at most one period (0.1 ms) off.
trace 100us 1ms
inject hardirq 2500 "$CPU"
put 0 enable
expect "a window of 2.5 ms is recorded" same 1 "$(count kind=hardirq)"
expect "LATENCY and MAX have three decimals" \
	grep -qE 'LATENCY: 2\.[45][0-9]{2}ms MAX: 2\.[56][0-9]{2}ms' $P/trace_latency
expect "distribute has rows in us" grep -qE '^ +1600 -> 3199 +: 1 ' $P/distribute
expect "the header of distribute says usecs" \
	grep -qx '         usecs           : count     distribution' $P/distribute
finish

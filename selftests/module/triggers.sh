#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# The kernel's triggers on the trace events, as docs/events.md has them: windows of all kinds are added
# up by a histogram, and a trace is kept as it was when a window reached the threshold, or ended. What
# the events say is in events.sh.
. "$(dirname "$0")/../lib.sh"
T=/sys/kernel/tracing
E=$T/events/trace_irqoff
[ -e $T/trace ] || mount -t tracefs tracefs $T 2>/dev/null
[ -e $T/trace ] || skip_all "there is no tracefs"
start_test
need_cpus 2
[ -d $E ] || skip_all "the kernel has no trace events"
stay_on_cpu0
plan 15

# All that was turned on goes, or the module could not be unloaded.
quiet() {
	echo 0 >$T/events/enable
	for event in window sample open; do
		while read -r trigger rest; do
			[ "$trigger" = "#" ] || echo "!$trigger" >$E/$event/trigger
		done <$E/$event/trigger
	done
	echo 1 >$T/tracing_on
	echo >$T/trace
}
trap '[ ! -d $E ] || quiet 2>/dev/null; unload_all' EXIT

# begin: all quiet and nothing recorded
begin() {
	quiet
	put 0 trace_latency
}

# traced WORD [FILE]: how many such events are in the trace, or in a snapshot
traced() {
	grep -c " $1: " "$T/${2:-trace}"
}

in_use() {
	! rmmod trace_irqoff 2>&1 || return 1
	loaded trace_irqoff
}

# Windows of each kind that this kernel has, of different lengths, of two tasks.
all_kinds() {
	for length in 70000 90000; do
		inject hardirq $length 1
		inject bh $length 1
		inject preempt ${length%0000}5000 1
	done
	name_before=$(cat /proc/$$/comm)
	printf 'another' >/proc/$$/comm
	inject spinlock 120000 1
	printf '%s' "$name_before" >/proc/$$/comm
	sleep 0.3
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"

#
# nosched, or what it is on this kernel
#

begin
echo 1 >$E/enable
inject preempt 400000 1
await recorded cpu=1
kind=$(records cpu=1 | field kind | tail -n 1)
# told EVENT: the first line of it for that window
told() {
	grep " $1: .*kind=$kind cpu=1 " "$T/trace" | head -n 1
}

said() {
	same "$(records "kind=$kind" | head -n 1 | cut -d ' ' -f 1-3,5-6)" \
		"$(told window | sed 's/.* window: //' | cut -d ' ' -f 1-5)"
}

# Each of them begins the line with its time.
told_meanwhile() {
	told open | grep ' stack=inject_preempt' &&
		[ "$(told '\(open\|window\)')" = "$(told open)" ]
}
expect "a task that keeps its CPU: the event says what the record does" said
expect "it is told of while the window is open" told_meanwhile
echo 0 >$E/enable

#
# hist
#

# by_task: "KIND COMM WINDOWS NANOSECONDS" of the records, as they are in the histogram
by_task() {
	# shellcheck disable=SC2016	# fields of awk
	each_record '{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			word[pair[1]] = pair[2]
		}
		n[word["kind"] " " word["comm"]]++
		ns[word["kind"] " " word["comm"]] += word["latency_ns"]
	}
	END {
		for (i in n)
			printf "%s %d %.0f\n", i, n[i], ns[i]
	}' "$@" | sort
}

in_hist() {
	tr -s ' :,{}' ' ' <"$E/window/hist" |
		awk '$1 == "kind" { print $2, $4, $6, $8 }' | sort
}

# hist_agrees [KEY=VALUE]: with the records that have that
hist_agrees() {
	[ -n "$(by_task "$@")" ] && same "$(by_task "$@")" "$(in_hist)"
}

HIST='hist:keys=kind,comm:vals=latency_ns'
if [ -e $E/window/hist ]; then
	begin
	echo "$HIST" >$E/window/trigger
	all_kinds
	expect "hist: windows and their time, by kind and task" hist_agrees
	expect "hist: each kind that there is" sh -c \
		"[ \$(cut -d ' ' -f 2 $P/records | sort -u | wc -l) -ge 2 ]"
	expect "hist: while it is there, the module cannot be unloaded" in_use
	begin
	echo "$HIST if kind == \"hardirq\"" >$E/window/trigger
	all_kinds
	expect "hist: with a filter, of one kind" hist_agrees kind=hardirq
	begin
	echo 'hist:keys=latency_ns.log2' >$E/window/trigger
	inject hardirq 90000 1
	inject hardirq 190000 1
	expect "hist: by length, each row twice as long as the one before" same "2^27 2^28 " \
		"$(sed -n 's/.*latency_ns: ~ \(2^[0-9]*\) .*/\1/p' "$E/window/hist" | sort | tr '\n' ' ')"
else
	for what in "windows and their time, by kind and task" "each kind that there is" \
		"while it is there, the module cannot be unloaded" \
		"with a filter, of one kind" \
		"by length, each row twice as long as the one before"; do
		skip "hist: $what" "the kernel has no hist triggers"
	done
fi

#
# traceoff
#

stopped() {
	same 0 "$(cat "$T/tracing_on")"
}

begin
echo 1 >$T/events/sched/sched_switch/enable
echo 1 >$E/enable
echo traceoff >$E/open/trigger
inject hardirq 1500000 1 &
injector=$!
expect "traceoff on open: the trace stops when a window reaches the threshold" await stopped
expect "traceoff on open: and that has not ended by then" kill -0 $injector
wait $injector
expect "traceoff on open: it ends with the first that is told of the window" same "1 0 0" \
	"$(traced open) $(traced sample) $(traced window)"
expect "traceoff on open: and has what came before" test "$(traced sched_switch)" -gt 0

#
# snapshot
#

if [ -e $T/snapshot ]; then
	begin
	echo 1 >$E/enable
	echo snapshot:1 >$E/window/trigger
	# When all CPUs rest, it may take half a second until one of them looks.
	inject spinlock 700000 1
	inject hardirq 120000 1
	await same 2 "$(count)"
	expect "snapshot, once: of the first window, just before the event of its end" same "1 0" \
		"$(traced open snapshot) $(traced window snapshot)"
	expect "snapshot, once: the trace goes on with that, and has the next" same 2 "$(traced window)"
	expect "snapshot, once: while it is there, the module cannot be unloaded" in_use
	echo 0 >$E/enable
	echo '!snapshot:1' >$E/window/trigger
	echo 0 >$T/snapshot
else
	for what in "of the first window, just before the event of its end" \
		"the trace goes on with that, and has the next" \
		"while it is there, the module cannot be unloaded"; do
		skip "snapshot, once: $what" "the kernel has no snapshots"
	done
fi

quiet
expect "when no trigger is left, it can be unloaded" rmmod trace_irqoff
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kcsan: smp
# The trace events, by the files of ftrace alone: they say what "records" says, when it happens, and
# the kernel's triggers can act on them. The tools that people use are in tools.sh.
. "$(dirname "$0")/../lib.sh"
T=/sys/kernel/tracing
E=$T/events/trace_irqoff
[ -e $T/trace ] || mount -t tracefs tracefs $T 2>/dev/null
[ -e $T/trace ] || skip_all "there is no tracefs"
start_test
need_cpus 2
[ -d $E ] || skip_all "the kernel has no trace events"
stay_on_cpu0
plan 26

# All that was turned on goes, or the module could not be unloaded.
quiet() {
	for event in window sample open; do
		echo 0 >$E/$event/enable
		echo 0 >$E/$event/filter
		while read -r trigger rest; do
			[ "$trigger" = "#" ] || echo "!$trigger" >$E/$event/trigger
		done <$E/$event/trigger
	done
	echo 1 >$T/tracing_on
	echo >$T/trace
}
trap '[ ! -d $E ] || quiet 2>/dev/null; unload_all' EXIT

# events [PATTERN]: the lines of our events that have it
events() {
	sed -n 's/^.* \(\(window\|sample\|open\): .*\)$/\1/p' $T/trace | grep -e "${1:-}"
}

# begin: all quiet and nothing recorded
begin() {
	quiet
	put 0 trace_latency
}

# fields KEY...: of lines "KEY=VALUE ...", these values
fields() {
	keys=$* awk '
		BEGIN { n = split(ENVIRON["keys"], key, " ") }
		{
			line = ""
			for (k = 1; k <= n; k++)
				for (i = 1; i <= NF; i++)
					if (index($i, key[k] "=") == 1)
						line = line " " $i
			print line
		}'
}

# What the records say, and what the events do.
windows_agree() {
	set -- seq kind cpu latency_ns max_ns state comm pid tgid cgroup
	same "$(records | fields "$@")" "$(events '^window:' | sort -t = -k 2n | fields "$@")"
}

# how far into its window each look was: kind and time
looks_recorded() {
	records | awk '{
		for (i = 1; i <= NF; i++)
			if (sub(/^sample=/, "", $i)) {
				sub(/:.*/, "", $i)
				print $2, "latency_ns=" $i
			}
	}' | sort
}

looks_agree() {
	[ -n "$(looks_recorded)" ] || ! has_looks || return 1
	same "$(looks_recorded)" "$(events '^sample:' | sed 's/^sample: //' |
		awk '{ print $1, $3 }' | sort)"
}

# own_events PATTERN: likewise, of the task that makes the windows
own_events() {
	events "$1" | grep " cpu=1 .* pid=$$ "
}

# each_within FUNCTION EVENTS: in the stack of each, and there is one, is that function, and nothing
# of the module. Not always on top: it looks at the clock, which takes a while where each
# access to memory is watched, and by its end softirqs run.
each_within() {
	[ -n "$2" ] || { echo "there are none"; return 1; }
	! echo "$2" | grep -v "[= ]$1+" && ! echo "$2" | grep 'stack=.*\[trace_irqoff\]'
}

# seconds PATTERN: when the first such event was fired
seconds() {
	sed -n "/$1/{s/^.* \([0-9]*\.[0-9]*\): .*/\1/p;q}" "$T/trace"
}

# earlier PATTERN PATTERN SECONDS: the one was fired so much before the other, or more
earlier() {
	awk -v a="$(seconds "$1")" -v b="$(seconds "$2")" -v s="$3" 'BEGIN {
		print "at", a, "and", b
		exit !(a && b && b - a >= s)
	}'
}

# Which CPU fired the first such event.
fired_by() {
	sed -n "/$1/{s/^[^[]*\[0*\([0-9]*[0-9]\)\] .*/\1/p;q}" "$T/trace"
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"

#
# What they say
#

begin
echo 1 >$E/enable
inject hardirq 400000 1
opened=$(events '^open: kind=hardirq cpu=1 ')
inject spinlock 120000 1
inject bh 250000 1
await recorded kind=softirq
expect "each record is one event, which says the same" windows_agree
expect "each look is one too, with how far into the window it was" looks_agree
expect "a hardirq window that is open is told once" same 1 "$(echo "$opened" | grep -c ^open)"
expect "so is a softirq window" same 1 "$(own_events '^open: kind=softirq' | grep -c .)"
expect "a hardirq window is told of while it is open" \
	earlier ' open: kind=hardirq cpu=1 ' ' window: seq=[0-9]* kind=hardirq cpu=1 ' 0.25
expect "by another CPU, as its own takes no interrupt" same 0 "$(fired_by ' open: kind=hardirq cpu=1 ')"
expect_look "with the function that keeps interrupts off" \
	each_within inject_hardirq "$opened"
expect "a softirq window is told of while it is open" \
	earlier ' open: kind=softirq cpu=1 ' ' window: seq=[0-9]* kind=softirq cpu=1 ' 0.1
expect "looks into it are told when they are taken" \
	earlier ' sample: kind=softirq cpu=1 ' ' window: seq=[0-9]* kind=softirq cpu=1 ' 0.1
expect "with the function that keeps softirqs off" \
	each_within inject_bh "$(own_events '^sample: kind=softirq')"
expect "which the window has too, when it is over" \
	each_within inject_bh "$(own_events '^window: .* kind=softirq')"
expect_look "the looks into a spinlock's window have the function that held it" \
	test -n "$(events '^sample: kind=hardirq .* stack=inject_spinlock')"
# The third of the flags, between the CPU and the time.
expect "none is fired from an NMI" sh -c \
	"! grep -E '^[^[]*\[[0-9]+\] ..[zZ]' $T/trace | grep ."

begin
echo 1 >$E/enable
inject hardirq 30000 1
sleep 0.1
expect "what is shorter than the threshold is no event" same "" "$(events)"

taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
sleep 0.2
inject_times 5 idle_handler 120000 1
kill $busy
in_user() {
	events '^window: ' | grep " pid=$busy " | grep ' frames=0 stack=0x0 '
}
expect "a task in user space has no frames" test -n "$(in_user)"

# named NAME: a window of a task of that name
named() {
	name_before=$(cat /proc/$$/comm)
	printf '%s' "$1" >/proc/$$/comm
	inject hardirq 70000 1
	printf '%s' "$name_before" >/proc/$$/comm
}

begin
echo 1 >$E/window/enable
named "$(printf 'a\nwindow: b\033[1m')"
expect "a task cannot name itself so that it makes a line, or moves a cursor" \
	same 1 "$(grep -c 'comm=a?window: b?\[1m pid=' $T/trace)"

#
# What can be done with them
#

long_recorded() {
	records kind=softirq | field latency_ns | awk '$1 > 250000000' | grep -q .
}

begin
# Far apart: what a busy host takes from a CPU is taken off a softirq window.
echo 'kind == "softirq" && latency_ns > 250000000' >$E/window/filter
echo 1 >$E/window/enable
inject hardirq 500000 1
inject bh 70000 1
inject bh 600000 1
await long_recorded
expect "a filter picks windows by kind and length" \
	same "kind=softirq " "$(events '^window' | grep -o 'kind=[a-z]* ')"

begin
echo 1 >$T/events/irq_vectors/local_timer_entry/enable 2>/dev/null ||
	echo 1 >$T/events/timer/hrtimer_expire_entry/enable
echo traceoff >$E/window/trigger
echo 1 >$E/window/enable
inject hardirq 70000 1
expect "a traceoff trigger stops the trace when a window is over" await grep -qx 0 $T/tracing_on
tail -n 30 $T/trace >/tmp/kept
sleep 0.5
expect "what was traced until then is kept" sh -c "tail -n 30 $T/trace | cmp /tmp/kept -"
expect "and the window is the last that there is of its CPU" sh -c \
	"grep '\[001\]' $T/trace | tail -n 1 | grep -q ' window: '"
echo 0 >$T/events/enable

if [ -e $E/window/hist ]; then
	begin
	echo 'hist:keys=kind,comm:vals=latency_ns' >$E/window/trigger
	named one
	named two
	named two
	expect "a hist trigger counts windows by task" sh -c \
		"tr -s ' ' <$E/window/hist | grep -q '{ kind: hardirq , comm: two } hitcount: 2 '"
	echo '!hist:keys=kind,comm:vals=latency_ns' >$E/window/trigger
else
	skip "a hist trigger counts windows by task" "the kernel has no hist triggers"
fi

# The kernel takes a snapshot just before it writes the event down.
snapped() {
	grep -v '^#' "$T/snapshot" | tail -n 20 | cut -c 1-200
	echo "and it goes on:"
	grep -v '^#' "$T/trace" | head -n 20 | cut -c 1-200
	grep -q ' open: kind=hardirq' "$T/snapshot" && grep -q ' window: ' "$T/trace"
}

if [ -e $T/snapshot ]; then
	begin
	echo snapshot >$E/window/trigger
	echo 1 >$T/events/sched/sched_switch/enable
	echo 1 >$E/enable
	inject hardirq 150000 1
	expect "a snapshot trigger keeps the trace of a window while tracing goes on" snapped
	echo 0 >$T/events/enable
	echo '!snapshot' >$E/window/trigger
	echo 0 >$T/snapshot
else
	skip "a snapshot trigger keeps the trace of a window while tracing goes on" \
		"the kernel has no snapshots"
fi

#
# Unloading
#

in_use() {
	! rmmod trace_irqoff 2>&1 || return 1
	loaded trace_irqoff
}

begin
echo 1 >$E/window/enable
expect "while an event is on, the module cannot be unloaded" in_use
echo 0 >$E/window/enable
echo traceoff >$E/open/trigger
expect "nor while one has a trigger" in_use
echo '!traceoff' >$E/open/trigger
expect "and it goes on as before" still_traced
expect "it can be when that is over" rmmod trace_irqoff
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock
# host: it changes the settings of tracefs
# The trace events: their formats, and their fields, compared with the record; when window_open is
# fired; triggers; and an unload while an event is in use.
. "$(dirname "$0")/../module.sh"
start_test
T=/sys/kernel/tracing
E=$T/events/trace_irqoff
hurry_rcu

# events NAME: what the trace has of this event, without task and time
events() {
	sed -n "s/.*: $1: kind=/kind=/p; s/.*: $1: seq=/seq=/p" $T/trace
}

# stamps NAME...: the time of each of these events, in microseconds
stamps() {
	for stamp_of; do
		sed -n "s/.* \([0-9]*\)\.\([0-9]*\): $stamp_of: .*/\1\2/p" $T/trace
	done
}

# fresh: trace all events, and clear the trace and the records
fresh() {
	echo 1 >$T/tracing_on
	echo 1 >$E/enable
	echo >$T/trace
	put 0 trace_latency
}

# record_as_event: the record in the format of the event window. Task and stack are those of the
# newest sample, innermost function first.
record_as_event() {
	each_line records '{
		for (i = NF; $i !~ /^in=/; i--)
			;
		split($i, by, ",")
		split($(i - 1), stack, ":")
		line = $1 " " $2 " " $3 " " $5 " " $6 " " $7 " state=" by[2] " comm=" by[6] \
			" pid=" by[3] " tgid=" by[4] " cgroup=" by[5] " stack="
		n = split(stack[2], frame, ";")
		for (i = 0; i < 8; i++) {
			text = i < n ? frame[n - i] : "0x0"
			sub(/\[/, " [", text)
			line = line (i ? " " : "") text
		}
		print line
	}' "$@"
}

injected_end_us() {
	sed -n "s/^cpu=$CPU .*end_ns=\([0-9]*\)[0-9][0-9][0-9] .*/\1/p" "$INJECT"
}

# all_announced KIND: each sample of the record was announced
all_announced() {
	events sample | sed -n "s/^kind=$1 .*latency_ns=\([0-9]*\) .*/\1/p" >/tmp/announced
	for announced in $(records kind="$1" | sample_offsets); do
		same 1 "$(grep -cx "$announced" /tmp/announced)" || return 1
	done
}

# opened KIND: window_open was fired once, with a lower bound between the threshold and the length
opened() {
	same 1 "$(events window_open | grep -c "^kind=$1 cpu=$CPU ")" || return 1
	between 50000000 "$(events window_open | sed -n 's/.* latency_ns=\([0-9]*\) .*/\1/p')" \
		"$(records kind="$1" | field latency_ns)"
}

# check_events KIND INJECTION: one window, and its events
check_events() {
	fresh
	inject "$2" 200000 "$CPU"
	await recorded kind="$1" cpu="$CPU"
	expect "a window of kind $1 has one record" same 1 "$(count)"
	expect "window has the fields of the record, and task and stack of its newest sample" \
		same "$(record_as_event)" "$(events window)"
	expect "each sample of the record is announced once" all_announced "$1"
	expect "window_open is fired once, at the threshold" opened "$1"
}

# announced_in_time: window_open was fired while the window was open
announced_in_time() {
	between 1 "$(stamps window_open)" "$(injected_end_us)"
}

# for_tools: perf and trace-cmd know no names of enums, and bpftrace of Debian 11 only these types
for_tools() {
	grep -q '^print fmt:.*, "hardirq"' "$E/window/format" &&
		! grep -hE '^print fmt:.*(WINDOW|STATE)_' "$E"/*/format &&
		! grep -h '^.field:' "$E"/*/format |
			grep -vE 'field:(unsigned )?(char|short|int|long|long long) [a-z_]+([[][0-9]+[]])?;'
}

expect "tools can parse the formats of the events" for_tools
echo mono >$T/trace_clock
# The kernel's own work may make nosched windows, for example the triggers.
put 0 nosched
trace_all 10ms 50ms
inject hardirq 200000 "$CPU"
await recorded kind=hardirq cpu="$CPU"
expect "events that are disabled are not fired" same "" "$(stamps sample window_open window)"

check_events hardirq spinlock
expect "window_open is fired while interrupts are off" announced_in_time
rt && softirqs_off=ksoftirqd || softirqs_off=bh
check_events softirq "$softirqs_off"
expect "window_open is fired while softirqs are disabled" announced_in_time
check_events softirq idle_softirq
fresh
inject pause 200000 "$CPU"
expect "the event of a paused CPU names no sample" await eval 'events window | grep -q " state=paused "'
if rt || starves; then
	skip "events of a nosched window" "part of the window is a softirq window"
else
	put 1 nosched
	check_events nosched preempt
	put 0 nosched
fi

fresh
inject_times 10 spinlock 70000 "$CPU"
await eval 'same 10 "$(count kind=hardirq cpu="$CPU")"'
expect "no sample is announced twice" same "$(records cpu="$CPU" | sample_offsets | sort)" \
	"$(events sample | sed -n "s/.*cpu=$CPU latency_ns=\([0-9]*\) .*/\1/p" | sort)"
expect "each of 10 windows is announced once" same "10 10" \
	"$(events window_open | grep -c "cpu=$CPU") $(events window | grep -c "cpu=$CPU")"

# With a traceoff trigger, the trace ends inside the window, and so has the cause of the window.
fresh
echo traceoff >$E/window_open/trigger
echo 1 >$T/events/timer/hrtimer_expire_entry/enable
inject spinlock 200000 "$CPU"
echo 0 >$T/events/timer/hrtimer_expire_entry/enable
expect "a traceoff trigger stops the trace" same 0 "$(cat $T/tracing_on)"
last_us=$(stamps window_open hrtimer_expire_entry | sort -n | tail -n 1)
expect "the trace ends before the window" between 1 "$last_us" "$(injected_end_us)"
echo 0 >$E/enable
expect "rmmod is refused while an event has a trigger" sh -c "! rmmod trace_irqoff 2>/dev/null"
echo '!traceoff' >$E/window_open/trigger

# Without NMIs, as on arm64.
echo 0 >$E/enable
unload
load nmi=0 nosched=0
trace_all 10ms 50ms
fresh
inject spinlock 200000 "$CPU"
expect "without samples, window_open is fired while interrupts are off" announced_in_time
expect "without samples, window_open names no task" same "comm=- pid=-1" \
	"$(events window_open | sed -n 's/.*\(comm=.*\) tgid.*/\1/p')"

expect "rmmod is refused while an event is enabled" sh -c "! rmmod trace_irqoff 2>/dev/null"
echo 0 >$E/enable
expect "rmmod succeeds when no event is in use" unload
finish

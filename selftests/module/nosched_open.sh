#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# A task keeps a CPU from others, and goes on to: what is said of it meanwhile, also where it began
# before tracing did; and what is left of it when tracing is turned off, the CPU goes offline or the
# module is unloaded meanwhile.
#
# On PREEMPT_RT it is a softirq window, and up to 6.4 at times: see nosched.sh.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0
plan 23

ALL=$(cat /sys/devices/system/cpu/online)
CPU=$(last_cpu)
ONLINE=/sys/devices/system/cpu/cpu$CPU/online

# A kernel that is never preempted in its own code (5.10, and 6.12 of arm64) keeps no count of who
# has preemption off.
if uname -v | grep -q PREEMPT; then
	held=preempt-off
else
	held=in-kernel
fi
if rt; then
	STATE=ksoftirqd KIND=softirq most=1
elif starves; then
	STATE="($held|ksoftirqd)" KIND='(nosched|softirq)' most=2
else
	STATE=$held KIND=nosched most=1
fi

# keep MS: the CPU is kept from now on, for so long
keep() {
	inject preempt "${1}000" "$CPU" &
	injector=$!
	await is_there
}

# The writer moves to the CPU, and the next thing is the window.
is_there() {
	grep -q "^Cpus_allowed_list:	$CPU\$" "/proc/$injector/status"
}

active_has() {
	grep -qE "$1" "$P/active"
}

is_open() {
	active_has "COMMAND: [^ ]+ PID: $injector LATENCY: [0-9]+\\+ms STATE: $STATE "
}

is_open_unseen() {
	active_has "COMMAND: [^ ]+ PID: $injector LATENCY: [0-9]+\\+ms BEGIN: unseen STATE: $STATE "
}

# The records of this injector.
own() {
	grep -E " kind=$KIND cpu=$CPU .* pid=$injector " "$P/records"
}

# At least so long as was seen of it, and no longer than it lasted. Up to 6.4 a softirq that comes
# meanwhile begins a window of its own, from when on the time is that one's: both together.
own_lasts() {
	between "$1" "$(own | field latency_ns | awk '{ sum += $1 } END { printf "%.0f", sum }')" \
		"$(injected_ns "$CPU")"
}

trace 10ms 50ms
keep 3000
expect "a CPU that is kept is an open window" await is_open
expect "with the function that keeps it" active_has '^     inject_preempt\+'
expect "which is there while the CPU takes interrupts" \
	sh -c "a=\$(grep '^ticks:' $P/status); sleep 0.5; [ \"\$a\" != \"\$(grep '^ticks:' $P/status)\" ]"
wait
expect "when it is over it is recorded" await own
expect "with at least what was seen, and at most all of it" own_lasts 2500000000
expect "and nothing is open" reads active ""

put 0 enable
put 0 trace_latency
keep 2500
sleep 0.5
put 1 enable
expect "one that began before tracing did is open, and said to be" await is_open_unseen
wait
await own
first=$(own | head -n 1)
expect "also in its record" sh -c "echo '$first' | grep ' begin=unseen '"
expect "it lasted from then on" own_lasts 1000000000
expect "the upper bound is none" same "$(echo "$first" | field latency_ns)" "$(echo "$first" | field max_ns)"

put 0 trace_latency
keep 2500
await is_open
expect "tracing is turned off meanwhile" within 5 put 0 enable
expect "no timer is left" same 0 "$(timers)"
expect "nothing is open" reads active ""
expect "it is turned on" within 5 put 1 enable
expect "and sees the same window, not its beginning" await is_open_unseen
wait
await own
expect "which is one record, or where softirqs starve two" between 1 "$(own | wc -l)" $most

put 0 trace_latency
keep 2500
await is_open
echo 0 >"$ONLINE"
expect "a CPU that goes offline meanwhile goes" same 0 "$(cat "$ONLINE")"
expect "with its timers" same 0 "$(timers "$CPU")"
wait
echo 1 >"$ONLINE"
expect "it is watched when it comes back" await runs_on "$ALL"
put 0 trace_latency
keep 400
wait
expect "and what keeps it then is found" await own

keep 2500
await is_open
expect "the module is unloaded meanwhile" within 20 unload
expect "no timer is left" same 0 "$(timers)"
wait
expect "it can be loaded again" load enable=1
finish

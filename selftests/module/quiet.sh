#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest newest-rt newest
# A quiet system has no windows: for five seconds at each of three sampling periods, with the
# smallest thresholds; and with a busy task and a task that sleeps by CLOCK_TAI. Under a network
# load, the module does not make softirqs wake ksoftirqd.
. "$(dirname "$0")/../module.sh"
start_test

HZ_MAX=1000	# a CPU that is monitored alone also counts ticks of the scheduler

for period in 10 2 1; do
	trace ${period}ms $((2 * period))ms
	sleep 5
	put 0 enable
	expect "period ${period} ms: nothing is recorded" same "" "$(records)"
	expect "period ${period} ms: distribute is empty" reads distribute ""
	expect "period ${period} ms: each period has a tick" \
		between $((4750 / period)) "$(value ticks status)" \
		$((6000 * $(nproc) * (HZ_MAX + 1000 / period) / 1000))
	# Not nosched: debug has short ones.
	expect "period ${period} ms: hardirq and softirq are in the histogram" \
		same "$((2 * $(nproc)))" "$(grep -cE '^cpu: .* kind: (hard|soft)irq ' $P/histogram)"
done

trace 10ms 50ms
spin 0
"$selftests/bin/sleeper" 300000 tai &
sleep 0.7
kill $!
expect "a task that sleeps by CLOCK_TAI makes no window" same 0 "$(count)"
inject bh 2000000 0

# The sum of all softirq windows of all CPUs is small: an interrupt runs softirqs on its way out. On
# PREEMPT_RT, few of 125 ticks come while the softirq thread cannot preempt.
put 0 trace_latency
sleep 0.5
late_us=$(sed -n 's/.*kind: softirq .* sum_us: \([0-9]*\) .*/\1/p' $P/histogram |
	awk '{ sum += $1 } END { print sum + 0 }')
# shellcheck disable=SC2046 # words
set -- $(sed -n 's/.*kind: [hs].* count: \([0-9]*\) .*/\1/p' $P/histogram)
stop_background
expect "softirq has as many ticks as hardirq, also after a window that was cleared: $*" \
	between $(($1 - 20)) "${2:-0}" $(($1 + 20))
expect "a busy task does not delay softirqs" between 0 "$late_us" 2000

# wakes: how often ksoftirqd has gone to sleep, in half a second of network load
wakes() {
	wakes_before=$(slept)
	sleep 0.5
	echo $(($(slept) - wakes_before))
}

slept() {
	sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$ksoftirqd/status"
}

# received: number of the softirqs that received packets on CPU 0
received() {
	sed -n 's/^ *NET_RX: *\([0-9]*\).*/\1/p' /proc/softirqs
}

if [ -e /proc/net ]; then
	received_before=$(received)
	ksoftirqd=$(grep -lx ksoftirqd/0 /proc/[0-9]*/comm | cut -d / -f 3)
	ip link set lo up
	# Each reply lets it send the next packet at once.
	ping -A -q -s 1400 127.0.0.1 >/dev/null &
	flood=$!
	trace 1ms 50ms
	with=$(wakes)
	put 0 enable
	without=$(wakes)
	kill $flood
	note "ksoftirqd was woken $with times, and $without times while tracing was disabled"
	expect "there was a network load" test "$(received)" -gt $((received_before + 1000))
	expect "under a network load, ksoftirqd is not woken more often" \
		test "$with" -le $((without * 3 / 2 + 20))
else
	skip "under a network load, ksoftirqd is not woken more often" "this kernel has no network"
fi
finish

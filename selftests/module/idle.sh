#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount smp4
# long: icount COUNT=100
# long: smp COUNT=20
# long: smp4 COUNT=30
# Idle CPUs are left alone: they take no ticks, and still no window is missed that begins when
# they wake. COUNT windows of each kind (default 3, on debug 2).
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0
if [ "$(last_cpu)" -gt 0 ]; then
	plan "$([ -e /proc/net ] && echo 20 || echo 18)"
else
	plan 9
fi

COUNT=${COUNT:-$(fewer 3 2)}
CPU=$(last_cpu)
CPUS=$(grep -c ^processor /proc/cpuinfo)

# In half a second a CPU that is awake ticks 125 times.
left_alone() {
	between 0 "$(idle_ticks 0.5)" 20
}

# idle_ticks SECONDS: on $CPU
idle_ticks() {
	idle_before=$(ticks_of_cpu)
	sleep "$1"
	echo $(($(ticks_of_cpu) - idle_before))
}

ticks_of_cpu() {
	awk -v cpu="$CPU" '/^cpu: / && $2 == cpu && $4 == "hardirq" { n = $6 }
		END { print n + 0 }' "$P/histogram"
}

# What a host that is busy takes from a CPU is taken off a softirq window.
long_us=100000
[ "$CPU" = 0 ] || long_us=300000

# As /proc/interrupts has them, on x86 or arm64.
TIMER="Local timer interrupts|arch_timer"
CALL="Function call interrupts"

# interrupts_in SECONDS NAME: of those that /proc/interrupts calls so, on all CPUs
interrupts_in() {
	interrupts_before=$(all_interrupts "$2")
	sleep "$1"
	echo $(($(all_interrupts "$2") - interrupts_before))
}

all_interrupts() {
	awk -v name="$1" '$0 ~ " (" name ")$" {
		for (i = 2; $i ~ /^[0-9]+$/; i++)
			sum += $i
		print sum
	}' /proc/interrupts
}

# after_rest INJECTION KIND: COUNT windows, each on a CPU that has been idle
after_rest() {
	rest_left=$COUNT
	while [ "$rest_left" -gt 0 ]; do
		sleep "0.1$(random 10)"
		inject "$1" "$long_us" "$CPU"
		rest_left=$((rest_left - 1))
	done
	await seen "$COUNT" "$2"
}

# seen N KIND: so many windows that may be ours. A busy host makes some of its own: that each one is
# seen is shown where instructions are counted.
seen() {
	if [ "$CPU" = 0 ]; then
		same "$1" "$(count kind="$2" cpu="$CPU")"
	else
		between $(($1 - ($1 + 4) / 5)) "$(count kind="$2" cpu="$CPU")" $(($1 * 2))
	fi
}

# counted INJECTION: COUNT of them, as windows that no sample tells the kind of; or they are recorded,
# as the CPU's timer interrupt was late, too
counted() {
	unsampled=$(value windows_unsampled status)
	inject_times "$COUNT" "$1" "$long_us" "$CPU"
	await all_counted
}

all_counted() {
	test $(($(value windows_unsampled status) - unsampled + $(count cpu="$CPU"))) -ge "$COUNT"
}

# each_sampled FUNCTION KIND: the function is in a sample of each of the COUNT windows, but for those
# in which a busy host did not run the watcher
each_sampled() {
	of_it=$(records kind="$2" cpu="$CPU" | grep -c " sample=[^ ]*$1")
	between $((COUNT - (COUNT + 4) / 5)) "$of_it" $((COUNT * 2))
}

looked_into() {
	records | grep -q " sample=[^ ]*$1"
}

trace 10ms 50ms
sleep 1
[ "$CPU" = 0 ] || expect "idle CPUs are left alone" await left_alone
expect "all CPUs are monitored" \
	runs_on "$(cat /sys/devices/system/cpu/online)"
# Two watchers take 20 a second each, and all others none. One CPU alone has its own timer, and ticks with
# the scheduler as well.
seconds=60 most=$((22 * 2 + CPUS))
[ "$CPU" -gt 0 ] || seconds=30 most=125
put 0 enable
# Not what the kernel still does after it has booted.
sleep 10
interrupts_without=$(interrupts_in $seconds "$TIMER")
put 1 enable
sleep 2
interrupts=$(interrupts_in $seconds "$TIMER")
note "$interrupts timer interrupts in $seconds s on $CPUS CPUs, $interrupts_without when it is off"
expect "they take $most timer interrupts a second for it, or fewer" \
	test "$interrupts" -le $((interrupts_without + most * seconds))
expect "it is not overdue" reads active ""

for injection in hardirq bh; do
	kind=softirq
	[ $injection != hardirq ] || kind=hardirq
	expect "$COUNT windows ($injection) that begin when it wakes are seen" \
		after_rest $injection $kind
	put 0 trace_latency
done

# What interrupts do on an idle CPU. Only an NMI tells what it is; a CPU alone has ticks, and
# no other CPU sends it an IPI.
kinds="idle_softirq:softirq:inject_softirq idle_handler:hardirq:inject_handler"
[ "$CPU" = 0 ] || kinds="$kinds idle_ipi:hardirq:inject_ipi idle_tasklet:softirq:inject_long_tasklet"
[ "$CPU" = 0 ] || [ ! -e /proc/net ] || kinds="$kinds idle_net_rx:softirq:inject_net_rx"
for words in $kinds; do
	injection=${words%%:*}
	kind=${words#*:}
	kind=${kind%:*}
	if [ "$CPU" = 0 ] || has_looks; then
		expect "$COUNT windows ($injection) on an idle CPU are seen" \
			after_rest "$injection" "$kind"
		[ "$CPU" = 0 ] || expect "and sampled" each_sampled "${words##*:}" "$kind"
	else
		expect "$COUNT windows ($injection) on an idle CPU are counted" \
			counted "$injection"
		skip "and sampled" "there are no looks: $(value nmi status)"
	fi
	put 0 trace_latency
done

# Who wakes when all others rest sees to it that one of them is awake to look.
if has_looks; then
	await left_alone
	inject split 900000 "$CPU"
	expect "a window that begins when all CPUs rest is looked into" \
		await looked_into inject_split_spend

	# The watcher is woken by its own timer and by who calls it: that is no work to hand over for.
	# Who did hand over called 5,000 times a second.
	taskset 1 sh -c 'while :; do :; done' &
	sleep 0.2
	calls=$(interrupts_in 1 "$CALL")
	kill $!
	wait $! 2>/dev/null
	note "$calls calls in a second"
	expect "while one CPU is busy, the others do not call each other all the time" \
		between 0 "$calls" $((100 * CPUS))
elif [ "$CPU" -gt 0 ]; then
	for words in "a window that begins when all CPUs rest is looked into" \
		"while one CPU is busy, the others do not call each other all the time"; do
		skip "$words" "there are no looks: $(value nmi status)"
	done
fi

expect "it can be turned off" put 0 enable
expect "and leaves no timer" same 0 "$(timers)"
finish

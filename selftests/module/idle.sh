#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount smp4
# long: icount COUNT=100
# long: smp COUNT=20
# long: smp4 COUNT=30
# Idle CPUs are left alone: they take no ticks, and still no window is missed that begins when
# they wake. COUNT windows of each kind (default 5, on debug 2).
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0
if [ "$(last_cpu)" -gt 0 ]; then
	plan 13
else
	plan 11
fi

COUNT=${COUNT:-$(fewer 5 2)}
CPU=$(last_cpu)
CPUS=$(grep -c ^processor /proc/cpuinfo)

# In half a second they would tick 40 times and more each. Those that wake now and then tick once
# or twice each time, and while we look, our own CPU is awake, and another one to watch it.
left_alone() {
	between 0 "$(idle_ticks 0.5)" $((10 * CPUS))
}

# idle_ticks SECONDS: on all CPUs
idle_ticks() {
	idle_before=$(ticks)
	sleep "$1"
	echo $(($(ticks) - idle_before))
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
	rest_unseen=$(value idle_unseen status)
	while [ "$rest_left" -gt 0 ]; do
		sleep "0.1$(random 10)"
		inject "$1" "$long_us" "$CPU"
		rest_left=$((rest_left - 1))
	done
	# When the CPU had a tick less than a period before, that which wakes it may be only counted.
	await seen "$COUNT" "$2" $((1 + COUNT / 20))
}

# seen N KIND UNSEEN: so many windows that may be ours, of which up to UNSEEN are only counted. A busy host makes some of its own, and
# where it stops a CPU in the middle of waking up, the window is not seen: that each one is
# seen is shown where instructions are counted.
seen() {
	seen_nr=$(count kind="$2" cpu="$CPU")
	if [ "$CPU" = 0 ]; then
		seen_unseen=$(($(value idle_unseen status) - rest_unseen))
		same "$1" $((seen_nr + seen_unseen)) && between 0 "$seen_unseen" "$3"
	else
		between $(($1 - $1 / 5 - $3)) "$seen_nr" $(($1 * 2))
	fi
}

looked_into() {
	records | grep -q " sample=[^ ]*$1"
}

trace 10ms 50ms
sleep 1
expect "idle CPUs are left alone" await left_alone
expect "and are monitored all the same" \
	runs_on "$(cat /sys/devices/system/cpu/online)"
# In tenths, for each CPU. Of four CPUs those on guard take 5 a second in all, watchers 4, the kernel's
# own tick one more, and half a one comes of our reading the numbers. 7.3 of arm64 took 9.5 to
# 12.5 more in one minute (of eight), and in ten seconds up to 16; 7.3 of amd64 7 to 8.5. It was 25 to 36
# when CPUs had calls left, see below.
seconds=60 most=35
[ "$CPU" -gt 0 ] || seconds=30 most=30
put 0 enable
# Not what the kernel still does after it has booted.
sleep 10
interrupts_without=$(interrupts_in $seconds "$TIMER")
put 1 enable
# By then CPUs have used up the calls for a watcher that each may make at once, 16 (CALL_BURST): as
# long as there are any, four CPUs take some 15 timer interrupts a second more.
sleep 10
interrupts=$(interrupts_in $seconds "$TIMER")
note "$interrupts timer interrupts in $seconds s on $CPUS CPUs, $interrupts_without when it is off"
expect "they take 3 timer interrupts a second for it, or little more" \
	test "$interrupts" -le $((interrupts_without + most * seconds * CPUS / 10))
expect "it is not overdue" reads active ""

for injection in hardirq bh idle_softirq; do
	kind=softirq
	[ $injection != hardirq ] || kind=hardirq
	expect "$COUNT windows ($injection) that begin when it wakes are seen" \
		after_rest $injection $kind
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

unload
load enable=1 ride=0
expect "with ride=0 no tick rides" same none "$(value cpus_riding status)"
# Where the host does not run a CPU, ticks are left out.
least=95
[ "$CPU" = 0 ] || least=50
expect "and each takes its 100 ticks a second" \
	test "$(idle_ticks 2)" -ge $((least * 2 * CPUS))
expect "it can be turned off" put 0 enable
expect "and leaves no timer" same 0 "$(timers)"
finish

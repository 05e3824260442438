#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest newest newest-arm64
# host: interrupts are off for longer than a hardware watchdog may wait
# A CPU has interrupts off for ten seconds (on debug, where commands are slow, for 18), and then for
# four. Only an unload, and the start of the CPU's own timers, wait for that CPU.
. "$(dirname "$0")/../module.sh"
start_test

read_all() {
	for file in $FILES; do
		within 5 cat "$P/$file" >/tmp/read || {
			cat /tmp/read
			echo "reading $file"
			return 1
		}
	done
}

write_all() {
	within 5 put 1 handlers && within 5 put 0 enable && within 5 put 20ms sampling_period &&
		within 5 put "0-$CPU" cpus &&
		within 5 put 10ms sampling_period && within 5 put 1 enable &&
		within 5 put 300ms trace_latency && within 5 put 0 trace_latency
}

shows_stuck() {
	while read -r line; do
		case $line in
		*" cpu=1 "*) return 0 ;;
		esac
	done <$P/active
	return 1
}

# await_stuck: wait until active shows CPU 1, without new processes. When a process ends, the kernel
# sometimes waits for all CPUs, to free the mappings of old stacks (seen on debug, once in
# thousands).
await_stuck() {
	read -r until_s _ </proc/uptime
	until_s=$((${until_s%.*} + 10))
	until shows_stuck; do
		read -r now_s _ </proc/uptime
		[ "${now_s%.*}" -lt "$until_s" ] || return 1
	done
}

long_us=10000000
[ ! -e /proc/lockdep ] || {
	long_us=18000000
	echo 0 >/proc/sys/kernel/watchdog
}

trace 10ms 200ms
# After insmod, a kworker frees memory, and waits for all CPUs with preemption off: if it did so on CPU 0
# in the window, this shell would see nothing (do_free_init, hz100).
sleep 1
inject hardirq $long_us 1 &
off=$!
expect "active shows the CPU with interrupts off" await_stuck
expect "no write waits for that CPU" write_all
expect "no read waits for that CPU" read_all
expect "that CPU still has interrupts off" test -d "/proc/$off"
expect "after enable, that CPU is not monitored yet" await runs_on "0,2-$CPU"
expect "nor are handlers counted yet" counting_is starting
expect "another write to handlers is refused meanwhile" refused 'Device or resource busy' 0 handlers
wait "$off"
expect "when its interrupts are on, that CPU is monitored" await runs_on
expect "and handlers are counted" await counting_is on

put 0 trace_latency
put 0 handlers
await counting_is off
put 1 handlers
inject hardirq 4000000 1 &
off=$!
await_stuck
put 0 enable
put 1 enable
rmmod trace_irqoff &
rmmod=$!
# Otherwise the kernel would wait with locks held, to patch its code.
expect "the unload first waits for RCU" await grep -q rcu "/proc/$rmmod/stack"
wait $rmmod
unloaded=$?
expect "the module can be unloaded while a start waits for a CPU" same 0 $unloaded
expect "the unload waits until that CPU has interrupts on" test ! -d "/proc/$off"
wait
expect "after unload, the directory is gone" test ! -e $P
expect "after unload, no timer is left" same 0 "$(timers)"

load enable=1
expect "after the next load, windows of that CPU are recorded" is_recorded hardirq 300000 1
finish

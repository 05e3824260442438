#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4 real
# kernels: oldest newest debug
# long: smp8 DURATION=120
# host: interrupts and tasks do not return to a CPU that was offline
# All CPUs but CPU 0 go offline and come back at random, while windows are made, files are read, and
# tracing is disabled and enabled: for DURATION seconds (default 6), and at least until each of
# these has happened three times.
. "$(dirname "$0")/../lib.sh"
start_test
LAST=$(last_cpu)
need_cpus 4
stay_on_cpu0
plan 7

DURATION=${DURATION:-6}
ALL=$(cat /sys/devices/system/cpu/online)
mkdir -p /tmp/done
rm -f /tmp/done/* /tmp/stop

# repeat NAME COMMAND: repeat COMMAND until the test ends, and count its successes
repeat() {
	done_nr=0
	while [ ! -e /tmp/stop ]; do
		$2 >/dev/null 2>&1 && done_nr=$((done_nr + 1))
		echo $done_nr >"/tmp/done/$1"
	done
}

# each_done: each job has succeeded three times
each_done() {
	for job in odd even window switch read write; do
		[ "$(cat "/tmp/done/$job")" -ge 3 ] || {
			echo "$job: $(cat "/tmp/done/$job")"
			return 1
		}
	done
}

some_cpu() {
	echo $((1 + $(random "$LAST")))
}

# hotplug FIRST: choose a random CPU of FIRST, FIRST + 2, ..., and take it offline, or online if it
# is offline. No other process changes these CPUs.
hotplug() {
	cpu=$(($1 + 2 * $(random $(((LAST - $1) / 2 + 1)))))
	online=/sys/devices/system/cpu/cpu$cpu/online
	was=$(cat "$online")
	echo $((1 - was)) >"$online" && [ "$(cat "$online")" != "$was" ]
}

odd_hotplug() {
	hotplug 1
}

even_hotplug() {
	hotplug 2
}

some_window() {
	kinds="hardirq spinlock handler bh softirq ksoftirqd"
	kind=$(echo "$kinds" | cut -d ' ' -f $(($(random 6) + 1)))
	inject "$kind" $((20000 + $(random 100) * 1000)) "$(some_cpu)"
}

some_switch() {
	put "$(random 2)" enable
	sleep "0.0$(random 10)"
}

some_read() {
	cat "$P"/*
}

some_write() {
	case $(random 3) in
	0) put 0 trace_latency ;;
	1) put "$((20 + $(random 100)))ms" trace_latency ;;
	2) put "0-$(random "$LAST")" cpus ;;
	esac
}

all_online() {
	for cpu in $(seq 1 "$LAST"); do
		echo 1 >/sys/devices/system/cpu/cpu"$cpu"/online
	done
	same "$ALL" "$(cat /sys/devices/system/cpu/online)"
}

trace 10ms 50ms
for job in window switch read write; do
	repeat $job some_$job &
done
repeat odd odd_hotplug &
repeat even even_hotplug &
sleep "$DURATION"
expect "CPUs went offline and came back, windows were made, files read and written" await each_done
touch /tmp/stop
wait
for job in odd even window switch read write; do
	note "$job: $(cat /tmp/done/$job)"
done

expect "all CPUs can be taken online" all_online
put 0 enable
expect "after disable, no timer is left" same 0 "$(timers)"
put "$ALL" cpus
put 50ms trace_latency
put 1 enable
expect "after enable, all CPUs are monitored" await runs_on "$ALL"
expect "each CPU has ticked" await ticks_on "$(up_to "$LAST")"
put 0 trace_latency
inject hardirq 200000 "$LAST"
expect "a window is recorded" await recorded kind=hardirq cpu="$LAST"
unload
expect "after unload, no timer is left" same 0 "$(timers)"
finish

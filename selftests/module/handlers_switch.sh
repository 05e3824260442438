#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# machine: smp4
# kernels: newest debug
# host: takes CPUs offline
# long: smp4 ROUNDS=1000
# kcsan-long: smp4 ROUNDS=1000
# Counting handlers is switched on and off ROUNDS times (default 5, on debug 3) under load, while CPUs
# go offline and come back, and the file is read all the time. The kernel must not complain.
. "$(dirname "$0")/../lib.sh"
start_anywhere
hurry_rcu
ROUNDS=${ROUNDS:-$(fewer 5 3)}

come_and_go() {
	echo 0 >/sys/devices/system/cpu/cpu3/online
	echo 1 >/sys/devices/system/cpu/cpu3/online
	sleep 0.2
}

load_softirqs() {
	inject softirq 1000 1
	ping -c 20 -A 127.0.0.1 >/dev/null 2>&1 || sleep 0.1
}

read_all() {
	cat "$P/handlers" >/tmp/rows || echo failed >>/tmp/errors
	sleep 0.05
}

# switch STATE: repeat the write until it is accepted
switch() {
	until put "$1" handlers 2>/dev/null; do	# EBUSY
		sleep 0.01
	done
}

rm -f /tmp/stop /tmp/errors
for command in come_and_go load_softirqs read_all; do
	until [ -e /tmp/stop ]; do
		$command
	done &
done
counted=0
for round in $(seq "$ROUNDS"); do
	switch 1
	await counting_is on >/dev/null || break
	sleep 0.1
	[ "$(wc -l <"$P/handlers")" -gt 1 ] && counted=$((counted + 1))
	switch 0
	[ $((round % 4)) -eq 0 ] || switch 0
done
touch /tmp/stop
wait
expect "each time something was counted" same "$ROUNDS" "$counted"
expect "each read succeeded" [ ! -e /tmp/errors ]
switch 0
await counting_is off
switch 0
expect "in the end nothing is kept" same 1 "$(wc -l <"$P/handlers")"

# On CPU 1, this shell would see the window only when it is over.
stay_on_cpu0
trace 10ms 50ms
inject hardirq "$(fewer 3000000 6000000)" 1 &
await grep -q '^ cpu: 1$' "$P/active"
expect "a write does not wait for a CPU that has interrupts off" within 2 put 1 handlers
expect "nor a read, which says that it starts" counting_is starting
expect "another write is refused meanwhile" refused 'Device or resource busy' 0 handlers
wait
expect "then it counts" await counting_is on

switch 0
await counting_is off
switch 1
expect "unloading while it starts" unload
finish

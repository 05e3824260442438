#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: newest debug
# Counting handlers is switched on while a CPU has interrupts off. hammer.sh switches it while CPUs
# go offline and come back.
. "$(dirname "$0")/../lib.sh"
start_test
hurry_rcu

trace 10ms 50ms
# After insmod, a kworker frees memory, and waits for all CPUs with preemption off: if it did so on CPU 0
# in the window, this shell would see nothing (do_free_init, hz100).
sleep 1
inject hardirq "$(fewer 3000000 6000000)" 1 &
await grep -q '^ cpu: 1$' "$P/active"
expect "a write does not wait for a CPU that has interrupts off" within 2 put 1 handlers
expect "nor a read, which says that it starts" counting_is starting
expect "another write is refused meanwhile" refused 'Device or resource busy' 0 handlers
wait
expect "then it counts" await counting_is on

put 0 handlers
await counting_is off
put 1 handlers
expect "unloading while it starts" unload
finish

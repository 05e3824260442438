#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# kernels: oldest newest-rt newest debug
# long: smp64
# 64 CPUs, one full group: all are monitored, windows of several CPUs at once are recorded, and a
# full recorder can be read. Not on arm64: there, an emulated TLB flush for 64 CPUs is a soft lockup.
. "$(dirname "$0")/../module.sh"
start_test
unload

vmalloc_kb() {
	awk '$1 == "VmallocUsed:" { print $2 }' /proc/meminfo
}
vmalloc=$(vmalloc_kb)
load nr_records=256
# A record takes 4.1 KiB. With a buffer for each CPU, it would be 64 times as much.
expect "the memory for records does not depend on the number of CPUs" \
	test $(($(vmalloc_kb) - vmalloc)) -lt 8192
trace 100ms 1s
expect "after enable, all CPUs are monitored" await runs_on
expect "each CPU has ticked" await ticks_on "$(seq -s ' ' 0 "$CPU")"

# Three seconds: 64 CPUs that share two CPUs of the host have shorter windows by chance.
at_once="1 9 17 $CPU"
for cpu in $at_once; do
	inject hardirq 3000000 "$cpu" &
done
wait
for cpu in $at_once; do
	expect "a window on CPU $cpu is recorded while other CPUs have windows" \
		await recorded kind=hardirq cpu="$cpu"
done

# On this slow machine many ticks are late: that fills the recorder.
trace 500us 1ms
expect "the recorder is full" await eval '[ "$(value records_overwritten status)" -gt 0 ]'
expect "all files can be read while records are made" sh -c "cat $P/* >/tmp/out"
put 0 enable
expect "256 records are shown" same "256 256" "$(value records_kept status) $(count)"
finish

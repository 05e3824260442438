#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# only: debug
# What README.md says of memory: all of it is taken at load, and nothing more while the recorder fills.
# The kernel keeps the account.
. "$(dirname "$0")/../lib.sh"
[ -e /proc/allocinfo ] || skip_all "the kernel keeps no account of allocations"
start_test nr_records=16
plan 6

CPU=$(last_cpu)
RECORD=1740	# bytes: 1.6 KB, and a little

# Bytes that it has allocated, but for what there is for each CPU.
held() {
	awk '/\[trace_irqoff\]/ { sum += $1 } END { print sum + 0 }' /proc/allocinfo
}

# A page is the least that can be had.
expect "16 records take what they say" between 16000 "$(held)" $((16 * RECORD + 4096))
at_load=$(held)
trace 1ms 2ms
inject_times 40 hardirq 8000 "$CPU"
inject_times 10 bh 8000 "$CPU"
await recorded kind=softirq
expect "the recorder is full" same 16 "$(value records_kept status)"
expect "and takes no more" same "$at_load" "$(held)"
cat $P/* >/dev/null
expect "nor is anything left of a read" same "$at_load" "$(held)"
put 0 trace_latency
unload
load
expect "1024 records take what they say" \
	between 1600000 "$(held)" $((1024 * RECORD + 4096))
unload
expect "unloaded, it has none" same 0 "$(held)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# Periods below a millisecond: latencies with decimals, distribute in us.
. "$(dirname "$0")/../lib.sh"
start_test
plan 4

CPU=$(last_cpu)

trace 100us 1ms
inject hardirq 2500 "$CPU"
put 0 enable
expect "a window of 2.5 ms is recorded" same 1 "$(count kind=hardirq)"
# Each bound is at most one period (0.1 ms) off.
expect "LATENCY and MAX have three decimals" \
	grep -qE 'LATENCY: 2\.[45][0-9]{2}ms MAX: 2\.[56][0-9]{2}ms' $P/trace_latency
expect "distribute has rows in us" \
	grep -qE '^ +1600 -> 3199 +: 1 ' $P/distribute
expect "the header of distribute says usecs" \
	grep -qx '         usecs           : count     distribution' \
	$P/distribute
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: newest newest-arm64
# Two idle CPUs watch each other. A softirq delays one of them, which then checks on top of the
# softirq. The true length is within the bounds, for each of COUNT windows (default 10).
#
# The true length is measured in the handler of the softirq. With -icount one thread runs all CPUs in
# turn, so the other CPU may run for one scheduler tick (4 ms) after the interrupt and before the
# handler: the window is then longer than that (1 of 400).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2

COUNT=${COUNT:-10}

trace_all 10ms 50ms
for _ in $(seq "$COUNT"); do
	put 0 trace_latency
	# Begin at any time between two checks of watchers that are slow.
	sleep "0.6$(random 10)$(random 10)"
	inject softirq 200000 "$CPU"
	true_and_bounds softirq "$CPU"
done >/tmp/bounds
note "$(awk '{ printf "%.0f to %.0f ms, ", $2 / 1e6, $3 / 1e6 }' /tmp/bounds)true: 200 ms"
expect "each window is recorded" same "$COUNT" "$(awk 'NF == 3' /tmp/bounds | wc -l)"
expect "true lengths are within the bounds" bounds_hold /tmp/bounds 10000000
finish

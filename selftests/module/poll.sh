#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# only: stock not-rt
# kernels: newest
# long: poll
# With idle=poll, an idle CPU loops with its tick on. Handlers that run long there are recorded,
# with samples. COUNT windows of each kind (default 2).
. "$(dirname "$0")/../module.sh"
start_test
need_nmi

COUNT=${COUNT:-2}

# each_recorded INJECTION KIND FUNCTION: COUNT records have a sample with FUNCTION
each_recorded() {
	put 0 trace_latency
	inject_times "$COUNT" "$1" 300000 "$CPU"
	await all_sampled "$2" "$3"
}

all_sampled() {
	same "$COUNT" "$(records kind="$1" cpu="$CPU" | grep -c " sample=[^ ]*$2")"
}

trace_all 10ms 50ms
expect "handlers are recorded" each_recorded idle_handler hardirq inject_handler
expect "IPI handlers are recorded" each_recorded idle_ipi hardirq inject_ipi
expect "softirqs are recorded" each_recorded idle_softirq softirq inject_softirq
expect "tasklets are recorded" each_recorded idle_tasklet softirq inject_long_tasklet
finish

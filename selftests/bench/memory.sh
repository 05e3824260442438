#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# The memory of the module. A tracepoint shows each allocation of per-CPU memory during the load;
# the first one is the module's static per-CPU data. /proc/vmallocinfo has the records: the areas
# with the module's name.
. "$(dirname "$0")/common.sh"

EVENT=/sys/kernel/tracing/events/percpu/percpu_alloc_percpu

start_bench
echo 1 >"$EVENT/enable"
load
echo 0 >"$EVENT/enable"
grep 'insmod-.*: percpu_alloc_percpu: ' /sys/kernel/tracing/trace | tee /tmp/events

[ -s /tmp/events ] || die "no per-CPU memory was seen"
row "memory" "for each possible CPU" \
	"$(sed 's/.* size=\([0-9]*\) .*/\1/' /tmp/events | awk '{ sum += $1 } END { print sum }')" bytes
grep '\[trace_irqoff\]' /proc/vmallocinfo | tee /tmp/areas
[ -s /tmp/areas ] || die "no vmalloc area has the name trace_irqoff"
row "memory" "1024 records" "$(awk '{ sum += $2 } END { print sum }' /tmp/areas)" bytes
row "memory" "code and data" "$(cat /sys/module/trace_irqoff/coresize)" bytes

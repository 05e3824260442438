#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# The memory of the module. For each CPU: a tracepoint has each allocation of per-CPU memory during the load,
# with the module's static per-CPU data. Fixed: /proc/vmallocinfo has the areas with the module's name; and
# its code and data. /proc/meminfo is printed for comparison: it counts whole pages of all users, and may not
# change at all.
. "$(dirname "$0")/common.sh"

EVENT=/sys/kernel/tracing/events/percpu/percpu_alloc_percpu

# percpu_bytes FILE: the sum of its events in bytes, and their number
percpu_bytes() {
	sed -n 's/.*: percpu_alloc_percpu: .* size=\([0-9]*\) .*/\1/p' "$1" | awk '
		{ sum += $1 }
		END { print sum + 0, NR }'
}

start_bench
percpu=$(meminfo Percpu)
vmalloc=$(meminfo VmallocUsed)
echo 1 >"$EVENT/enable"
load
echo 0 >"$EVENT/enable"
grep 'insmod-.*: percpu_alloc_percpu: ' /sys/kernel/tracing/trace | tee /tmp/events
put 1 enable
sleep 1

percpu_bytes /tmp/events | {
	read -r bytes pieces
	[ "$pieces" -gt 0 ] || die "no per-CPU memory was seen"
	row "memory" "for each possible CPU" "$bytes" bytes
}
grep '\[trace_irqoff\]' /proc/vmallocinfo | tee /tmp/areas
[ -s /tmp/areas ] || die "no vmalloc in our name"
row "memory" "1024 records" "$(awk '{ sum += $2 } END { print sum }' /tmp/areas)" bytes
row "memory" "code and data" "$(cat /sys/module/trace_irqoff/coresize)" bytes
row "memory" "growth of VmallocUsed" "$(($(meminfo VmallocUsed) - vmalloc))" kB
row "memory" "growth of Percpu of one CPU" "$(($(meminfo Percpu) - percpu))" kB

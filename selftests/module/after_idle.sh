#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# machine: smp
# kernels: oldest 6.12-rt newest
# A window of an idle CPU ends, and soon after a task keeps interrupts off there for 3 ms. The late
# tick of the task must not end the window of the idle task a second time, with the task as culprit.
# COUNT times (default 20).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
need_nmi
stay_on_cpu0

CPU=$(last_cpu)
COUNT=${COUNT:-20}

# ends_in FUNCTION: the number of records of $CPU whose stack at the end has FUNCTION
ends_in() {
	records kind=hardirq cpu="$CPU" | field stack | grep -c "$1"
}

trace 10ms 50ms
i=0
while [ $i -lt "$COUNT" ]; do
	i=$((i + 1))
	inject idle_ipi 150000 "$CPU"
	inject hardirq 3000 "$CPU"
done
sleep 0.2
sampled=$(records kind=hardirq cpu="$CPU" | grep -c " sample=[^ ]*inject_ipi")
note "$sampled of $COUNT recorded, $(ends_in inject_hardirq) as the task's; all: $(records kind=hardirq cpu="$CPU" | grep -c .)"
expect "most windows of the idle CPU are recorded with their function" \
	between $((COUNT * 3 / 4)) "$sampled" "$COUNT"
# One by chance: a busy host may stop the CPU for 50 ms.
expect "no window of the idle CPU is recorded as the task's" between 0 "$(ends_in inject_hardirq)" 1
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
# vm: --smp 8
# vm oldest newest: --smp 64 --mem 4096 --append lpj=4000000
#
# The cost of reading the files when the recorder is full, and the largest allocation of a read. With one CPU
# the instructions are counted; with more, the time is measured, under emulation.
. "$(dirname "$0")/common.sh"

TRACING=/sys/kernel/tracing
LAST=$(last_cpu)
CPUS=$((LAST + 1))

full() {
	[ "$(value records_overwritten status)" -gt 0 ]
}

# Windows on all CPUs, one after the other. With many emulated CPUs each tick is late: that fills the recorder.
fill() {
	trace 500us 1ms
	cpu=0
	left=4000
	until full; do
		[ $((left -= 1)) -gt 0 ] || die "the recorder does not fill"
		if [ $CPUS -lt 16 ]; then
			inject hardirq 2000 $cpu
		else
			sleep 0.1
		fi
		cpu=$(((cpu + 1) % CPUS))
	done
	put 0 enable
}

# Trace all functions that may allocate large pieces.
trace_allocations() {
	vmalloc=$(grep -o -w -m 1 -E '__vmalloc_node_range(_noprof)?' /proc/kallsyms)
	echo mono >$TRACING/trace_clock
	echo "p:irqoff_vmalloc $vmalloc bytes_req=%di:u64" >$TRACING/kprobe_events
	for event in kprobes/irqoff_vmalloc kmem/kmalloc kmem/kmalloc_node; do
		[ ! -e $TRACING/events/$event ] ||
			echo 1 >$TRACING/events/$event/enable
	done
}

# largest_allocation FILE: the largest allocation of a read, in bytes
largest_allocation() {
	echo >$TRACING/trace
	# shellcheck disable=SC2016	# for the inner shell
	sh -c 'echo $$ >"$1"/set_event_pid && exec "$2" 1 read "$3"' sh \
		$TRACING "$STOPWATCH" "$P/$1" >/tmp/laps
	sed -n 's/.* \([0-9]*\.[0-9]*\): \(kmalloc\|kmalloc_node\|irqoff_vmalloc\): .*bytes_req=\([0-9]*\).*/\1 \3/p' \
		$TRACING/trace >/tmp/allocations
	awk '
		NR == FNR	{ begin = $1 / 1e9; end = $2 / 1e9; next }
		$1 >= begin && $1 <= end {
			seen++
			if ($2 > largest)
				largest = $2
		}
		END {
			if (!seen)
				exit 1
			print largest
		}' /tmp/laps /tmp/allocations || die "$1: no allocation was seen"
}

start_bench
load
stay_on_cpu0
fill
row "records kept" "$CPUS CPUs" "$(value records_kept status)" records
for file in trace_latency records histogram; do
	"$STOPWATCH" 5 read "$P/$file" >/tmp/laps
	ns=$(clear_lap /tmp/laps)
	if [ $CPUS = 1 ]; then
		row "to read a full file" "$file 1 CPU counted" "$ns" instructions
	else
		row "to read a full file" "$file $CPUS CPUs timed" \
			"$(calc "$ns / 1000000")" ms
	fi
	row "size of a full file" "$file $CPUS CPUs" "$(wc -c <"$P/$file")" bytes
done
trace_allocations
for file in trace_latency records histogram status active; do
	row "largest allocation of a read" "$file $CPUS CPUs" \
		"$(largest_allocation "$file")" bytes
done

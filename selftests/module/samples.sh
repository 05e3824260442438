#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# The times of the samples in a hardirq window, and the number of NMIs: one when a tick is missed,
# one at the threshold, and one at each doubling. The first two samples and the newest two are kept.
# COUNT windows (default 6). Also NMIs that are late or lost, made by the test module.
#
# A busy host may stop the CPU of a watcher for 100 ms and more: then samples are late or missing.
# So not all windows must have all samples on time.
. "$(dirname "$0")/../lib.sh"
start_test
need_nmi

COUNT=${COUNT:-6}

made() {
	made_by inject_spinlock "$CPU"
}

# offsets NUMBER: the offset of sample NUMBER in each record, in ns
offsets() {
	made | times_of | awk -v number="$1" 'NF > number { print $(number + 1) }'
}

# on_time NUMBER NS: the earliest of all samples NUMBER comes at the first check after NS. Sample 1
# may come one check later: one check sees that the CPU has woken, the next that it missed a tick.
on_time() {
	between "$2" "$(offsets "$1" | sort -n | head -n 1)" \
		$(($2 + CHECK_NS * ($1 == 1 ? 2 : 1) + 1000000))
}

# none_later NUMBER NS: no sample NUMBER comes later than two checks after NS
none_later() {
	between "$2" "$(offsets "$1" | sort -n | tail -n 1)" $(($2 + 2 * CHECK_NS))
}

# with_samples NUMBER: the number of windows that have NUMBER samples
with_samples() {
	made | times_of | awk -v number="$1" 'NF == number + 1' | wc -l
}

# late_ticks: the number of ticks of all CPUs that were at least 1.024 ms late
late_ticks() {
	awk '/^cpu: /	{ hardirq = /hardirq/ }
		hardirq && $2 == "->" && $1 >= 1024	{ sum += $5 }
		END	{ print sum + 0 }' "$P/histogram"
}

trace_all 10ms 100ms
# Each watcher checks every 12 ms (settings.check_ns). A tick that is 1 ms late is missed.
CHECK_NS=12000000
MISSED_NS=1000000
before=$(value nmi_sent status)
inject_times "$COUNT" spinlock 900000 "$CPU"
expect "$COUNT windows of 900 ms are recorded" same "$COUNT" "$(made | wc -l)"
expect "most windows have four samples" test "$(with_samples 4)" -gt $((COUNT / 2))
sample=0
for due_ns in $MISSED_NS 100000000 400000000 800000000; do
	sample=$((sample + 1))
	expect "sample $sample never comes before $due_ns ns" \
		same "" "$(offsets $sample | awk -v due="$due_ns" '$1 < due')"
	expect "sample $sample comes at most one check later (the first sample: two checks)" \
		on_time $sample "$due_ns"
done
# Ticks that a busy host makes late are sampled, too.
took=$(($(value nmi_sent status) - before))
note "$took NMIs for $COUNT windows, $(late_ticks) ticks were late"
expect "each sample takes an NMI, and each late tick at most five" \
	between "$(made | samples | wc -l)" $took $(($(late_ticks) * 5))
expect "all NMIs were taken" await nmis_taken

# No CPU is idle: the watcher is busy.
trace_all 10ms 100ms
spin 0
inject_times "$COUNT" spinlock 500000 "$CPU"
stop_background
expect "when all other CPUs are busy, samples at the threshold are at most two checks late" \
	none_later 2 100000000
expect "when all other CPUs are busy, samples at twice the threshold are at most two checks late" \
	none_later 3 200000000

trace_all 10ms 20ms
inject_times 3 spinlock 75000 "$CPU"
expect "at a threshold of 20 ms, a window of 75 ms has three samples (at 1, 20, 40 ms)" \
	test "$(with_samples 3)" -ge 1
expect "at a threshold of 20 ms, no window shorter than 80 ms has four samples" same "" \
	"$(made | times_of | awk '$1 < 80000000 && NF > 4')"

trace_all 10ms 50ms
echo "nmi_arch_send 1" >"$FAIL"
inject spinlock 120000 "$CPU"
lost=$(sed -n 's/.*failed=//p' "$FAIL")
# Send it now: as if the NMI had not been lost, but late.
late=$(value nmi_late status)
inject nmi 1 "$CPU"
late_after=$(value nmi_late status)
echo off >"$FAIL"
expect "an NMI is sent for a window" test "$lost" -ge 1
expect "if the NMI is lost, the window has no sample" \
	same "1 of 1" "$(with_samples 0) of $(made | wc -l)"
expect "an NMI that comes after the window is counted as late" same $((late + 1)) "$late_after"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# The number of samples in a hardirq window, the times of the first two, and the number of NMIs: a sample
# comes when a tick is missed, and another at the next check. (unit/unit tests when the others come.) COUNT
# windows (default 6). Also NMIs that are late or lost, made by the test module.
#
# A busy host may stop the CPU of a watcher for 100 ms and more: then samples are late or missing.
# So not all windows must have all samples on time.
. "$(dirname "$0")/../module.sh"
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

# earliest NUMBER: the earliest offset of all samples NUMBER
earliest() {
	offsets "$1" | sort -n | head -n 1
}

# gaps: the time between the first two samples in each record
gaps() {
	made | times_of | awk 'NF > 2 { print $3 - $2 }'
}

# with_samples LOW HIGH: the number of windows with LOW to HIGH samples
with_samples() {
	made | times_of | awk -v low="$1" -v high="$2" 'NF > low && NF <= high + 1' | wc -l
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
expect "all windows have five to eight samples" same "$COUNT" "$(with_samples 5 8)"
expect "sample 1 comes at most two checks later" \
	between $MISSED_NS "$(earliest 1)" $((MISSED_NS + 2 * CHECK_NS + 1000000))
expect "sample 2 comes at most two checks after sample 1" \
	between 3000000 "$(gaps | sort -n | head -n 1)" $((2 * CHECK_NS))
# Ticks that a busy host makes late are sampled, too.
took=$(($(value nmi_sent status) - before))
note "$took NMIs for $COUNT windows, $(late_ticks) ticks were late"
expect "each sample takes an NMI, and each late tick at most sixteen" \
	between "$(made | samples | wc -l)" $took $(($(late_ticks) * 16))
expect "all NMIs were taken" await nmis_taken

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
	same "1 of 1" "$(with_samples 0 0) of $(made | wc -l)"
expect "an NMI that comes after the window is counted as late" same $((late + 1)) "$late_after"
finish

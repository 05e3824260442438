#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock hz
# kernels: oldest newest
# long: smp4 ROUNDS=100
# long: smp8 ROUNDS=100
# One, two, ... CPUs are stuck at once, up to all but one. They wait for one lock, which each holds
# for HOLD_MS. The other CPUs are idle, but in every other round CPU 0 is busy. Each stuck CPU gets all
# its samples. ROUNDS rounds (default 9).
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 3
need_nmi

ROUNDS=${ROUNDS:-9}
HOLD_MS=${HOLD_MS:-600}

# due: a line "SAMPLES DUE RECORD" for each of our windows: the number of samples, and the number
# that were due. One more is due if the window has no sample for 25 ms, or none after its newest for
# twice the time between two of them. A busy host may delay a sample by SLACK_NS.
#
# A window on a CPU that was not stuck means that the host stopped that CPU, which may be the
# watcher. Windows at the same time are left out.
SLACK_NS=$(limit 5000000 200000000)
due() {
	records kind=hardirq | awk -v slack="$SLACK_NS" '{
		samples = offset = 0
		gap = 25000000
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			value[pair[1]] = pair[2]
			if (pair[1] == "sample") {
				if (samples++ && 2 * (pair[2] - offset) > gap)
					gap = 2 * (pair[2] - offset)
				offset = pair[2] + 0
			}
		}
		end = value["end"]
		begin = end - value["latency_ns"] / 1e9
		if ($0 !~ / stack=[^ ]*inject_lock_static/) {
			from[++nr_others] = begin
			to[nr_others] = end
			next
		}
		first[++nr] = begin
		last[nr] = end
		due = samples + (offset + gap + slack <= value["latency_ns"])
		line[nr] = samples " " due " " $0
	}
	END {
		for (i = 1; i <= nr; i++) {
			for (o = 1; o <= nr_others; o++)
				if (from[o] < last[i] && to[o] > first[i])
					break
			if (o > nr_others)
				print line[i]
		}
	}'
}

# made: the number of windows of at least half of HOLD_MS. In shorter ones, the host stopped the CPU
# before or after it held the lock. A window that is recorded in two parts would add one.
made() {
	records kind=hardirq | grep ' stack=[^ ]*inject_lock_static' | field latency_ns |
		awk -v least="${HOLD_MS}000000" '$1 >= least / 2' | grep -c .
}

trace_all 10ms 50ms
windows=0
for i in $(seq 0 $((ROUNDS - 1))); do
	stuck=$((i % CPU + 1))
	[ $((i % 2)) -eq 0 ] || spin 0
	pids=
	for cpu in $(seq 1 $stuck); do
		inject lock_static "${HOLD_MS}000" "$cpu" &
		pids="$pids $!"
	done
	# shellcheck disable=SC2086 # a list
	wait $pids
	sleep 0.3
	stop_background
	windows=$((windows + stuck))
done

due >/tmp/due
note "$(awk '{ with[$1]++ } END {
	for (samples = 0; samples <= 8; samples++)
		printf "%d windows with %d samples, ", with[samples], samples
}' /tmp/due)$windows made"
judged=$(wc -l </tmp/due)
missing=$(awk '$1 < $2' /tmp/due | wc -l)
awk '$1 < $2' /tmp/due | cut -c 1-1000 | head -n 5 | sed 's/^/# /'
expect "each window is recorded" same $windows "$(made)"
expect "in at least one window in ten, the host stopped no other CPU" \
	test $((judged * 10)) -ge $windows
expect "99 of 100 windows have all samples that were due" test $((missing * 100)) -le "$judged"
expect "NMIs that were sent were taken" await nmis_taken
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest debug
# long: smp4 ROUNDS=100
# long: smp8 ROUNDS=100
# Many CPUs are stuck at once, after the same lock, from one up to all but one; the others are
# idle. Each stuck CPU gets all its looks. ROUNDS of them (default 9, on debug 4), HOLD_MS each holds it.
. "$(dirname "$0")/../lib.sh"
start_test
LAST=$(last_cpu)
[ "$LAST" -ge 2 ] || skip_all "there are less than three CPUs"
need_nmi
stay_on_cpu0
plan 4

ROUNDS=${ROUNDS:-$(fewer 9 4)}
HOLD_MS=${HOLD_MS:-600}

# round N: CPUs 1 to N, while this shell waits
round() {
	pids=
	for cpu in $(seq 1 "$1"); do
		inject contend "${HOLD_MS}000" "$cpu" &
		pids="$pids $!"
	done
	# shellcheck disable=SC2086 # a list
	wait $pids
	sleep 0.3
}

# Windows of ours, a line each: "LOOKS DUE". One more is due when none was taken although a tick
# was missed, or none since the one at 50, 100 or 200 ms was to be; a look that is late is
# the next one too. From then on to when it is taken the host may need so long.
# Windows in which the host stopped a CPU that was not stuck, as its own window shows, are
# left out: that one could not look.
SLACK_NS=200000000
due() {
	records kind=hardirq | awk -v slack=$SLACK_NS '{
		looks = offset = 0
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			value[pair[1]] = pair[2]
			if (pair[1] == "sample") {
				looks++
				offset = pair[2] + 0
			}
		}
		end = value["end"]
		begin = end - value["latency_ns"] / 1e9
		if ($0 !~ / stack=[^ ]*inject_contend/) {
			from[++nr_others] = begin
			to[nr_others] = end
			next
		}
		first[++nr] = begin
		last[nr] = end
		for (at = looks ? 50000000 : 25000000; at <= offset; at *= 2)
			;
		due = looks + (looks < 4 && at + slack <= value["latency_ns"])
		line[nr] = looks " " due " " $0
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

# Each holds the lock for HOLD_MS. What is shorter is of a CPU that the host stopped on the way
# there or back; a window in two halves would still be one too many.
made() {
	records kind=hardirq | grep ' stack=[^ ]*inject_contend' | field latency_ns |
		awk -v least="${HOLD_MS}000000" '$1 >= least / 2' | grep -c .
}

trace 10ms 50ms
await scheduler_ticks
windows=0
i=0
while [ $i -lt "$ROUNDS" ]; do
	stuck=$((i % LAST + 1))
	round $stuck
	windows=$((windows + stuck))
	i=$((i + 1))
done

due >/tmp/due
note "$(awk '{ with[$1]++ } END {
	for (looks = 0; looks <= 4; looks++)
		printf "%d windows with %d looks, ", with[looks], looks
}' /tmp/due)$windows made"
judged=$(wc -l </tmp/due)
missing=$(awk '$1 < $2' /tmp/due | wc -l)
awk '$1 < $2' /tmp/due | cut -c 1-1000 | head -n 5 | sed 's/^/# /'
expect "each window is recorded" same $windows "$(made)"
expect "one in ten at least without the host in between" test $((judged * 10)) -ge $windows
expect "all looks that were due were taken in 99 of 100 windows" \
	test $((missing * 100)) -le "$judged"
expect "NMIs that were sent were taken" \
	await sh -c "[ \$(sed -n 's/^nmi_sent: //p' $P/status) = \
		\$(sed -n 's/^nmi_taken: //p' $P/status) ]"
finish

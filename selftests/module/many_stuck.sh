#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# long: smp4 ROUNDS=100
# long: smp8 ROUNDS=100
# Many CPUs are stuck at once, after the same lock, from one up to all but one; the others are
# idle. Each stuck CPU gets all its looks. ROUNDS of them (default 9), HOLD_MS each holds it.
. "$(dirname "$0")/../lib.sh"
start_test
LAST=$(last_cpu)
[ "$LAST" -ge 2 ] || skip_all "there are less than three CPUs"
grep -q '^nmi: on$' "$P/status" || skip_all "$(grep '^nmi:' "$P/status")"
stay_on_cpu0
plan 3

ROUNDS=${ROUNDS:-9}
HOLD_MS=${HOLD_MS:-600}

parks() {
	same on "$(value parking status)"
}

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

# Windows of ours, a line each: "LOOKS DUE". A look is due at 50, 100 and 200 ms, and one as
# soon as a tick was missed; from then on to when it is taken the host may need so long.
SLACK_NS=100000000
due() {
	records kind=hardirq | grep 'stack=[^ ]*inject_contend' | awk -v slack=$SLACK_NS '{
		due = looks = 0
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			if (pair[1] == "latency_ns")
				length_ns = pair[2]
			looks += pair[1] == "sample"
		}
		for (at = 25000000; at <= 200000000; at *= 2)
			due += length_ns >= at + slack
		print looks, due, $0
	}'
}

trace 10ms 50ms
await parks
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
missing=$(awk '$1 < $2' /tmp/due | wc -l)
awk '$1 < $2' /tmp/due | cut -c 1-1000 | head -n 5 | sed 's/^/# /'
expect "each window is recorded" same $windows "$(wc -l </tmp/due)"
expect "all looks that were due were taken in 99 of 100 windows" \
	test $((missing * 100)) -le "$windows"
expect "NMIs that were sent were taken" \
	await sh -c "[ \$(sed -n 's/^nmi_sent: //p' $P/status) = \
		\$(sed -n 's/^nmi_taken: //p' $P/status) ]"
finish

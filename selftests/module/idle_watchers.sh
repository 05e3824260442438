#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# long: smp COUNT=30
# All CPUs are idle. CPU 0 often wakes for a moment, and then gets stuck. No CPU was busy for a
# while, so the watchers check only every settings.slow_check_ns, and must sample CPU 0
# nevertheless. COUNT times (default 4, on debug 2).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
need_nmi
stay_on_cpu0

COUNT=${COUNT:-$(fewer 4 2)}
HOLD_US=1000000
# At a threshold of 50 ms, a watcher checks every 50 ms while all CPUs are idle. The first check
# sees that CPU 0 has woken, the second that it is stuck. A busy host may delay the watcher by
# SLACK_MS.
SLOW_CHECK_MS=50
SLACK_MS=500
LATEST_MS=$((2 * SLOW_CHECK_MS + SLACK_MS))

ours() {
	records kind=hardirq cpu=0 | grep ' stack=[^ ]*inject_split'
}

trace 10ms 50ms
await scheduler_ticks
taskset 1 "$selftests/bin/sleeper" 20000 &
sleeper=$!
trap 'kill $sleeper; unload_all' EXIT
for _ in $(seq "$COUNT"); do
	# Wait until the watchers are slow again, for a different time each round, so that the
	# window starts at any time between two checks.
	sleep "1.$(random 10)$(random 10)"
	inject split $HOLD_US 0
done
first_samples=$(ours | sed -n 's/ sample=\([0-9]*\):[^ ]*inject_split_spend.*/ \1/p' |
	awk '{ printf "%d\n", $NF / 1000000 }')
note "first samples, ms: $(echo "$first_samples" | tr '\n' ' ')"

in_time() {
	echo "$first_samples" | awk -v latest="$LATEST_MS" '$1 > latest' | grep . || return 0
	return 1
}

expect "$COUNT windows that begin when all other CPUs are idle are recorded" \
	same "$COUNT" "$(ours | wc -l)"
expect "each window has samples" same "$COUNT" "$(echo "$first_samples" | grep -c .)"
expect "the first sample comes within $LATEST_MS ms" in_time
finish

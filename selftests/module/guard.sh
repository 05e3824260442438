#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# long: smp COUNT=30
# A CPU that wakes often, for a moment each time, gets stuck once, while all others sleep. Nobody
# watches then, and it cannot call anybody: those that are on guard find it, the sooner the more
# CPUs there are. COUNT times (default 4, on debug 2).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
need_nmi
stay_on_cpu0
plan 3

COUNT=${COUNT:-$(fewer 4 2)}
HOLD_US=1000000
# They look once in a second, divided by the number of CPUs. That is by a riding tick, up to a
# period later; and what it takes to see that a tick is missed is two. CPUs that take turns add to
# each.
LATEST_MS=$((1000 / (1 + $(last_cpu)) + 50))

ours() {
	records kind=hardirq cpu=0 | grep ' stack=[^ ]*inject_split'
}

# By so short a period CPUs that take turns are late each time, the one that looks as well: it looks
# all the same.
trace 10ms 50ms
await scheduler_ticks
taskset 1 "$selftests/bin/sleeper" 20000 &
sleeper=$!
trap 'kill $sleeper; unload_all' EXIT
left=$COUNT
while [ "$left" -gt 0 ]; do
	left=$((left - 1))
	# The few times that it calls others after it was stuck are over by then. As all begins with a
	# scheduler tick, so does waking; elsewhere in the second each time.
	sleep "1.$(random 10)$(random 10)"
	inject split $HOLD_US 0
done
first_looks=$(ours | sed -n 's/ sample=\([0-9]*\):[^ ]*inject_split_spend.*/ \1/p' |
	awk '{ printf "%d\n", $NF / 1000000 }')
note "first looks, ms: $(echo "$first_looks" | tr '\n' ' ')"

in_time() {
	echo "$first_looks" | awk -v latest="$LATEST_MS" '$1 > latest' | grep . || return 0
	return 1
}

expect "$COUNT windows that begin when all others sleep are recorded" same "$COUNT" "$(ours | wc -l)"
expect "each is looked into" same "$COUNT" "$(echo "$first_looks" | grep -c .)"
expect "within $LATEST_MS ms" in_time
finish

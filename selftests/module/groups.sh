#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: groups
# only: stock
# kernels: newest
# long: groups64 ROUNDS=20
# The module was built for groups of two CPUs. Two nodes have three CPUs each, so the groups are: 0
# and 2; 4; 1 and 3; 5. Each window has a sample soon after it begins, on an idle and on a busy host:
# if one CPU is stuck, if all CPUs of a node are stuck, and if a CPU is the only one of its group.
# ROUNDS rounds (default 2). Prints when the first samples came. (groups64: groups of eight CPUs.)
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 6
need_nmi
ALL=0-$CPU
NODE=$(seq 1 2 "$CPU")		# the CPUs of the second node
NR_GROUPS=4 IN_GROUP=2
[ "$CPU" -lt 8 ] || NR_GROUPS=8 IN_GROUP=8
ROUNDS=${ROUNDS:-2}
HOLD_MS=120
# If a CPU of the group was busy: two intervals of 12 ms, and a tick. If all were idle: 50 ms more. If
# all CPUs of the group are stuck: 12 ms more.
BUSY_MS=42
IDLE_MS=90

# stuck WORDS MS CPU...: make a window on each of these CPUs at once. Each has a record, and a
# sample in its first MS.
stuck() {
	stuck_words=$1 stuck_ms=$2
	shift 2
	put 0 trace_latency
	: >/tmp/first
	for _ in $(seq "$ROUNDS"); do
		# Begin at any time between two checks.
		sleep "0.4$(random 10)$(random 10)"
		pids=
		for cpu; do
			inject hardirq ${HOLD_MS}000 "$cpu" &
			pids="$pids $!"
		done
		# shellcheck disable=SC2086 # a list
		wait $pids
		sleep 0.1
	done
	records kind=hardirq | grep ' stack=[^ ]*inject_hardirq' | first_samples >/tmp/first
	note "$stuck_words: $(sort -n /tmp/first | awk '{ ms[NR] = $1 }
		END { printf "%d windows, first samples after %d to %d ms, median %d ms",
			NR, ms[1], ms[NR], ms[int((NR + 1) / 2)] }')"
	expect "$stuck_words: each window is recorded" same $((ROUNDS * $#)) "$(wc -l </tmp/first)"
	expect "$stuck_words: the first sample comes within $stuck_ms ms" \
		test "$(sort -n /tmp/first | tail -n 1)" -le "$stuck_ms"
}

# first_samples: when the window had its first sample, in ms after the begin; 999: no sample. The
# start is HOLD_MS before the end.
first_samples() {
	times_of | awk -v hold=$HOLD_MS '{ printf "%.0f\n", (NF > 1 ? hold - ($1 - $2) / 1e6 : 999) }'
}

expect "the number of groups is right" same $NR_GROUPS "$(value groups status)"
trace_all 10ms 50ms
stuck "idle host, one CPU" $IDLE_MS 1
# shellcheck disable=SC2086 # a list
stuck "idle host, all CPUs of a node" $IDLE_MS $NODE

for cpu in $(echo "$NODE" | head -n 4); do
	spin "$cpu"
done
stuck "busy host, one CPU" $BUSY_MS 1
# shellcheck disable=SC2086 # a list
stuck "busy host, all CPUs of a node" $BUSY_MS $NODE
stop_background

# The first CPU of each group
put 0 enable
singles=$(for cpu in $(seq 0 "$CPU"); do
	[ $((cpu / 2 % IN_GROUP)) -ne 0 ] || echo "$cpu"
done | paste -s -d , -)
put "$singles" cpus
put 1 enable
expect "one CPU of each group is monitored" await runs_on "$(cat $P/cpus)"
stuck "one CPU of each group is monitored" $IDLE_MS 1
put 0 enable
put "$ALL" cpus
put 1 enable

# CPU 1 stays alone in its group. Then the whole group is offline.
group_of_1=$(seq 3 2 $((2 * IN_GROUP)))
for cpu in $group_of_1; do
	echo 0 >/sys/devices/system/cpu/cpu"$cpu"/online
done
stuck "the other CPUs of the group are offline" $IDLE_MS 1
echo 0 >/sys/devices/system/cpu/cpu1/online
stuck "a whole group is offline" $IDLE_MS "$CPU"
for cpu in 1 $group_of_1; do
	echo 1 >/sys/devices/system/cpu/cpu"$cpu"/online
done
expect "a group that comes back is monitored" await runs_on "$ALL"
stuck "a whole group has come back" $IDLE_MS 1
put 0 enable
expect "after disable, no timer is left" same 0 "$(timers)"
finish

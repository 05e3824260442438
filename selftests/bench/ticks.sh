#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 4
#
# The cost of a tick on a busy CPU that uses the scheduler's tick: the mean cost of our probe and of
# its call. The probe runs before the callback of each hrtimer. A VM counts instructions, a host
# cycles.
. "$(dirname "$0")/common.sh"

COST=/proc/irqoff_cost
SECONDS_EACH=10
UNIT=cycles CYCLES=1
! in_vm || UNIT=instructions CYCLES=8	# of an instruction, with more than one CPU (vm --icount)

# callbacks: print calls and cycles on the last CPU: of its scheduler's tick, of its other hrtimers
callbacks() {
	sleep 1
	echo on >$COST
	sleep $SECONDS_EACH
	awk -v cpu="$LAST" '
		$1 == cpu {
			of = $2 ~ /^tick_(sched_timer|nohz_handler)/ ? "tick" : "other"
			calls[of] += $(NF - 1)
			cycles[of] += $NF
		}
		END { print calls["tick"], cycles["tick"], calls["other"], cycles["other"] }' $COST
	echo off >$COST
}

start_bench
# One task is busy. One task sleeps: its timer is another hrtimer.
background taskset -c "$LAST" "$selftests/bin/sleeper" 10000
spin "$LAST"
# shellcheck disable=SC2046 # words
set -- $(callbacks)
load enable=1
await grep -qx "tick_source: scheduler" $P/status
# shellcheck disable=SC2046 # words
set -- "$@" $(callbacks)
row "cost of a tick" "scheduler's tick" "$(calc "($6 / $5 - $2 / $1) / $CYCLES")" $UNIT
row "cost of a tick" "each other timer" "$(calc "($8 / $7 - $4 / $3) / $CYCLES")" $UNIT

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2
#
# How soon another CPU looks into a hardirq window: from when the tick was missed to the first
# look. Two CPUs take time itself, so this is timed and not counted: under emulation, on a
# host that has other things to do.
. "$(dirname "$0")/common.sh"

WINDOWS=100

start_bench
load
stay_on_cpu0
trace 10ms 50ms
inject_times $WINDOWS hardirq 120000 1
put 0 enable

# The window of a host that was busy is not one of ours.
records kind=hardirq cpu=1 | grep inject_hardirq >/tmp/records || :
row "of 100 windows of 120 ms were recorded" timed "$(wc -l </tmp/records)" windows
sed -n 's/^[^=]*=.* sample=\([0-9]*\):.*/&/p' /tmp/records | awk '{
	for (i = 1; i <= NF; i++)
		if ($i ~ /^sample=/) {
			split($i, part, /[=:]/)
			print part[2]
			break
		}
}' | sort -n | awk '
	{ at[NR] = $1 }
	END {
		if (!NR)
			exit 1
		printf "row:of 100 windows of 120 ms were looked into,timed,%d,windows\n", NR
		what = "row:from the missed tick to the first look"
		printf "%s,timed: least,%.2f,ms\n", what, at[1] / 1e6
		printf "%s,timed: median,%.2f,ms\n", what, at[int((NR + 1) / 2)] / 1e6
		printf "%s,timed: most,%.2f,ms\n", what, at[NR] / 1e6
	}' || die "no looks"

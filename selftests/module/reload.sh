#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest debug
# long: real COUNT=500
# Load and unload COUNT times (default 10, on debug 4), enabled or not, with and without open
# windows: no memory is leaked.
. "$(dirname "$0")/../lib.sh"
start_test
unload
stay_on_cpu0
plan 8
hurry_rcu

COUNT=${COUNT:-$(fewer 10 4)}
WARM=5			# rounds before memory is counted, to fill caches
CPU=$(last_cpu)

# without_caches KEY: the value in /proc/meminfo after dropping caches
without_caches() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	meminfo "$1"
}

# proc_entries: the number of entries of /proc in use
proc_entries() {
	echo 1 >/sys/kernel/slab/proc_dir_entry/shrink
	awk '$1 == "proc_dir_entry" { print $2 }' /proc/slabinfo
}

# less_than_count BEFORE AFTER: the number grew by less than COUNT
less_than_count() {
	echo "$1 before, $2 after $COUNT loads"
	[ $(($2 - $1)) -lt "$COUNT" ]
}

window() {
	inject hardirq 60000 "$CPU" &
}

# round N: a window is open during the load, or during the unload, or not at all
round() {
	case $(($1 % 5)) in
	0) load ;;
	1) load enable=1 ;;
	2) window; load enable=1 threshold=20ms ;;
	3) load enable=1 threshold=20ms; window ;;
	4) load; put 1 enable; put 0 enable; put 1 enable; window ;;
	esac && rmmod trace_irqoff
}

rounds() {
	for i in $(seq 1 "$1"); do
		round "$i" || { echo "round $i"; return 1; }
	done
	wait
}

# grew KEY KB-BEFORE LIMIT: the value in /proc/meminfo grew by at most LIMIT kB
grew() {
	after=$(without_caches "$1")
	echo "$1: $2 kB before, $after kB after"
	[ $((after - $2)) -le "$3" ]
}

expect "the module is loaded and unloaded $WARM times before memory is counted" rounds $WARM
vmalloc=$(without_caches VmallocUsed)
percpu=$(without_caches Percpu)
entries=$(proc_entries)
expect "the module is loaded and unloaded $COUNT times" rounds "$COUNT"
expect "after these unloads, no timer is left" same 0 "$(timers)"

# A load takes 1.6 MB of VmallocUsed, and at most 7 KB of Percpu for each CPU (load.sh). The limit
# of VmallocUsed notices one leaked load, the limit of Percpu only several leaked loads. Entries of
# /proc are too small for a limit of Slab: count them. leaks.sh finds small leaks.
expect "VmallocUsed does not grow" grew VmallocUsed "$vmalloc" $((256 + COUNT / 2))
expect "Percpu does not grow" grew Percpu "$percpu" $((64 + COUNT / 4))
if grep -q ' kasan_report$' /proc/kallsyms; then
	skip "fewer entries of /proc are left than there were loads" "KASAN keeps freed memory"
else
	expect "fewer entries of /proc are left than there were loads" \
		less_than_count "$entries" "$(proc_entries)"
	note "$expect_output"
fi
note "$(grew VmallocUsed "$vmalloc" 0; grew Percpu "$percpu" 0)"
load enable=1
expect "while tracing is enabled, timers are queued" test "$(timers)" -gt 0
inject hardirq 200000 "$CPU"
expect "after the last load, windows are recorded" await recorded kind=hardirq
finish

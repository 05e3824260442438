#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest debug
# long: real COUNT=200
# Load and unload COUNT times (default 10, on debug 5), enabled or not, with and without open
# windows. On debug, the kernel complains if an unload leaves memory allocated (vm/config/debug:
# memory profiling), except per-CPU memory. memory.sh finds files that are not released.
. "$(dirname "$0")/../module.sh"
start_test
unload
hurry_rcu

COUNT=${COUNT:-$(fewer 10 5)}

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

# refused_elsewhere: the module of another kernel, as weak-modules of RHEL offers it. A kernel that has
# versions of symbols does not compare the release.
refused_elsewhere() {
	elsewhere=$(mktemp)
	sed "s/$(uname -r)/$(uname -r | sed 's/.$/#/')/g" "$(ko trace_irqoff)" >"$elsewhere"
	! insmod "$elsewhere" 2>/dev/null
	refused=$?
	rm "$elsewhere"
	unload
	return "$refused"
}

expect "the module of another kernel is refused" refused_elsewhere
expect "the module is loaded and unloaded five times before memory is counted" rounds 5
percpu=$(percpu_kb)
expect "the module is loaded and unloaded $COUNT times" rounds "$COUNT"
# A load takes 7 KB for each CPU (load.sh).
expect "Percpu does not grow" await eval "between 0 \$(percpu_kb) $((percpu + 64 + COUNT / 4))"
expect "after these unloads, no timer is left" same 0 "$(timers)"

load enable=1
expect "while tracing is enabled, timers are queued" test "$(timers)" -gt 0
expect "after the last load, windows are recorded" is_recorded hardirq 200000 "$CPU"
finish

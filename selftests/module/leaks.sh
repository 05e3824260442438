#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: kmemleak
# only: debug
# host: interrupts and tasks do not return to a CPU that was offline
# The module leaks no memory while it is loaded and after it is unloaded: kmemleak finds no
# allocation without a pointer to it.
. "$(dirname "$0")/../lib.sh"
DEBUGFS=/sys/kernel/debug
KMEMLEAK=$DEBUGFS/kmemleak
[ -e "$KMEMLEAK" ] || mount -t debugfs debugfs $DEBUGFS 2>/dev/null
echo scan 2>/dev/null >"$KMEMLEAK" || skip_all "the kernel has no kmemleak, or kmemleak is disabled"
start_test
stay_on_cpu0

CPU=$(last_cpu)
MIN_AGE=5	# seconds; kmemleak ignores younger allocations

# nothing_lost: kmemleak finds no leak. Scan twice: the first scan takes objects that have changed
# for used ones. After that, clear the findings.
nothing_lost() {
	sleep $((MIN_AGE + 1))
	echo scan >"$KMEMLEAK"
	echo scan >"$KMEMLEAK"
	cat "$KMEMLEAK"
	lost=$(grep -c '^unreferenced object' "$KMEMLEAK")
	echo clear >"$KMEMLEAK"
	same 0 "$lost"
}

# use_files: read all files, in whole and in part, and write valid and invalid texts
use_files() {
	for file in $FILES; do
		cat "$P/$file" >/dev/null
		dd if="$P/$file" of=/dev/null bs=1 count=1 2>/dev/null
		put nonsense "$file" 2>/dev/null
	done
	put 0 enable
	put "0-$CPU" cpus
	put 20ms sampling_period
	put 100ms trace_latency
	put 1 enable
}

# Ignore leaks of the kernel before the test.
echo scan >"$KMEMLEAK"
echo clear >"$KMEMLEAK"

trace 10ms 50ms
for kind in hardirq spinlock bh softirq; do
	inject $kind 200000 "$CPU"
done
expect "windows are recorded" await recorded kind=softirq
use_files
put 0 enable
use_files
echo 0 >/sys/devices/system/cpu/cpu"$CPU"/online
use_files
echo 1 >/sys/devices/system/cpu/cpu"$CPU"/online
put 1 enable
await runs_on "0-$CPU"
inject hardirq 200000 "$CPU"
expect "a window of a CPU that was offline is recorded" await recorded kind=hardirq
rmmod irqoff_inject
expect "records have frames of an unloaded module" \
	sh -c "cat $P/records | grep -q ';\\[irqoff_inject\\]'"
use_files
expect "while the module is loaded, no memory is leaked" nothing_lost
for i in 1 2; do
	unload
	load enable=1 cpus=0 nr_records=$((i * 100))
	! load 2>/dev/null
	use_files
done
unload
! load cpus=junk 2>/dev/null
expect "the module is unloaded" test ! -e $P
expect "after unload, no memory is leaked" nothing_lost
finish

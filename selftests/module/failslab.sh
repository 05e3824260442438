#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: debug
# long: smp EVERY=1
# host: the test makes allocations fail
# Allocations of a load, and of opening, reading and writing each file, fail one at a time
# (programs/nth): the first eight of each, and then one of EVERY (default 16). Needs the kernel's
# fault injection, which only the kernel "debug" has.
. "$(dirname "$0")/../module.sh"
NTH=$selftests/bin/nth
EVERY=${EVERY:-16}
DEBUGFS=/sys/kernel/debug

start_test
unload

[ -d $DEBUGFS/failslab ] || mount -t debugfs debugfs $DEBUGFS
# By default, allocations that may sleep and allocations of one page do not fail.
for file in failslab/ignore-gfp-wait \
	fail_page_alloc/ignore-gfp-wait fail_page_alloc/ignore-gfp-highmem; do
	echo N >$DEBUGFS/$file
done
echo 0 >$DEBUGFS/fail_page_alloc/min-order
# The kernel WARNs if it cannot allocate a field of a trace event: leave out their cache.
for cache in /sys/kernel/slab/*/failslab; do
	echo 1 >"$cache"
done 2>/dev/null
echo 0 >/sys/kernel/slab/ftrace_event_field/failslab
echo Y >$DEBUGFS/failslab/cache-filter
# No stacks in the log.
echo 0 >$DEBUGFS/failslab/verbose
echo 0 >$DEBUGFS/fail_page_alloc/verbose
hurry_rcu
# Memory profiling WARNs if its own allocations fail.
echo 0 >/proc/sys/vm/mem_profiling
trap 'unload_all
	echo 0 >/sys/kernel/rcu_expedited
	echo 1 >/proc/sys/vm/mem_profiling' EXIT

nth() {
	words=$1
	shift
	expect "$words" "$NTH" "$SEED" "$EVERY" "$@"
	# expect() shows the output if the command fails.
	[ $ktap_failed -gt 0 ] || echo "$expect_output" | sed 's/^/# /'
}

nth "load: if any allocation fails, nothing is left of the load" load "$(ko trace_irqoff)"
load cpus=0-1
# Records to read. With this threshold, there will be no more.
trace 10ms 50ms
inject_times 2 hardirq 120000 1
await recorded kind=hardirq cpu=1
put 0 enable
put 1000s trace_latency
# shellcheck disable=SC2086 # words
{
	nth "open: if any allocation fails, the result is success or ENOMEM" open $FILES
	nth "read: if any allocation fails, the result is success or ENOMEM" read $FILES
	nth "write: if any allocation fails, the write succeeds or changes nothing" write $WRITABLE
}
expect "the module can be unloaded: no file holds a reference to it" unload
finish

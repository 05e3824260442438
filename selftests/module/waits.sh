#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# Who waits for whom: three CPUs after one lock, and CPUs that call one that has interrupts off. The
# report of the helper names the holder first, and those that waited below it.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 4
stay_on_cpu0
plan 15

HELPER=$selftests/../trace-irqoff
[ -e "$HELPER" ] || HELPER=$selftests/../scripts/trace-irqoff
REPORT=/tmp/waits.report

# after_one_lock HOLD_MS...: CPUs 1, 2, ... take the lock, one after the other, for so long each
after_one_lock() {
	put 0 trace_latency
	pids=
	cpu=0
	for hold; do
		cpu=$((cpu + 1))
		inject contend "${hold}000" $cpu &
		pids="$pids $!"
		sleep 0.03
	done
	# shellcheck disable=SC2086 # a list
	wait $pids
	await made_are $# contend
	sh "$HELPER" report >"$REPORT"
	sed 's/^/# /' "$REPORT" | head -n 30
}

# made_are N KIND
made_are() {
	same "$1" "$(made "$2")"
}

made() {
	records | grep -c " stack=[^ ]*inject_$1"
}

# culprits FUNCTION...: these are in the table, in this order
culprits() {
	same "$*" "$(sed -n 's/^ *[0-9]\{1,2\}  .* \([^ ]*\)\[irqoff_inject\]$/\1/p' "$REPORT" | tr '\n' ' ' | sed 's/ $//')"
}

first_line() {
	head -n 1 "$REPORT" | grep -E "^Culprit: $1"
}

says() {
	grep -F "$1" "$REPORT"
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"

# CPU 1 holds it, and the others are done at once when it lets go.
after_one_lock 400 1 1
expect "three CPUs wait for a lock, or hold it" same 3 "$(count kind=hardirq)"
expect_look "lock: the first line names the holder, and CPUs 2 and 3 waited" \
	first_line 'inject_contend_inner\[irqoff_inject\].*; meanwhile CPUs 2-3 waited for a lock$'
expect_look "lock: the holder is first in the table, those that waited are below" \
	culprits inject_contend_inner inject_contend
expect_look "lock: which says what these did" says "      waited for a lock while #1 went on, "
expect_look "lock: each of their windows says where the holder was" same 2 \
	"$(grep -c '^    waited for a lock\( ([0-9a-f]\{8\})\)\{0,1\} in [1-4] of [1-4] looks, at the same time CPU 1 was in inject_contend_inner\[irqoff_inject\]$' "$REPORT")"
expect_look "lock: nothing of all that is said of the holder" same 2 "$(grep -c '^    waited' "$REPORT")"

# Where it was tried: x86, spinlocks that are not paravirtual, kernels without KASAN.
locks() {
	records "cpu=$1" | field lock
}
case $(uname -m)-$(uname -r) in
x86_64-*-debug | [!x]*)
	skip "they waited for one lock" "what the slow path has in its registers is not known here"
	skip "and the holder for none" "likewise" ;;
*)
	expect "they waited for one lock" sh -c "echo '$(locks 2)' | grep -xE '[0-9a-f]{8}' &&
		[ '$(locks 2)' = '$(locks 3)' ]"
	expect "and the holder for none" test -z "$(locks 1)" ;;
esac

# Each holds it as long, in turn.
after_one_lock 300 300 300
expect "each in turn" same 3 "$(count kind=hardirq)"
expect_look "lock: the first line names the one that had it first" \
	first_line 'inject_contend_inner\[irqoff_inject\].*; meanwhile CPUs 2-3 waited for a lock$'
expect_look "lock: and says what the others did when it was their turn" says " at most, is its own"

# CPU 3 waits for a CPU that does not answer.
put 0 trace_latency
inject spinlock 400000 1 &
sleep 0.03
inject ipi 50000 3
wait
await made ipi >/dev/null
sh "$HELPER" report >"$REPORT"
sed 's/^/# /' "$REPORT" | head -n 30
expect "a CPU that others call has interrupts off" same 1 "$(count kind=hardirq cpu=1)"
expect "the one that calls has its softirqs held up" recorded kind=softirq cpu=3
expect "it waited for other CPUs, while that one had interrupts off" grep -E \
	'^    waited for other CPUs to answer a call in [1-4] of [1-4] looks, at the same time CPU 1 was in inject_spinlock' "$REPORT"
expect "the first line names that one" first_line \
	'inject_spinlock.*; meanwhile CPU 3 waited for other CPUs to answer a call$'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# When looks into a hardirq window come, and how many NMIs it takes: one when a tick has been
# missed, one at the threshold, one at each doubling, four at most. COUNT windows (default 6).
# And NMIs that come too late, or never. It sends and loses them by the test module.
#
# A host that is busy stops a CPU for 100 ms and more, the one that watches as well: it may miss
# a look. So it is not each window that is told by, where that would be a fault of the host's.
. "$(dirname "$0")/../lib.sh"
start_test
FAIL=/proc/irqoff_fail
CPU=$(last_cpu)
need_cpus 2
need_nmi
[ -e $FAIL ] || skip_all "the kernel has no kprobes"
stay_on_cpu0
plan 20

COUNT=${COUNT:-6}

made() {
	records kind=hardirq "cpu=$CPU" | grep ' stack=[^ ]*inject_spinlock'
}

# offsets NUMBER: of that look in each record, in ns
offsets() {
	made | awk -v number="$1" '{
		looks = 0
		for (i = 1; i <= NF; i++)
			if ($i ~ /^sample=/ && ++looks == number) {
				split($i, part, /[=:]/)
				print part[2]
			}
	}'
}

# never_before NUMBER NS
never_before() {
	! offsets "$1" | awk -v due="$2" '$1 < due' | grep .
}

# on_time NUMBER NS: the watching CPU ticks once a period, and then it is time or it is not. That
# the CPU has woken it sees by one tick, and that it has missed its own by the next one.
on_time() {
	between "$2" "$(offsets "$1" | sort -n | head -n 1)" \
		$(($2 + PERIOD_NS * ($1 == 1 ? 2 : 1) + 1000000))
}

# none_later NUMBER NS: none of them
none_later() {
	between "$2" "$(offsets "$1" | sort -n | tail -n 1)" $(($2 + 2 * PERIOD_NS))
}

# with_looks NUMBER: how many windows have so many looks
with_looks() {
	made | awk -v want="$1" '
		gsub(/ sample=/, "&") == want	{ n++ }
		END				{ print n + 0 }'
}

# How many ticks were late by a millisecond or more, on any CPU.
late_ticks() {
	awk '/^cpu: /	{ hardirq = /hardirq/ }
		hardirq && $2 == "->" && $1 >= 1024	{ sum += $5 }
		END	{ print sum + 0 }' "$P/histogram"
}

sent() {
	value nmi_sent status
}

# Windows are seen when the CPU has been told to tick, and one that is idle watches when it is
# known which ones are.
trace_all() {
	trace "$@"
	await runs_on "0-$CPU"
	await scheduler_ticks
}

all_taken() {
	same "$(sent)" "$(value nmi_taken status)"
}

trace_all 10ms 100ms
# The watchers check each 12 ms. A tick is missed when it is late by a millisecond.
PERIOD_NS=12000000
MISSED_NS=1000000
before=$(sent)
inject_times "$COUNT" spinlock 900000 "$CPU"
expect "$COUNT windows of 900 ms are recorded" same "$COUNT" "$(made | wc -l)"
expect "most of them with four looks" test "$(with_looks 4)" -gt $((COUNT / 2))
look=0
for due_ns in $MISSED_NS 100000000 200000000 400000000; do
	look=$((look + 1))
	expect "look $look never comes before it is due, at $due_ns ns" \
		never_before $look "$due_ns"
	expect "and not later than a period (the first: two) and a millisecond after that" \
		on_time $look "$due_ns"
done
# Ticks that the host made late have looks too.
took=$(($(sent) - before))
note "$took NMIs for $COUNT windows, $(late_ticks) ticks were late"
expect "it takes an NMI for each look, and never more than four for a tick that is late" \
	between "$(made | looks | wc -l)" $took $(($(late_ticks) * 4))
expect "all of them were taken" await all_taken

# Nobody watches then: whoever ticks looks, and at other times only every other period.
trace_all 10ms 100ms
taskset 1 sh -c 'while :; do :; done' &
burner=$!
trap 'kill $burner; unload_all' EXIT
inject_times "$COUNT" spinlock 500000 "$CPU"
kill $burner
wait $burner 2>/dev/null
trap unload_all EXIT
expect "when all others are busy, looks at the threshold come within two periods" \
	none_later 2 100000000
expect "and so do those where the time has doubled" none_later 3 200000000

trace_all 10ms 20ms
inject_times 3 spinlock 75000 "$CPU"
expect "windows of 75 ms have three at a threshold of 20 ms: at 1.25, 20 and 40" \
	test "$(with_looks 3)" -ge 1
expect "and none has one more that ended before 80" test -z \
	"$(made | awk '{ split($5, latency, "=") } latency[2] < 80000000 &&
		gsub(/ sample=/, "&") > 3')"

trace_all 10ms 50ms
echo "nmi_arch_send 1 again" >$FAIL
inject spinlock 120000 "$CPU"
lost=$(sed -n 's/.*failed=//p' $FAIL)
# It was not lost: it comes when the window is over.
late=$(value nmi_late status)
inject nmi 1 "$CPU"
late_after=$(value nmi_late status)
echo off >$FAIL
expect "an NMI is sent for a window" test "$lost" -ge 1
expect "which has no look when the NMI is lost" \
	same "1 of 1" "$(with_looks 0) of $(made | wc -l)"
expect "nor when it comes when the window is over: it is counted as late" \
	same $((late + 1)) "$late_after"

# One that is really lost is not waited for any longer than a second.
put 0 trace_latency
echo "nmi_arch_send 1 again" >$FAIL
inject spinlock 120000 "$CPU"
echo off >$FAIL
sleep 1.2
put 0 trace_latency
inject_times 3 spinlock 120000 "$CPU"
expect "a second after an NMI was lost there are looks again" \
	test "$(made | looks | wc -l)" -ge 1
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount smp4
# kernels: oldest newest-rt newest newest-arm64 debug
# long: icount COUNT=100
# long: smp COUNT=20
# long: smp4 COUNT=30
# Idle CPUs take few timer interrupts. Windows that begin when an idle CPU wakes are recorded nevertheless.
# COUNT windows of each kind (default 3, on debug 2).
. "$(dirname "$0")/../module.sh"
start_test

COUNT=${COUNT:-$(fewer 3 2)}
CPUS=$((CPU + 1))

# If a busy host does not run the CPU for a while, the softirq window is shorter by that time.
long_us=100000
[ "$CPU" = 0 ] || long_us=300000

# Names in /proc/interrupts, on x86 and arm64.
TIMER="Local timer interrupts|arch_timer"
IPI="Function call interrupts"

# interrupts_in SECONDS NAME [CPU]: the number of interrupts NAME of this CPU, or of all CPUs
interrupts_in() {
	interrupts_before=$(interrupts "$2" "${3:-}")
	sleep "$1"
	echo $(($(interrupts "$2" "${3:-}") - interrupts_before))
}

# left_alone: $CPU takes at most 20 timer interrupts in half a second; a busy CPU takes 50 or more.
left_alone() {
	between 0 "$(interrupts_in 0.5 "$TIMER" "$CPU")" 20
}

# after_idle INJECTION KIND: make COUNT windows on a CPU that was idle before; they are recorded
after_idle() {
	for _ in $(seq "$COUNT"); do
		sleep "0.1$(random 10)"
		inject "$1" "$long_us" "$CPU"
	done
	await seen "$2"
}

# A busy host hides some windows, and makes others. So does the kernel, see hides_softirqs().
MOST=$(limit "$COUNT" $((COUNT * 2)))
! hides_softirqs || MOST=$((COUNT * 2))

# least KIND: how many of COUNT windows have a record at least
least() {
	if [ "$1" = softirq ] && hides_softirqs; then
		echo 1
	else
		limit "$COUNT" $((COUNT - (COUNT + 4) / 5))
	fi
}

# of_kind KIND: the records of $CPU; "any": hardirq and softirq windows
of_kind() {
	kinds_wanted=$1
	[ "$1" != any ] || kinds_wanted="hardirq softirq"
	for kind_wanted in $kinds_wanted; do
		records kind="$kind_wanted" cpu="$CPU"
	done
}

# seen KIND: COUNT windows are recorded
seen() {
	between "$(least "$1")" "$(of_kind "$1" | wc -l)" "$MOST"
}

# each_sampled FUNCTION KIND: the COUNT windows have samples with FUNCTION, taken in an interrupt or
# softirq
each_sampled() {
	case $2 in
	hardirq) context=interrupt ;;
	softirq) context=softirq ;;
	any) context="[a-z]*" ;;
	esac
	of_it=$(of_kind "$2" | grep -c " sample=[^ ]*$1[^ ]* in=$context,")
	between "$(least "$2")" "$of_it" "$MOST"
}

trace 10ms 50ms
sleep 1
# Of two CPUs, both are watchers, and take more.
[ "$CPU" -lt 2 ] || expect "idle CPUs are left alone" await left_alone
expect "all CPUs are monitored" runs_on
# Two watchers take 20 timer interrupts a second each, and all other CPUs none; bench/bench has
# exact figures. A CPU that is monitored alone has a timer of its own besides the scheduler's tick.
seconds=60 most=$((30 * 2 + CPUS))
[ "$CPU" -gt 0 ] || seconds=30 most=125
put 0 enable
# Wait until the kernel's work after boot is done.
sleep 10
interrupts_without=$(interrupts_in $seconds "$TIMER")
put 1 enable
sleep 2
interrupts_with=$(interrupts_in $seconds "$TIMER")
note "$interrupts_with timer interrupts in $seconds s on $CPUS CPUs, $interrupts_without when disabled"
expect "tracing takes at most $most timer interrupts a second" \
	test "$interrupts_with" -le $((interrupts_without + most * seconds))
expect "no window is open" reads active ""

for injection in hardirq bh; do
	kind=softirq
	[ $injection != hardirq ] || kind=hardirq
	expect "$COUNT windows ($injection) that begin when an idle CPU wakes are recorded" \
		after_idle $injection $kind
	put 0 trace_latency
done

# Handlers that run long on an idle CPU. Late ticks of an idle CPU do not count: only NMIs tell the
# kind of the window. Without NMIs, all are softirq windows. A CPU that is monitored alone has ticks
# of its own, and there is no CPU to send it an IPI. On PREEMPT_RT since 6.13, a tasklet does not
# delay timers, which have a thread of their own.
kinds="idle_softirq:softirq:inject_softirq idle_handler:hardirq:inject_handler"
[ "$CPU" = 0 ] || kinds="$kinds idle_ipi:hardirq:inject_ipi"
[ "$CPU" = 0 ] || rt || kinds="$kinds idle_tasklet:softirq:inject_long_tasklet"
for words in $kinds; do
	injection=${words%%:*}
	kind=${words#*:}
	kind=${kind%:*}
	[ "$CPU" = 0 ] || has_samples || kind=softirq
	# The handler may run on top of a softirq. Before 6.0, that is a softirq window: checks send no IPI,
	# which would have to wait.
	[ "$injection" != idle_ipi ] || ! hides_softirqs || kind=any
	expect "$COUNT windows ($injection) on an idle CPU are recorded" \
		after_idle "$injection" "$kind"
	[ "$CPU" = 0 ] || expect_sample "$COUNT windows ($injection) on an idle CPU are sampled" \
		each_sampled "${words##*:}" "$kind"
	put 0 trace_latency
done

# sampled_soon: COUNT windows have their first sample within 600 ms. At a threshold of 50 ms, a watcher
# checks every 50 ms while all CPUs are idle: the first check sees that the CPU has woken, the second
# that it is stuck. A busy host may delay the watcher.
sampled_soon() {
	same "$COUNT" "$(records kind=hardirq cpu="$CPU" |
		sed -n 's/ sample=\([0-9]*\):[^ ]*inject_split_spend.*/ \1/p' |
		awk '$NF <= 600000000' | wc -l)"
}

# watchers_due INTERVAL_NS: when in the interval each watcher will check next
watchers_due() {
	awk -v interval="$1" '/, watch_timer_fn/ {
		getline
		print $4 % interval
	}' /proc/timer_list | sort -n | tr '\n' ' '
}

# All CPUs are idle, and the watchers are slow.
if [ "$CPU" -gt 0 ]; then
	sleep 1
	inject split 900000 "$CPU"
	expect_sample "a window that begins when all CPUs are idle has samples" \
		await eval 'records | grep -q " sample=[^ ]*inject_split_spend"'

	put 0 trace_latency
	background taskset -c "$CPU" "$selftests/bin/sleeper" 20000
	for _ in $(seq "$COUNT"); do
		# Wait until the watchers are slow again, and begin at any time between two checks.
		sleep "1.$(random 10)$(random 10)"
		inject split 900000 "$CPU"
	done
	stop_background
	expect_sample "windows of a CPU that often wakes are sampled soon" await sampled_soon

	# A watcher that is woken only by its own timer or an IPI is not busy, and must not be
	# replaced. A former version replaced it, and sent 5,000 IPIs a second.
	spin 0
	ipis=$(interrupts_in 1 "$IPI")
	note "$ipis IPIs in a second"
	expect_sample "while one CPU is busy, the others send few IPIs" \
		between 0 "$ipis" $((100 * CPUS))

	trace 10ms 20ms
	expect "two watchers check in turn, each at a quarter of the threshold" \
		await eval 'same "0 2500000 " "$(watchers_due 5000000)"'
fi
finish

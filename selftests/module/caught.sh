#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# long: smp COUNT=100
# Samples inside hardirq windows, COUNT windows (default 30, on debug 10); and the file "active"
# while a softirq window is open. stuck_before.sh tests it with interrupts off.
. "$(dirname "$0")/../module.sh"
start_test

need_nmi
make_tmp

COUNT=${COUNT:-$(fewer 30 10)}

trace 10ms 50ms
inject_times "$COUNT" spinlock 120000 "$CPU"
note "$(records kind=hardirq | samples | wc -l) samples in $(count) windows," \
	"$(value nmi_sent status) NMIs sent"
expect "$COUNT windows are recorded" same "$COUNT" "$(made_by inject_spinlock "$CPU" | wc -l)"
expect "all windows but 1, plus 1 in 100, have a sample with the function that took the time" \
	test "$(made_by inject_spinlock "$CPU" | grep -c " sample=[^ ]*inject_spinlock_inner")" \
	-ge $((COUNT - 1 - COUNT / 100))
# While interrupts are off, the task is in inject_spinlock_inner(). When they are on again, it is in
# a loop of inject_spinlock(). Samples of interrupt handlers that run before the late tick are
# correct: the window is open until that tick.
expect "no sample was taken with interrupts on or has frames of the NMI" same "" \
	"$(records | grep inject_spinlock | samples |
		grep -E 'inject_spinlock\[irqoff_inject\]$|nmi')"
expect "the report shows the samples below the end stack" \
	grep -qE '^     AT: \+[0-9.]+ms COMMAND: [^ ]+ PID: [0-9]+ CONTEXT: task$' \
	"$P/trace_latency"

# Open windows, read on another CPU. Records of before would be slow to read, while a window is open.
put 50 trace_latency
put 0 trace_latency
# Another task waits for the CPU, but that time is not shown a second time as a nosched window.
spin "$CPU"
# active is read while softirqs are disabled. Nothing may run on this CPU until they are enabled again
# (seen on 6.12-rt: the record was there before the first read). Then it is done once more.
read_active() {
	cat "$P/active" >"$tmp/active"
	grep -q "^seq=0 kind=softirq .* state=bh-off comm=[^ ]* pid=$injector .*sample=" "$tmp/active"
}
read_active_or_late() {
	read_active || recorded kind=softirq "pid=$injector"
}
for attempt in 1 2 3; do
	inject bh 2000000 "$CPU" &
	injector=$!
	await read_active_or_late
	! grep -q " pid=$injector " "$tmp/active" || break
	note "attempt $attempt: active was read too late"
	wait "$injector"
done
expect "active shows an open softirq window" grep -q " state=bh-off .* pid=$injector " "$tmp/active"
expect "active shows the function that has softirqs disabled" grep -q ';inject_bh\[' "$tmp/active"
expect "active shows no other window" same 1 "$(grep -c . "$tmp/active")"
wait "$injector"
stop_background

# With a period of 1 s, a CPU still ticks at least every 10 ms while it is busy, and misses no tick.
trace 1s 2s
sent=$(value nmi_sent status)
sleep 3
expect "no NMI is sent to a CPU that ticks" same "$sent" "$(value nmi_sent status)"

# For a backtrace, the kernel sends NMIs to all CPUs.
echo l >/proc/sysrq-trigger
expect "NMIs of the kernel reach their handlers" await sh -c \
	"dmesg | grep -q 'NMI backtrace for cpu $CPU'"
# While the kernel prints, a CPU may be stuck long enough for a sample: wait until its NMI is taken.
expect "NMIs of the kernel are not counted as taken" await nmis_taken
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock
# Programs that follow the files records and active: reads at the end of the file, reads after a
# given record, poll(2), epoll(7), and an unload while a file is polled.
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 2
hurry_rcu

OUT=/tmp/poller.$$

numbers() {
	sed 's/^seq=\([0-9]*\) .*/\1/' | tr '\n' ' '
}

# after NUMBER: the numbers of the records behind that number
after() {
	{
		printf '%s' "$1" >&4
		numbers <&4
	} 4<>"$P/records"
}

poller() {
	# An earlier one has printed "waiting", too.
	rm -f $OUT
	"$selftests/bin/poller" "$@" >$OUT 2>&1 &
	poller=$!
	await grep -q waiting $OUT
}

# wait_for_poller: set $status to its exit status
wait_for_poller() {
	status=0
	wait $poller || status=$?
}

# No nosched windows: 5.10 looks for the function of a kprobe for 240 ms without cond_resched().
put 0 nosched
trace_all 10ms 100ms
exec 3<"$P/records"
inject_times 2 hardirq 150000 "$CPU"
expect "a read returns all records" await same "1 2 " "$(numbers <&3)"
expect "a read at the end returns nothing" same "" "$(numbers <&3)"
inject hardirq 150000 "$CPU"
expect "a read at the end returns newer records" same "3 " "$(numbers <&3)"
exec 3<&-

expect "after a write of 1, a read begins with record 2" same "2 3 " "$(after 1)"
expect "after a write of 0, a read returns all records" same "1 2 3 " "$(after 0)"
expect "after a write of 1000, a read returns nothing" same "" "$(after 1000)"
expect "a write changes nothing for others" same "1 2 3 " "$(numbers <"$P/records")"
for nr in 1 100; do
	exec 3<>"$P/records"
	dd bs=100 count="$nr" <&3 >/dev/null 2>&1
	echo 2 >&3
	expect "after $nr reads of 100 bytes, a write of 2 lets the next read begin with record 3" \
		same "3 " "$(numbers <&3)"
	exec 3<&-
done

# recorder_commit() fails once: record 4 is never complete.
echo "recorder_commit 1" >"$FAIL"
inject hardirq 150000 "$CPU"
echo off >"$FAIL"
inject hardirq 150000 "$CPU"
expect "a reader stops at a record that is being written" same "3 " "$(after 2)"
expect "a read can begin behind that record" same "5 " "$(after 4)"
put 0 trace_latency
expect "records refuses a text instead of a number" \
	fails_saying "Invalid argument" put_any 1x records
expect "a number that is too large is out of range" \
	fails_saying "out of range" put_any 9223372036854775807 records

for how in poll epoll; do
	poller $how "$P/records" 1
	inject hardirq 150000 "$CPU"
	wait_for_poller
	expect "$how: records has news with a new record" same 0 $status
	expect "$how: a read returns the new record only" \
		same "$(tail -n 1 "$P/records")" "$(tail -n +3 $OUT)"
done

# The first change is the threshold, the second is the end.
for how in poll epoll; do
	poller $how "$P/active" 2
	inject hardirq 1000000 "$CPU"
	wait_for_poller
	expect "$how: active has news twice" same 0 $status
	expect "$how: at the first time, the window is open; at the second, it has ended" \
		same "waiting news cpu=$CPU news" "$(grep -oE '^(waiting|news)| cpu=[0-9]+' $OUT | tr -s ' \n' ' ' | sed 's/ $//')"
done

# On PREEMPT_RT, most irq_work runs in a thread of the CPU, which cannot run now.
put 1 nosched
poller poll "$P/active" 1
inject preempt 1000000 "$CPU"
wait_for_poller
expect "a window that keeps tasks off the CPU is news while it is open" grep -q " cpu=$CPU " $OUT

# The shell of busybox polls before it reads.
expect "a file without news can be read" within 10 sh -c "! read -r line <$P/active"

poller epoll "$P/active" 1
expect "an epoll set with active can be shown" sh -c "cat /proc/$poller/fdinfo/* >$OUT.fdinfo"
expect "rmmod is refused while a file is polled" sh -c "! rmmod trace_irqoff 2>/dev/null"
kill $poller
wait $poller 2>/dev/null
expect "rmmod succeeds when no file is polled" unload
rm -f $OUT $OUT.fdinfo
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# Whom a record names: threads, tasks in user space, and which softirqs waited. (That the
# cgroup is that of the task is in windows.sh.)
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
[ -x "$selftests/bin/thread" ] || skip_all "bin/thread has not been built"
stay_on_cpu0
plan 11

# made FUNCTION: the records of the windows of that function
made() {
	records cpu=1 | grep "[;=]$1\["
}

# vectors FUNCTION: those that waited in its window
vectors() {
	await made "$1" >/dev/null
	made "$1" | field pending
}

# waits VECTOR FUNCTION
waits() {
	vectors "$2"
	vectors "$2" | tr , '\n' | grep -qx "$1"
}

# Packets go through NET_RX of CPU 1, without a task there.
packets_to_cpu1() {
	echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus
	ping -c 3 -i 0.1 -W 1 127.0.0.1
} >/dev/null 2>&1

# Of the looks into a window of CPU 1, one a line, the later ones too.
pending_later() {
	sed -n 's/.*+ms STATE: bh-off PENDING: \([^ ]*\) .*/\1/p' $P/trace_latency
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"
ids=$("$selftests/bin/thread" "$INJECT" "spinlock 120000 1")
expect "a thread has another pid than its process" \
	test "${ids% *}" != "${ids#* }"
expect "the record has the pid of the thread, and the tgid of the process" \
	same "tgid=${ids% *} pid=${ids#* }" \
	"tgid=$(made inject_spinlock | field tgid) pid=$(made inject_spinlock | field pid)"
expect "and so has the report" grep -qE \
	"COMMAND: thread PID: ${ids#* } .* TGID: ${ids% *}\$" $P/trace_latency

# A handler that runs long, when a task has been in user space for a while. It has returned when
# the tick comes, so that task is what the end shows. Five, as softirqs may run in between.
put 0 trace_latency
taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
sleep 0.1
inject_times 5 idle_handler 120000 1
kill $busy
in_user() {
	records kind=hardirq cpu=1 "pid=$busy" "tgid=$busy" stack=[user]
}
expect "a task in user space is named" test -n "$(in_user)"
expect_look "with the handler that kept it in a look" sh -c \
	"echo '$(in_user)' | grep ' sample=[^ ]*inject_handler'"
# The CPU was called as its tick was overdue, and answers when that has come.
expect "each of these windows is recorded once" test "$(count kind=hardirq cpu=1)" -le 5
expect "the report says so too" sh -c \
	"grep -A 1 'PID: $busy ' $P/trace_latency | grep -q '^     \[user\]'"

put 0 trace_latency
inject pending 120000 1
inject bh 120000 1
expect "a tasklet of high priority that was scheduled waits: HI" \
	waits HI inject_pending
expect "one of the other sort as well: TASKLET" waits TASKLET inject_pending
expect "and neither of them where none was scheduled" sh -c \
	"! echo '$(vectors inject_bh)' | grep -E '(^|,)(HI|TASKLET)(,|\$)'"

put 0 trace_latency
if rt; then
	skip "packets wait: NET_RX" "a thread takes packets that another CPU hands on (backlog NAPI)"
elif [ -e /sys/class/net/lo/queues/rx-0/rps_cpus ]; then
	packets_to_cpu1 &
	inject bh 900000 1
	wait $!
	await made inject_bh >/dev/null
	expect "packets wait: NET_RX" sh -c \
		"echo '$(pending_later)' | tr , '\n' | grep -qx NET_RX"
else
	skip "packets wait: NET_RX" "the kernel has no network"
fi
finish

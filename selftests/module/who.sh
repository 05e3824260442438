#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# The task that a record names: a thread, or a task in user space; and the softirqs that were
# pending. module/windows.sh tests the cgroup.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
[ -x "$selftests/bin/thread" ] || skip_all "bin/thread has not been built"
stay_on_cpu0

# made FUNCTION: the records of its windows
made() {
	records cpu=1 | grep "[;=]$1\["
}

# vectors FUNCTION: the softirq vectors that were pending in the window of FUNCTION
vectors() {
	await made "$1" >/dev/null
	made "$1" | field pending
}

# waits VECTOR FUNCTION: VECTOR was pending in the window of FUNCTION
waits() {
	vectors "$2"
	vectors "$2" | tr , '\n' | grep -qx "$1"
}

# packets_to_cpu1: NET_RX of CPU 1 gets packets, from a task on CPU 0
packets_to_cpu1() {
	echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus
	ping -c 3 -i 0.1 -W 1 127.0.0.1
} >/dev/null 2>&1

# pending_later: the pending vectors of each sample in softirq windows, one line per sample
pending_later() {
	sed -n 's/.*+ms STATE: bh-off PENDING: \([^ ]*\) .*/\1/p' $P/trace_latency
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"
ids=$("$selftests/bin/thread" "$INJECT" "spinlock 120000 1")
expect "the record has the pid of the thread, and the tgid of the process" \
	same "tgid=${ids% *} pid=${ids#* }" \
	"tgid=$(made inject_spinlock | field tgid) pid=$(made inject_spinlock | field pid)"
expect "the report has the pid of the thread, and the tgid of the process" grep -qE \
	"COMMAND: thread PID: ${ids#* } .* TGID: ${ids% *}\$" $P/trace_latency

# A handler that runs long interrupts a task in user space. The handler has returned when the late
# tick runs, so the end stack shows the task. Five windows, because softirqs may run before the
# tick.
put 0 trace_latency
taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
sleep 0.1
inject_times 5 idle_handler 120000 1
kill $busy
in_user() {
	records kind=hardirq cpu=1 "pid=$busy" "tgid=$busy" stack=[user]
}
expect "the record names a task in user space" test -n "$(in_user)"
expect_sample "a sample shows the handler that interrupted the task" sh -c \
	"echo '$(in_user)' | grep ' sample=[^ ]*inject_handler'"
# The late tick makes the record. The watcher, which finds the CPU alive after that, must not make
# another.
expect "each of these windows is recorded at most once" test "$(count kind=hardirq cpu=1)" -le 5
expect "the report names the task in user space" sh -c \
	"grep -A 1 'PID: $busy ' $P/trace_latency | grep -q '^     \[user\]'"

put 0 trace_latency
inject pending 120000 1
inject bh 120000 1
expect "a scheduled tasklet of high priority is pending: HI" waits HI inject_pending
expect "a scheduled tasklet is pending: TASKLET" waits TASKLET inject_pending
expect "without a scheduled tasklet, neither HI nor TASKLET is pending" sh -c \
	"! echo '$(vectors inject_bh)' | grep -E '(^|,)(HI|TASKLET)(,|\$)'"

put 0 trace_latency
if rt; then
	skip "packets are pending: NET_RX" "a thread takes packets from other CPUs (backlog NAPI)"
elif [ -e /sys/class/net/lo/queues/rx-0/rps_cpus ]; then
	packets_to_cpu1 &
	inject bh 900000 1
	wait $!
	await made inject_bh >/dev/null
	expect "packets are pending: NET_RX" sh -c \
		"echo '$(pending_later)' | tr , '\n' | grep -qx NET_RX"
else
	skip "packets are pending: NET_RX" "the kernel has no network"
fi
finish

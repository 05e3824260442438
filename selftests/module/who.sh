#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# The task that a record names: a thread, or a task in user space; and the softirqs that were
# pending. module/windows.sh tests the cgroup.
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 2

# made FUNCTION: the records of its windows
made() {
	records cpu=1 | grep "[;=]$1\["
}

trace 10ms 50ms
await runs_on
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
spin 1
busy=$!
sleep 0.1
inject_times 5 idle_handler 120000 1
stop_background
in_user() {
	records kind=hardirq cpu=1 "pid=$busy" "tgid=$busy" stack=[user]
}
expect "the record names a task in user space" test -n "$(in_user)"
expect_sample "a sample shows the handler that interrupted the task" sh -c \
	"echo '$(in_user)' | grep ' sample=[^ ]*inject_handler'"
# The late tick makes the record. The watcher then finds the CPU alive, and must not make another.
expect "each of these windows is recorded at most once" test "$(count kind=hardirq cpu=1)" -le 5
expect "the report names the task in user space" sh -c \
	"grep -A 1 'PID: $busy ' $P/trace_latency | grep -q '^     \[user\]'"

put 0 trace_latency
inject pending 120000 1
inject bh 120000 1
await made inject_bh >/dev/null
expect "a scheduled tasklet of high priority is pending: HI" \
	eval 'made inject_pending | field pending | grep -E "^HI(,|$)"'
expect "without a scheduled tasklet, neither HI nor TASKLET is pending" \
	eval '! made inject_bh | field pending | grep -E "(^|,)(HI|TASKLET)(,|$)"'
# tasklets: for each sample of that window, whether a tasklet was pending: 0 or 1
tasklets() {
	sed -n 's/.*+ms STATE: bh-off PENDING: \(HI[^ ]*\) .*/\1/p' $P/trace_latency |
		awk '{ print /,TASKLET/ + 0 }'
}
expect "in the middle, a tasklet is scheduled: only later samples have TASKLET" \
	same "0 1 " "$(tasklets | uniq | tr '\n' ' ')"
finish

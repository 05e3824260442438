# SPDX-License-Identifier: GPL-2.0
#
# Tasks, cgroups and kinds of windows in words for people, which the outputs share.

# A name chosen by a task: with quotes if it could be taken for other words of the report.
function comm_of(t) {
	return task_comm[t] ~ /[ ,()"]/ ? "\"" task_comm[t] "\"" : task_comm[t]
}

function with_pid(t) {
	return comm_of(t) " (PID " task_pid[t] ")"
}

# PID 0 is what a CPU has when it has nothing to do: swapper/3. "-": a kernel log does not say which task it was.
function task(t) {
	if (task_pid[t] == 0 && task_comm[t] == "-")
		return "a task that the log does not name"
	return (task_pid[t] == 0 ? "the idle task " : "task ") with_pid(t)
}

function within(context, tasks) {
	return context ~ /^(task|idle)$/ ? tasks : (context == "softirq" ? "a softirq" : "an interrupt") " handler, on top of " tasks
}

function named(c) {
	return c_function[c] (c_context[c] == "" ? "" : ", in " who(c))
}

function has_main_task(c) {
	return c_comms[c] > 1 && comm_ns[c, task_comm[c_main_task[c]]] * 2 > c_total_ns[c]
}

function who(c,	last) {
	last = with_pid(c_task[c])
	if (c_context[c] == "mixed")
		return "several contexts, last " last
	if (c_context[c] == "idle")
		return c_comms[c] == 1 ? task(c_task[c]) : \
			"the idle task of " plural(c_nr_cpus[c], "CPU")
	if (c_context[c] != "task")
		return within(c_context[c], c_comms[c] == 1 ? task(c_task[c]) : \
			c_comms[c] " tasks, last " last)
	# One task has two names after exec().
	if (c_comms[c] > 1 && c_pids[c] == 1)
		return task(c_task[c])
	if (c_comms[c] > 1)
		return plural(c_pids[c], "task") (has_main_task(c) ? ", mostly " with_pid(c_main_task[c]) : ", last " last)
	return c_pids[c] == 1 ? task(c_task[c]) : \
		"task " comm_of(c_task[c]) " (" c_pids[c] " PIDs, last " task_pid[c_task[c]] ")"
}

BEGIN {
	# mawk has no "{4}".
	hex4 = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
	hex32 = hex4 hex4 hex4 hex4 hex4 hex4 hex4 hex4
	# A static pod has 32 digits, all others have a UUID.
	pod_pattern = "pod(" hex4 hex4 "[-_]" hex4 "[-_]" hex4 "[-_]" hex4 "[-_]" hex4 hex4 hex4 "|" hex32 ")"
	container_pattern = hex32 hex32
}

function place(cgroup,	path, name) {
	if (cgroup == 1)
		return "cgroup 1 (/)"
	if (!(cgroup in cgroup_path))
		return "cgroup " cgroup
	path = cgroup_path[cgroup]
	if (path == "")
		return "cgroup " cgroup " (gone)"
	name = pod_of(cgroup)
	return "cgroup " path (name == "" ? "" : ", pod " name) \
		(match(path, container_pattern) ? ", container " substr(path, RSTART, 12) : "")
}

# What follows a task: its cgroup, unless it has none, or a kernel log does not say which.
function in_place(cgroup) {
	return cgroup == 0 ? "" : ", " place(cgroup)
}

function held(kind) {
	return kind == "hardirq" ? "interrupts off" : kind == "softirq" ? "softirqs delayed" : \
	       "tasks delayed"
}

# held() of window w. A CPU that was paused may have had interrupts on.
function held_in(w) {
	return is_paused(win_task[w]) ? "stopped" : held(win_kind[w])
}

# "hardirq,softirq"
function kinds_of(c,	i, text) {
	text = ""
	for (i = 1; i <= nr_kinds; i++)
		if ((c, kind_name[i]) in c_kind_ns)
			text = text (text == "" ? "" : ",") kind_name[i]
	return text == "" ? "-" : text
}

# held() of culprit c: all its kinds.
function held_by(c,	i, n, kind, text) {
	if (c_reason[c] == "paused")
		return "stopped"
	n = split(kinds_of(c), kind, ",")
	text = held(kind[1])
	for (i = 2; i <= n; i++)
		text = text ", " held(kind[i])
	return kind[1] == "-" ? "waited for" : text
}

function why_held(state) {
	return state == "irq-off" ? "interrupts were off" : \
	       state == "serving" ? "a handler was running" : \
	       state == "irq-on" ? "an NMI found interrupts on" : \
	       state == "paused" ? "the CPU executed nothing" : \
	       state ~ /^(un(sampl|dump)ed|unknown)$/ ? "not sampled" : \
	       state == "bh-off" ? "softirqs were disabled" : \
	       state == "ksoftirqd" ? "ksoftirqd had to run them, and did not get the CPU" : \
	       state == "preempt-off" ? "preemption was off" : \
	       state == "stuck" ? "no other task could run" : \
	       state == "no-resched" ? "kernel code without cond_resched()" : state
}

function lasted(w, more) {
	return w in win_begin_unseen ? \
		"at least " duration(win_latency_ns[w]) ", since before tracing started" : \
		duration(win_latency_ns[w]) more
}

# SPDX-License-Identifier: GPL-2.0
#
# Tasks, cgroups and windows in words for people, which the outputs share.

# PID 0 is what a CPU has when it has nothing to do: swapper/3.
function task_named(comm, pid) {
	return (pid == "0" ? "the idle task " : "task ") comm " (PID " pid ")"
}

function within(context, tasks) {
	return context ~ /^(task|idle)$/ ? tasks : \
		(context == "softirq" ? "a softirq" : "an interrupt") " handler, on top of " tasks
}

# What culprit c is called, and in which tasks it was.
function named(c) {
	return c_function[c] (c_context[c] == "" ? "" : ", in " who(c))
}

# The tasks of culprit c.
function who(c,	last, cpu) {
	last = ", last " c_comm[c] " (PID " c_pid[c] ")"
	if (c_context[c] == "idle" && c_comms[c] > 1)
		return "the idle task of " plural(split(c_cpus[c], cpu, ","), "CPU")
	if (c_context[c] !~ /^(task|idle)$/)
		return within(c_context[c], c_comms[c] > 1 ? c_comms[c] " tasks" last : \
			task_named(c_comm[c], c_pid[c]))
	if (c_comms[c] > 1)
		return plural(c_pids[c], "task") last
	return c_pids[c] == 1 ? task_named(c_comm[c], c_pid[c]) : \
		"task " c_comm[c] " (" c_pids[c] " PIDs, last " c_pid[c] ")"
}

# The path of a pod's cgroup has the UID of the pod and the ID of the container.
function place(id) {
	return "cgroup " (id == 1 ? "1 (/)" : !(id in cgroup_path) ? id : \
		cgroup_path[id] == "" ? id " (gone)" : cgroup_path[id])
}

function held(kind) {
	return kind == "hardirq" ? "interrupts off" : kind == "softirq" ? "softirqs delayed" : \
		"both kinds"
}

# The culprit of one window alone.
function own_culprit(w,	p, anchor, name) {
	if (is_stolen(w) && !win_open[w])
		return nobody_text["stolen"]
	p = share_path[win_main_share[w]]
	anchor = share_anchor[win_main_share[w]]
	if (path_impossible[p])
		return nobody_text[path_in_user[p] ? "stopped" : "handler"]
	if (path_waits[p] == "lock")
		return "waits for a lock in " work_frame(p)
	name = anchor ? frame_of(p, anchor) : work_frame(p)
	return name != "-" ? name : "[unknown]"
}

# The same, and in which task it was.
function own_culprit_in(w,	s, p) {
	s = win_main_share[w]
	p = share_path[s]
	return own_culprit(w) (path_impossible[p] || is_stolen(w) && !win_open[w] ? "" : ", in " \
		within(path_context[p], task_named(share_comm[s], share_pid[s])))
}

function why_held(state) {
	return state == "serving" ? "a handler was running" : \
	       state == "bh-off" ? "softirqs were disabled" : \
	       state == "ksoftirqd" ? "left to ksoftirqd, which could not run" : state
}

# The bounds of a window's latency.
function length_of(w) {
	return win_begin_unseen[w] ? \
		"at least " duration(win_latency_ns[w]) ", since before tracing started" : \
		duration(win_latency_ns[w]) (win_open[w] ? " so far" : " to " duration_up(win_max_ns[w]))
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. Each sample stands for the time around
# it: to halfway to its neighbours. A window without samples only has the stack at its end.
#
# Owns shares of windows, one for each different sample:
#	share_path[s]
#	share_anchor[s]		frames of the path up to the function that ended the window
#	share_ns[s], share_samples[s] (0: the stack at the end), share_pid[s], share_comm[s]
# and for each window w:
#	win_share[w], win_last_share[w]		first and last of its shares
#	win_main_share[w]	the longest one; 0: an open window without samples has none
#	win_crowd[w]		ksoftirqd waited, and each sample is of another task
#	win_end_s[w]		seconds since base_s
#	win_wait_ns[w]		the share in which it waited for a lock or for other CPUs
#	win_waits[w]		for what most of that: lock or cpus
#	win_waiting[w]		it waited for at least half of the time

BEGIN {
	nr_shares = 0
	base_s = ""
}

# Whether the hypervisor did not run the CPU for at least half of the window.
function is_stolen(w) {
	return win_steal_ns[w] * 2 >= win_latency_ns[w]
}

# How many outer frames the samples of a window have in common, as far as path p has them, too.
function common_work(p, n, sample, stack,	i, common) {
	for (i = 1; i <= n; i++) {
		if (sample[i] == stack)
			continue
		common = common_stack(stack, sample[i])
		# A sample of another context does not shorten what the others have in common.
		if (work_depth(common, path_cut[p]))
			stack = common
	}
	return shared_work(p, stack, stack)
}

# The path of a sample in window w. Records of an older module have one task for the whole window.
function path_of_sample(w, stack, t) {
	if (t)
		return path_of(win_kind[w], task_context[t], task_comm[t], task_pid[t], task_cgroup[t], stack)
	return path_of(win_kind[w], win_state[w] == "serving" ? "softirq" : "", win_comm[w], \
		 win_pid[w], win_cgroup[w], stack)
}

function path_at_end(w) {
	return path_of(win_kind[w], "", win_comm[w], win_pid[w], win_cgroup[w], win_stack[w])
}

# Nothing but dispatch code: what it dispatched stands in the other samples, or at the end. The tick
# runs when interrupts come back on, so a tick at the end did not cause the window.
function says_nothing(w, p, offset_ns, is_last) {
	return !path_work[p] && !path_unknown[p] || \
	       is_last && path_is_tick[p] && win_kind[w] == "hardirq" && !win_open[w] && \
	       offset_ns >= win_latency_ns[w] * 0.9
}

function anchor_of_sample(w, p, n, sample, stack,	anchor) {
	anchor = win_open[w] ? 0 : shared_work(p, stack, win_stack[w])
	if (anchor)
		return anchor
	return path_context[p] == "task" ? common_work(p, n, sample, stack) : outermost_work(p)
}

function add_share(w, p, anchor, ns, samples, t) {
	win_last_share[w] = ++nr_shares
	share_path[nr_shares] = p
	share_anchor[nr_shares] = anchor
	share_ns[nr_shares] = ns
	share_samples[nr_shares] = samples
	share_pid[nr_shares] = t ? task_pid[t] : win_pid[w]
	share_comm[nr_shares] = t ? task_comm[t] : win_comm[w]
}

function divide_window(w,	n, i, s, p, t, ns, rest_ns, key, path, share, seen, offset_ns, stack, \
		task) {
	rest_ns = win_main_share[w] = 0
	win_share[w] = nr_shares + 1
	win_last_share[w] = nr_shares
	n = samples_of(w, offset_ns, stack, task)
	win_crowd[w] = n > 1 && win_state[w] == "ksoftirqd"
	for (i = 1; i <= n; i++) {
		t = task[i]
		key = stack[i] " " t
		# Often the same function runs in all samples.
		if (!(key in path))
			path[key] = path_of_sample(w, stack[i], t)
		p = path[key]
		if (win_crowd[w])
			win_crowd[w] = path_context[p] == "task" && is_new(seen, t ? task_pid[t] : win_pid[w])
		ns = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		if (says_nothing(w, p, offset_ns[i], i == n))
			rest_ns += ns
		else if (key in share) {
			share_ns[share[key]] += ns
			share_samples[share[key]]++
		} else {
			add_share(w, p, anchor_of_sample(w, p, n, stack, stack[i]), ns, 1, t)
			share[key] = nr_shares
		}
	}
	if (win_last_share[w] < win_share[w]) {
		if (n && (win_open[w] || !path_work[path_at_end(w)]))
			add_share(w, p, path_work[p], win_latency_ns[w], 1, t)
		else if (!win_open[w]) {
			p = path_at_end(w)
			add_share(w, p, path_work[p], win_latency_ns[w], 0, 0)
		}
		win_main_share[w] = win_last_share[w] < win_share[w] ? 0 : nr_shares
		return
	}
	for (s = win_main_share[w] = win_share[w]; s <= nr_shares; s++)
		if (share_ns[s] > share_ns[win_main_share[w]])
			win_main_share[w] = s
	share_ns[win_main_share[w]] += rest_ns
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p) {
	return path_context[p] ~ /^(task|idle)$/ && is_a("switch", stack_frame[path_stack[p]])
}

# For how long window w waited: for a lock, and for other CPUs.
function set_waits(w,	s, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	for (s = win_share[w]; s <= win_last_share[w]; s++)
		if (path_waits[share_path[s]] == "lock")
			lock_ns += share_ns[s]
		else if (path_waits[share_path[s]] == "cpus")
			cpus_ns += share_ns[s]
	win_wait_ns[w] = lock_ns + cpus_ns
	win_waits[w] = lock_ns >= cpus_ns ? "lock" : "cpus"
	win_waiting[w] = (win_nr_samples[w] || lock_ns) && win_wait_ns[w] * 2 >= win_latency_ns[w]
}

function attribute(w) {
	divide_window(w)
	if (win_open[w])
		return
	if (base_s == "")
		base_s = int(win_end[w] + 0)
	win_end_s[w] = win_end[w] - base_s
	set_waits(w)
	add_incident(w)
}

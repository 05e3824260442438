# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. Each sample stands for the time around
# it: to halfway to its neighbours. A window without samples only has the stack at its end.
#
# Owns, for each window w:
#	win_paths[w]		"PATH ANCHOR NS TASK SAMPLES ...", the longest share first. ANCHOR: see
#				anchor_of()
#	win_crowd[w]		1: ksoftirqd waited, and no task was sampled twice
# and for each ended window:
#	win_end_s[w]		seconds since base_s
#	win_wait_ns[w]		time that the window waited for a lock or for other CPUs
#	win_waits_for[w]		what most of this time was spent on: lock or cpus
#	win_is_waiter[w]		1: the window waited for at least half of its time

BEGIN {
	base_s = ""
	SHARE_PARTS = 5		# of win_paths
}

# Whether the hypervisor or firmware paused the CPU, as NMIs proved. t is the task at the end.
function is_paused(t) {
	return task_state[t] ~ /^(irq-on|paused)$/
}

# Why the record of window w alone names no culprit: paused, unsampled or stolen; or "".
function without_name(w) {
	if (is_paused(win_task[w]))
		return "paused"
	if (task_state[win_task[w]] == "unsampled")
		return "unsampled"
	# The hypervisor did not run the CPU for at least half of the window.
	return win_steal_ns[w] > 0 && win_steal_ns[w] * 2 >= win_latency_ns[w] ? "stolen" : ""
}

# The number of frames that the paths of all samples of the window share. A path is the stack without
# its "cut" outer frames.
function common_work(cut, n, stacks,	i, common) {
	common = stacks[1]
	for (i = 2; i <= n; i++)
		common = common_stack(common, stacks[i])
	return work_depth(common, cut)
}

# The anchor of path p: how many of its frames the sample's stack s shares with the stack at the end
# of window w. Functions that the anchor calls ran only in a part of the window. If nothing is shared,
# the anchor is what all samples of a task share, or the handler's own function. 0: no anchor.
function anchor_of(w, p, s, n, stacks,	anchor) {
	anchor = win_open[w] ? 0 : work_depth(common_stack(s, win_stack[w]), path_cut[p])
	if (anchor)
		return anchor
	return path_context[p] == "task" ? common_work(path_cut[p], n, stacks) : outermost_work(p)
}

# One path has the whole window.
function whole(w, p, t, is_sampled) {
	return p " " path_work[p] sprintf(" %.0f ", win_latency_ns[w]) t " " is_sampled
}

# The shares of window w. A sample that shows only dispatch code does not tell who ran: its time is
# added to the longest share.
function shares_of(w,	n, i, nr, longest, offset_ns, stack, by, p, ns, rest_ns, seen, works, \
		head, share_ns, task_of, samples, list) {
	if (without_name(w) != "") {
		# Neither the task nor the stack took the time.
		i = task_number("-,unknown,0,0,0,-")
		return whole(w, path_of(win_kind[w], i, stack_number("-")), i, 0)
	}
	nr = rest_ns = 0
	n = samples_of(w, offset_ns, stack, by)
	win_crowd[w] = n > 1 && task_state[win_task[w]] == "ksoftirqd"
	for (i = 1; i <= n; i++) {
		# Samples in a row with the same stack and task are one share.
		if (i == 1 || stack[i] != stack[i - 1] || by[i] != by[i - 1]) {
			p = path_of(win_kind[w], by[i], stack[i])
			works = path_work[p] || path_unknown[p]
			if (works) {
				head[++nr] = p " " anchor_of(w, p, stack[i], n, stack) " "
				share_ns[nr] = samples[nr] = 0
			}
		}
		win_crowd[w] = win_crowd[w] && !(by[i] in seen) && path_context[p] == "task"
		seen[by[i]] = 1
		ns = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		if (works) {
			share_ns[nr] += ns
			samples[nr]++
			task_of[nr] = by[i]
		} else
			rest_ns += ns
	}
	if (nr) {
		longest = 1
		for (i = 2; i <= nr; i++)
			if (share_ns[i] > share_ns[longest])
				longest = i
		share_ns[longest] += rest_ns
		list = ""
		for (i = 1; i <= nr; i++) {
			p = head[i] sprintf("%.0f ", share_ns[i]) task_of[i] " " samples[i]
			list = i == longest ? p (list == "" ? "" : " ") list : list (list == "" ? "" : " ") p
		}
		return list
	}
	if (n && (win_open[w] || !path_work[path_at_end(w)]))
		return whole(w, p, by[n], 1)
	return win_open[w] ? "" : whole(w, path_at_end(w), win_task[w], 0)
}

function path_at_end(w) {
	return path_of(win_kind[w], win_task[w], win_stack[w])
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p,	n, frame) {
	n = split(path_frames[p], frame, ";")
	return path_context[p] ~ /^(task|idle)$/ && n && is_a("switch", frame[n])
}

# For how long window w waited: for a lock, and for other CPUs.
function set_waits(w,	i, nr, part, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	nr = split(win_paths[w], part, " ")
	for (i = 1; i < nr; i += SHARE_PARTS)
		if (path_waits[part[i]] == "lock")
			lock_ns += part[i + 2]
		else if (path_waits[part[i]] == "cpus")
			cpus_ns += part[i + 2]
	win_wait_ns[w] = lock_ns + cpus_ns
	win_waits_for[w] = lock_ns >= cpus_ns ? "lock" : "cpus"
	win_is_waiter[w] = (win_nr_samples[w] || lock_ns) && win_wait_ns[w] * 2 >= win_latency_ns[w]
}

function attribute(w) {
	win_paths[w] = shares_of(w)
	if (win_open[w])
		return
	if (base_s == "")
		base_s = int(win_end[w] + 0)
	win_end_s[w] = win_end[w] - base_s
	set_waits(w)
	add_incident(w)
}

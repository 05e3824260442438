# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. Each sample stands for the time around it:
# to halfway to its neighbours. A window without samples only has the stack at its end.
#
# Owns, for each window w:
#	win_paths[w]		"PATH:ANCHOR:NS:PID:SAMPLED:COMM ...", the longest share first. ANCHOR is
#				the number of frames up to the function that ended the window
#	win_crowd[w]		ksoftirqd waited, and each sample is of another task
# and for each ended window:
#	win_end_s[w]		seconds since base_s
#	win_wait_ns[w]		the share in which it waited for a lock or for other CPUs
#	win_waits[w]		for what most of that: lock or cpus
#	win_waiting[w]		it waited for at least half of the time

BEGIN {
	base_s = ""
}

# Whether the hypervisor did not run the CPU for at least half of the window.
function is_stolen(w) {
	return win_steal_ns[w] * 2 >= win_latency_ns[w]
}

# The name may have colons.
function share_comm(share, part) {
	return substr(share, length(part[1] part[2] part[3] part[4] part[5]) + 6)
}

# How many outer frames the samples of a window have in common, as far as their paths have them, too.
function common_work(cut, n, sample, stack,	i, common) {
	for (i = 1; i <= n; i++) {
		if (sample[i] == stack)
			continue
		common = common_stack(stack, sample[i])
		# A sample of another context does not shorten what the others have in common.
		if (work_depth(common, cut))
			stack = common
	}
	return work_depth(stack, cut) ? work_depth(stack, cut) - cut : 0
}

# The path of a sample. "from" gets its cut, and the last parts of its share, PID and task.
function path_of_sample(w, stack, by_text, from,	by) {
	if (by_text != "-" && split_task(by_text, by)) {
		from["pid"] = by[3]
		from["task"] = by[3] ":1:" by["comm"]
		return path_of(win_kind[w], by[1], by["comm"], by[3], by[5], stack, from)
	}
	# Records of an older module have one task for the whole window.
	from["pid"] = win_pid[w]
	from["task"] = win_pid[w] ":1:" win_comm[w]
	return path_of(win_kind[w], win_kind[w] == "softirq" && win_state[w] == "serving" ? "softirq" : "", \
		       win_comm[w], win_pid[w], win_cgroup[w], stack, from)
}

# Nothing but dispatch code: what it dispatched stands in the other samples, or at the end. The tick runs
# when interrupts come back on, so a tick at the end did not cause the window.
function says_nothing(w, p, offset_ns, is_last) {
	return !path_work[p] && !path_unknown[p] || \
	       win_kind[w] == "hardirq" && path_is_tick[p] && is_last && !win_open[w] && \
	       offset_ns >= win_latency_ns[w] * 0.9
}

function anchor_of_sample(w, p, cut, n, sample, stack,	anchor) {
	anchor = win_open[w] ? 0 : anchor_of(cut, stack, win_stack[w])
	if (anchor)
		return anchor
	return path_context[p] == "task" ? common_work(cut, n, sample, stack) : outermost_work(p)
}

# The shares of the window in row w. Sets win_crowd[w]: ksoftirqd waited, and each sample is of another task.
function shares_of(w,	n, i, j, nr, offset_ns, sample, in_, p, ns, rest_ns, seen, from, \
		anchor, share_ns, head, tail, list) {
	nr = rest_ns = 0
	n = samples_of(w, offset_ns, sample)
	split(win_in[w], in_, " ")
	win_crowd[w] = n > 1 && win_state[w] == "ksoftirqd"
	for (i = 1; i <= n; i++) {
		# Often the same function runs in all samples.
		if (i == 1 || sample[i] != sample[i - 1] || in_[i] != in_[i - 1]) {
			p = path_of_sample(w, sample[i], in_[i], from)
			anchor = ""
		}
		win_crowd[w] = win_crowd[w] && !(from["pid"] in seen) && path_context[p] == "task"
		seen[from["pid"]] = 1
		ns = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		if (says_nothing(w, p, offset_ns[i], i == n)) {
			rest_ns += ns
			continue
		}
		if (anchor == "")
			anchor = anchor_of_sample(w, p, from["cut"], n, sample, sample[i])
		# Longest first.
		for (j = nr++; j > 0 && share_ns[j] < ns; j--) {
			share_ns[j + 1] = share_ns[j]
			head[j + 1] = head[j]
			tail[j + 1] = tail[j]
		}
		share_ns[j + 1] = ns
		head[j + 1] = p ":" anchor
		tail[j + 1] = from["task"]
	}
	list = ""
	for (j = 1; j <= nr; j++)
		list = list (j > 1 ? " " : "") head[j] ":" \
			sprintf("%.0f", share_ns[j] + (j == 1 ? rest_ns : 0)) ":" tail[j]
	if (nr)
		return list
	if (n && (win_open[w] || !path_work[path_at_end(w)]))
		return p ":" path_work[p] ":" sprintf("%.0f", win_latency_ns[w]) ":" from["task"]
	if (win_open[w])
		return ""
	p = path_at_end(w)
	return p ":" path_work[p] ":" sprintf("%.0f", win_latency_ns[w]) ":" win_pid[w] ":0:" win_comm[w]
}

function path_at_end(w,	from) {
	return path_of(win_kind[w], "", win_comm[w], win_pid[w], win_cgroup[w], win_stack[w], from)
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p,	n, frame) {
	n = split(path_frames[p], frame, ";")
	return path_context[p] ~ /^(task|idle)$/ && n && is_a("switch", frame[n])
}

# For how long window n waited: for a lock, and for other CPUs.
function set_waits(n,	i, nr, share, part, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	nr = split(win_paths[n], share, " ")
	for (i = 1; i <= nr; i++) {
		split(share[i], part, ":")
		if (path_waits[part[1]] == "lock")
			lock_ns += part[3]
		else if (path_waits[part[1]] == "cpus")
			cpus_ns += part[3]
	}
	win_wait_ns[n] = lock_ns + cpus_ns
	win_waits[n] = lock_ns >= cpus_ns ? "lock" : "cpus"
	win_waiting[n] = (win_nr_samples[n] || lock_ns) && win_wait_ns[n] * 2 >= win_latency_ns[n]
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

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. Each sample stands for the time around it:
# to halfway to its neighbours. A window without samples only has the stack at its end.
#
# Owns, for each ended window n = 1 ... nr_windows, in the order of their ends:
#	ended_paths[n]		"PATH:ANCHOR:NS:PID:SAMPLED:COMM ...", the longest share first. ANCHOR is
#				the number of frames up to the function that ended the window
#	ended_kind[n], ended_cpu[n], ended_ns[n], ended_end[n] (seconds since base_s), ended_time[n] (as text)
#	ended_samples[n]
#	ended_wait_ns[n]		the share in which it waited for a lock or for other CPUs
#	ended_waits[n]		for what most of that: lock or cpus
#	ended_waiting[n]		it waited for at least half of the time
#	ended_stack[n]		the number of the stack at its end
#	ended_crowd[n]		ksoftirqd waited, and each sample is of another task
#	ended_stolen[n]		the hypervisor reports that it did not run the CPU
# and the same for an open window, w, as win_paths[w].

BEGIN {
	base_s = ""
}

# Whether the hypervisor did not run the CPU for at least half of the window.
function is_stolen(w) {
	# Both are text.
	return win_steal_ns[w] * 2 >= win_latency_ns[w] + 0
}

# The name may have colons.
function share_comm(share, part) {
	return substr(share, length(part[1] part[2] part[3] part[4] part[5]) + 6)
}

# How many outer frames the samples of a window have in common, as far as their paths have them, too.
function common_work(p, cut, n, sample, stack,	i, j, m, depth, frame, other) {
	depth = split(stack_text[stack], frame, ";")
	for (i = 1; i <= n; i++) {
		m = split(stack_text[sample[i]], other, ";")
		for (j = 1; j <= depth && j <= m && frame[j] == other[j]; j++)
			;
		# A sample of another context does not shorten what the others have in common.
		if (innermost_work(frame, cut + 1, j - 1))
			depth = j - 1
	}
	i = innermost_work(frame, cut + 1, depth)
	return i ? i - cut : 0
}

# The task of sample i. Records of an older module have one task for the whole window.
function sample_task_of(w, text) {
	return text != "-" ? text : (win_kind[w] == "softirq" && win_state[w] == "serving" ? "softirq" : "") \
		"," win_state[w] "," win_pid[w] "," win_tgid[w] "," win_cgroup[w] "," win_comm[w]
}

# The key of a sample's path in these caches:
#	sample_path[key], sample_cut[key]	see path_of()
#	sample_pid[key], sample_task[key]	the last parts of its share
function key_of_sample(w, stack, by_text,	key, by, from) {
	key = win_kind[w] " " stack " " by_text
	if (!(key in sample_path)) {
		split_task(by_text, by)
		sample_path[key] = path_of(win_kind[w], by[1], by["comm"], by[3], by[5], stack, from)
		sample_cut[key] = from["cut"]
		sample_pid[key] = by[3]
		sample_task[key] = by[3] ":1:" by["comm"]
	}
	return key
}

# Nothing but dispatch code: what it dispatched stands in the other samples, or at the end. The tick runs
# when interrupts come back on, so a tick at the end did not cause the window.
function says_nothing(w, p, offset_ns, is_last) {
	return !path_work[p] && path_frames[p] !~ /\[(user|unknown)\]$/ || \
	       win_kind[w] == "hardirq" && path_is_tick[p] && is_last && !win_open[w] && \
	       offset_ns >= win_latency_ns[w] * 0.9
}

function anchor_of_sample(w, key, i, n, sample,	p, anchor) {
	p = sample_path[key]
	anchor = win_open[w] ? 0 : anchor_of(p, sample_cut[key], sample[i], win_stack[w])
	if (anchor)
		return anchor
	return path_context[p] == "task" ? common_work(p, sample_cut[key], n, sample, sample[i]) : outermost_work(p)
}

# The shares of the window in row w. Sets win_crowd[w]: ksoftirqd waited, and each sample is of another task.
function shares_of(w,	n, i, j, nr, offset_ns, sample, in_, key, p, ns, rest_ns, seen, from, share_ns, share_key, anchor, list) {
	nr = rest_ns = 0
	n = samples_of(w, offset_ns, sample)
	split(win_in[w], in_, " ")
	win_crowd[w] = n > 1 && win_state[w] == "ksoftirqd"
	for (i = 1; i <= n; i++) {
		key = key_of_sample(w, sample[i], sample_task_of(w, in_[i]))
		win_crowd[w] = win_crowd[w] && !(sample_pid[key] in seen) && path_context[sample_path[key]] == "task"
		seen[sample_pid[key]] = 1
		ns = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		if (says_nothing(w, sample_path[key], offset_ns[i], i == n)) {
			rest_ns += ns
			continue
		}
		# Longest first.
		for (j = nr++; j > 0 && share_ns[j] < ns; j--) {
			share_ns[j + 1] = share_ns[j]
			anchor[j + 1] = anchor[j]
			share_key[j + 1] = share_key[j]
		}
		share_ns[j + 1] = ns
		anchor[j + 1] = anchor_of_sample(w, key, i, n, sample)
		share_key[j + 1] = key
	}
	list = ""
	for (j = 1; j <= nr; j++)
		list = list (j > 1 ? " " : "") sample_path[share_key[j]] ":" anchor[j] ":" \
			sprintf("%.0f", share_ns[j] + (j == 1 ? rest_ns : 0)) ":" sample_task[share_key[j]]
	if (nr)
		return list
	if (!win_open[w]) {
		p = path_of(win_kind[w], "", win_comm[w], win_pid[w], win_cgroup[w], win_stack[w], from)
		if (path_work[p] || !n)
			return p ":" path_work[p] ":" win_latency_ns[w] ":" win_pid[w] ":0:" win_comm[w]
	}
	p = n ? sample_path[key] : 0
	return n ? p ":" path_work[p] ":" win_latency_ns[w] ":" sample_task[key] : ""
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p,	n, frame) {
	n = split(path_frames[p], frame, ";")
	return path_context[p] ~ /^(task|idle)$/ && n && is_a("switch", frame[n])
}

# For how long window n waited: for a lock, and for other CPUs.
function set_waits(n,	i, nr, share, part, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	nr = split(ended_paths[n], share, " ")
	for (i = 1; i <= nr; i++) {
		split(share[i], part, ":")
		if (path_waits[part[1]] == "lock")
			lock_ns += part[3]
		else if (path_waits[part[1]] == "cpus")
			cpus_ns += part[3]
	}
	ended_wait_ns[n] = lock_ns + cpus_ns
	ended_waits[n] = lock_ns >= cpus_ns ? "lock" : "cpus"
	ended_waiting[n] = (ended_samples[n] || lock_ns) && ended_wait_ns[n] * 2 >= ended_ns[n]
}

# An ended window in row w, or an open one.
function attribute(w,	n) {
	if (win_open[w]) {
		win_paths[w] = shares_of(w)
		return
	}
	n = nr_windows
	if (base_s == "")
		base_s = int(win_end[w] + 0)
	win_paths[w] = shares_of(w)
	ended_paths[n] = win_paths[w]
	ended_kind[n] = win_kind[w]
	ended_cpu[n] = win_cpu[w]
	ended_ns[n] = win_latency_ns[w] + 0
	ended_end[n] = win_end[w] - base_s
	ended_samples[n] = win_nr_samples[w]
	ended_time[n] = win_end[w]
	ended_stack[n] = win_stack[w]
	ended_crowd[n] = win_crowd[w]
	ended_stolen[n] = is_stolen(w)
	set_waits(n)
}

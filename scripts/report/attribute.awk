# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. Each sample stands for the time around it:
# to halfway to its neighbours. A window without samples only has the stack at its end.
#
# Owns, for each ended window n = 1 ... nr_windows, in the order of their ends:
#	held_paths[n]		"PATH:ANCHOR:NS:PID:SAMPLED:COMM ...", the longest share first. ANCHOR is
#				the number of frames up to the function that ended the window
#	held_kind[n], held_cpu[n], held_ns[n], held_end[n] (seconds since base_s), held_time[n] (as text)
#	held_samples[n]
#	held_wait_ns[n]		the share in which it waited for a lock or for other CPUs
#	held_waits[n]		for what most of that: lock or cpus
#	held_waiting[n]		it waited for at least half of the time
#	held_end_stack[n]	the number of the stack at its end
#	held_crowd[n]		ksoftirqd waited, and each sample is of another task
#	held_stolen[n]		the hypervisor reports that it did not run the CPU
# and the same for an open window, w, as win_paths[w].

BEGIN {
	base_s = ""
	nr_end_stacks = 0
}

# Whether the hypervisor made it: for half of the time or more it did not run the CPU.
function is_stolen(w) {
	# Both are text.
	return win_steal_ns[w] * 2 >= win_latency_ns[w] + 0
}

# Longest first.
function add_share(list, share, ns,	n, i, word, text) {
	n = split(list, word, " ")
	text = ""
	for (i = 1; i <= n && share_ns(word[i]) >= ns; i++)
		text = text word[i] " "
	text = text share
	for (; i <= n; i++)
		text = text " " word[i]
	return text
}

function share_ns(share,	part) {
	split(share, part, ":")
	return part[3] + 0
}

# The name may have colons.
function share_comm(share, part) {
	return substr(share, length(part[1] part[2] part[3] part[4] part[5]) + 6)
}

# How many outer frames the samples of a window have in common, as far as their paths have them, too.
function common_work(p, cut, n, sample, stack,	i, j, m, depth, frame, other) {
	depth = split(stack, frame, ";")
	for (i = 1; i <= n; i++) {
		m = split(sample[i], other, ";")
		for (j = 1; j <= depth && j <= m && frame[j] == other[j]; j++)
			;
		# Another context's sample says nothing of this one.
		if (innermost_work(frame, cut + 1, j - 1))
			depth = j - 1
	}
	i = innermost_work(frame, cut + 1, depth)
	return i ? i - cut : 0
}

# The shares of the window in row w. Sets win_crowd[w]: ksoftirqd waited, and each sample is of another task.
function shares_of(w, end_number,	n, i, offset_ns, sample, in_, by, context, pid, cgroup, comm, \
		from, p, ns, rest_ns, seen, is_crowd, anchor, list) {
	list = ""
	rest_ns = 0
	is_crowd = win_state[w] == "ksoftirqd"
	n = samples_of(w, offset_ns, sample)
	split(win_in[w], in_, " ")
	for (i = 1; i <= n; i++) {
		if (split_task(in_[i], by)) {
			context = by[1]
			pid = by[3]
			cgroup = by[5]
			comm = by["comm"]
		} else {
			# Records of an older module have one task for the whole window.
			context = win_kind[w] == "softirq" && win_state[w] == "serving" ? "softirq" : ""
			pid = win_pid[w]
			cgroup = win_cgroup[w]
			comm = win_comm[w]
		}
		p = path_of(win_kind[w], context, comm, pid, cgroup, sample[i], from)
		ns = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		is_crowd = is_crowd && n > 1 && !(pid in seen)
		seen[pid] = 1
		# Nothing but dispatch code: what it dispatched stands in the other samples, or at the end. And the
		# tick runs when interrupts come back on: it did not cause the window.
		if (!path_work[p] && path_frames[p] !~ /\[(user|unknown)\]$/ || \
		    win_kind[w] == "hardirq" && path_is_tick[p] && i == n && !win_open[w] && \
		    offset_ns[i] >= win_latency_ns[w] * 0.9) {
			rest_ns += ns
			continue
		}
		anchor = win_open[w] ? 0 : anchor_of(p, from["cut"], sample[i], win_stack[w], end_number)
		if (!anchor)
			anchor = path_context[p] == "task" ? \
				common_work(p, from["cut"], n, sample, sample[i]) : outermost_work(p)
		list = add_share(list, p ":" anchor ":" sprintf("%.0f", ns) ":" pid ":1:" comm, ns)
	}
	if (rest_ns && list != "") {
		split(list, in_, " ")
		split(in_[1], by, ":")
		list = by[1] ":" by[2] ":" sprintf("%.0f", by[3] + rest_ns) \
			substr(list, length(by[1] by[2] by[3]) + 3)
	}
	win_crowd[w] = n && is_crowd
	if (list == "" && !win_open[w]) {
		p = path_of(win_kind[w], "", win_comm[w], win_pid[w], win_cgroup[w], win_stack[w], from)
		if (path_work[p] || !n)
			return p ":" path_work[p] ":" win_latency_ns[w] ":" win_pid[w] ":0:" win_comm[w]
	}
	if (list == "" && n) {
		p = path_of(win_kind[w], context, comm, pid, cgroup, sample[n], from)
		list = p ":" path_work[p] ":" win_latency_ns[w] ":" pid ":1:" comm
	}
	return list
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p,	n, frame) {
	n = split(path_frames[p], frame, ";")
	return path_context[p] ~ /^(task|idle)$/ && n && is_a("switch", frame[n])
}

# For how long window n waited: for a lock, and for other CPUs.
function set_waits(n,	i, nr, share, part, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	nr = split(held_paths[n], share, " ")
	for (i = 1; i <= nr; i++) {
		split(share[i], part, ":")
		if (path_waits[part[1]] == "lock")
			lock_ns += part[3]
		else if (path_waits[part[1]] == "cpus")
			cpus_ns += part[3]
	}
	held_wait_ns[n] = lock_ns + cpus_ns
	held_waits[n] = lock_ns >= cpus_ns ? "lock" : "cpus"
	held_waiting[n] = held_samples[n] && held_wait_ns[n] * 2 >= held_ns[n]
}

# An ended window in row w, or an open one.
function attribute(w,	n, end_number) {
	if (win_open[w]) {
		win_paths[w] = shares_of(w, 0)
		return
	}
	n = nr_windows
	if (base_s == "")
		base_s = int(win_end[w] + 0)
	if (!(win_stack[w] in known_end_stack))
		known_end_stack[win_stack[w]] = ++nr_end_stacks
	end_number = known_end_stack[win_stack[w]]
	win_paths[w] = shares_of(w, end_number)
	held_paths[n] = win_paths[w]
	held_kind[n] = win_kind[w]
	held_cpu[n] = win_cpu[w]
	held_ns[n] = win_latency_ns[w] + 0
	held_end[n] = win_end[w] - base_s
	held_samples[n] = win_nr_samples[w]
	held_time[n] = win_end[w]
	held_end_stack[n] = end_number
	held_crowd[n] = win_crowd[w]
	held_stolen[n] = is_stolen(w)
	set_waits(n)
}

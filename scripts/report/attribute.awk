# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A window's time is divided among the paths of its samples. A window without samples only has the
# stack at its end.
#
# Owns:
#	win_paths[w]	"PATH ANCHOR NS TASK SAMPLES POSITION ...", the longest share first; see anchor_of().
#			POSITION is of the function that went on; 0: it is not known
#	win_crowd[w]	set: ksoftirqd waited, no task was sampled twice, and they share no function
#	known_depth[path, stack]	see depth_of_shared(); a cache
#	open_key[w], first_open[key]	of open windows: kind and culprit, which are printed once; the first row
#	win_end_s[w]	of ended windows: seconds since base_s
#	win_wait_ns[w], win_waits_for[w]	of waiters: for how long at least half of the time went to a lock
#			or to other CPUs; which of them took more, lock or cpus
#	win_lock[w], win_last_wait_ns[w]	of those that waited for a lock: its name if all samples in a wait have
#			one, or ""; the offset of the last of these samples

BEGIN {
	base_s = ""
	SHARE_PARTS = 6		# of win_paths
}

# Whether NMIs proved that the CPU executed nothing, or that its timer was late. t is the task at the end.
function is_paused(t) {
	return task_state[t] == "irq-on" || task_state[t] == "paused"
}

# Why the record of window w alone names no culprit: paused, unsampled, undumped, not-run or stolen; or "".
function without_name(w) {
	if (is_paused(win_task[w]))
		return "paused"
	if (task_state[win_task[w]] ~ /^(unsampled|undumped|not-run)$/)
		return task_state[win_task[w]]
	# The hypervisor did not run the CPU for at least half of the window.
	return w in win_steal_ns && win_steal_ns[w] * 2 >= win_latency_ns[w] ? "stolen" : ""
}

# The position in path p of the innermost function that may be the culprit, of the frames that p shares with
# a path or with what paths share; 0: none.
function depth_of_shared(p, stack,	shared, depth) {
	if (!((p, stack) in known_depth)) {
		shared = common_stack(path_stack[p], stack)
		depth = work_depth(shared, 0)
		known_depth[p, stack] = depth ? depth + position_by_name(p, frame_at(shared, 1)) - 1 : 0
	}
	return known_depth[p, stack]
}

# The anchor of path p of a sample: step 5 of Documentation/attribution.md. "shared" is
# what the "nr" samples in this context share. Of a single sample, it is the task's innermost function,
# or the handler's own one. 0: no anchor.
function anchor_of(p, end, shared, nr,	at_end, anchor, frame) {
	at_end = end ? depth_of_shared(p, end) : 0
	if (nr == 1 && !at_end && path_context[p] !~ /^(task|idle)$/)
		return outermost_work(p)
	anchor = nr > 1 || !at_end ? depth_of_shared(p, shared) : 0
	if (!at_end || anchor <= at_end)
		return anchor > at_end ? anchor : at_end
	split(path_frames[p], frame, ";")
	while (++at_end < anchor && (is_helping(frame[at_end]) || is_a("common", frame[at_end])))
		;
	return at_end
}

function whole(w, p, t, samples) {
	return p " " path_work[p] sprintf(" %.0f ", win_latency_ns[w]) t " " samples " 0"
}

function are_different_tasks(n, by, path,	i, seen) {
	for (i = 1; i <= n; i++) {
		if (by[i] in seen || path_context[path[i]] != "task")
			return 0
		seen[by[i]] = 1
	}
	return 1
}

# The shares of window w. A sample that shows only dispatch code does not tell who ran: its time is
# added to the longest share, and its own share has none.
function shares_of(w,	n, i, nr, nr_works, longest, offset_ns, stack, by, p, ns, rest_ns, works, head, share_ns, \
		task_of, samples, list, context, path, shared, nr_shared, moved, position, position_of_share, end) {
	if (without_name(w) != "") {
		# Neither the task nor the stack took the time.
		i = task_number("-,unknown,0,0,0,-")
		return whole(w, path_of(win_kind[w], i, stack_number("-")), i, 0)
	}
	nr = nr_works = rest_ns = 0
	n = samples_of(w, offset_ns, stack, by, moved)
	for (i = 1; i <= n; i++) {
		p = path[i] = path_of(win_kind[w], by[i], stack[i])
		ns[i] = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
		context = path_context[p]
		if (context in nr_shared)
			shared[context] = common_stack(shared[context], path_stack[p])
		else
			shared[context] = path_stack[p]
		nr_shared[context]++
	}
	if (n > 1 && task_state[win_task[w]] == "ksoftirqd" && are_different_tasks(n, by, path) && \
	    (!("task" in nr_shared) || nr_shared["task"] < n || !work_depth(shared["task"], 0)))
		win_crowd[w] = 1
	end = is_open(w) ? 0 : path_stack[path_at_end(w)]
	find_positions(w, n, offset_ns, ns, stack, by, path, moved, position)
	for (i = 1; i <= n; i++) {
		# Samples in a row with the same stack and task are one share.
		if (i == 1 || stack[i] != stack[i - 1] || by[i] != by[i - 1] || position[i] != position[i - 1]) {
			p = path[i]
			context = path_context[p]
			works = path_work[p] || path_unknown[p] || position[i]
			nr_works += works
			head[++nr] = p " " (path_work[p] && !position[i] ? \
				anchor_of(p, end, shared[context], nr_shared[context]) : 0) " "
			position_of_share[nr] = position[i] ? position[i] : 0
			share_ns[nr] = samples[nr] = 0
			task_of[nr] = by[i]
		}
		samples[nr]++
		if (works)
			share_ns[nr] += ns[i]
		else
			rest_ns += ns[i]
	}
	if (nr_works) {
		longest = 1
		for (i = 2; i <= nr; i++)
			if (share_ns[i] > share_ns[longest])
				longest = i
		share_ns[longest] += rest_ns
		# Samples of a window of 1 ns have shares that round to 0.
		if (share_ns[longest] < 1)
			share_ns[longest] = 1
		list = ""
		for (i = 1; i <= nr; i++) {
			p = head[i] sprintf("%.0f ", share_ns[i]) task_of[i] " " samples[i] " " position_of_share[i] " "
			list = i == longest ? p list : list p
		}
		return list
	}
	if (n && (is_open(w) || !path_work[path_at_end(w)]))
		return whole(w, p, by[n], n)
	return is_open(w) ? "" : whole(w, path_at_end(w), win_task[w], 0)
}

function path_at_end(w) {
	return path_of(win_kind[w], win_task[w], win_stack[w])
}

# The window ended in a task switch: the task that had the CPU before is not known.
function is_switched(p) {
	return path_context[p] ~ /^(task|idle)$/ && is_a("switch", stack_frame[path_stack[p]])
}

# What the share in part[i], ... waits for: lock or cpus. If a caller went on, there were many short waits.
function waits_for(part, i) {
	return part[i + 5] + 0 ? "" : path_waits[part[i]]
}

function set_waits(w,	i, nr, part, what, lock_ns, cpus_ns) {
	lock_ns = cpus_ns = 0
	nr = split(win_paths[w], part, " ")
	for (i = 1; i < nr; i += SHARE_PARTS) {
		what = waits_for(part, i)
		if (what == "lock")
			lock_ns += part[i + 2]
		else if (what == "cpus")
			cpus_ns += part[i + 2]
	}
	if ((win_nr_samples[w] || lock_ns) && (lock_ns + cpus_ns) * 2 >= win_latency_ns[w]) {
		win_wait_ns[w] = lock_ns + cpus_ns
		win_waits_for[w] = lock_ns >= cpus_ns ? "lock" : "cpus"
		if (lock_ns >= cpus_ns)
			set_lock(w)
	}
}

function set_lock(w,	i, n, offset_ns, stack, by, moved, lock, name) {
	name = ""
	n = samples_of(w, offset_ns, stack, by, moved, lock)
	for (i = 1; i <= n; i++)
		if (path_waits[path_of(win_kind[w], by[i], stack[i])] == "lock") {
			name = name == "" || name == lock[i] ? lock[i] : "-"
			win_last_wait_ns[w] = offset_ns[i]
		}
	win_lock[w] = name == "-" ? "" : name
}

function attribute(w) {
	win_paths[w] = shares_of(w)
	if (is_open(w)) {
		open_key[w] = held_in(w) SUBSEP (win_nr_samples[w] || without_name(w) != "" ? own_culprit_in(w) : \
			"unknown (no stack sample)")
		if (!(open_key[w] in first_open))
			first_open[open_key[w]] = w
		return
	}
	if (base_s == "")
		base_s = int(win_end[w] + 0)
	win_end_s[w] = win_end[w] - base_s
	set_waits(w)
	add_incident(w)
}

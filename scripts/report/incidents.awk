# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows that belong together: the holder of a lock and the CPUs that waited for it, and all CPUs
# of a machine that stood still. Runs when all windows have been read.
#
# Owns, for each ended window n:
#	held_nobody[n]		why it names nobody: stopped, stolen, handler, lock, switch, crowd, unsampled; or ""
#	held_holder[n]		the window on another CPU that it waited for; 0: it waited for none

# Ends of windows on a machine that stood still are this close.
BEGIN {
	TOGETHER_S = 0.001
	# The watchers sample a window long before, if any CPU runs.
	SAMPLED_BY_NS = 100000000
	BEFORE = 300
	AFTER = 64
}

function main_path(n) {
	return held_paths[n] + 0
}

# The window ended in a function that turns interrupts on for its caller.
function ends_in_unlock(n,	p, frame) {
	p = main_path(n)
	return path_work[p] && path_work[p] < split(path_frames[p], frame, ";")
}

function nobody(n,	p) {
	p = main_path(n)
	if (held_stolen[n])
		return "stolen"
	if (is_impossible(p))
		return path_frames[p] == "[user]" ? "stopped" : "handler"
	if (held_crowd[n])
		return "crowd"
	if (held_samples[n])
		return ""
	if (held_kind[n] == "hardirq" && held_ns[n] >= SAMPLED_BY_NS && has_looks() && \
	    !ends_in_unlock(n) && path_context[p] == "task" && nr_traced_cpus() > 1)
		return "stopped"
	if (is_switched(p))
		return "switch"
	# The stack of a module that has gone has no names.
	return path_work[p] || path_frames[p] ~ /\[unknown\]$/ ? "" : "unsampled"
}

function nr_traced_cpus(	cpus) {
	return "cpus" in status ? read_cpus(status["cpus"], cpus) : 0
}

# Windows first to last ended together, on most CPUs, and no CPU could sample.
function judge_together(first, last,	n, unlocks, impossible, earliest) {
	unlocks = impossible = 0
	earliest = first
	for (n = first; n <= last; n++) {
		unlocks += ends_in_unlock(n)
		impossible += held_nobody[n] == "stopped"
		if (held_end[n] < held_end[earliest])
			earliest = n
	}
	# A lock goes from one CPU to the next: who ended first had it.
	for (n = first; n <= last; n++)
		if (impossible || unlocks < 2)
			held_nobody[n] = "stopped"
		else if (n != earliest && held_nobody[n] == "")
			held_holder[n] = earliest
}

function find_together(	n, last, nr_cpus, seen) {
	for (n = 1; n <= nr_windows; n = last + 1) {
		split("", seen)
		nr_cpus = 0
		for (last = n; last <= nr_windows && held_kind[last] == "hardirq" && \
		     !held_samples[last] && !held_stolen[last] && !(held_cpu[last] in seen) && \
		     held_end[last] - held_end[n] <= TOGETHER_S && \
		     held_end[n] - held_end[last] <= TOGETHER_S; last++) {
			seen[held_cpu[last]] = 1
			nr_cpus++
		}
		if (last > n)
			last--
		if (nr_cpus > 1 && nr_traced_cpus() > 1 && nr_cpus * 2 > nr_traced_cpus())
			judge_together(n, last)
	}
}

function held_begin(n) {
	return held_end[n] - held_ns[n] / 1e9
}

function is_waiter(n) {
	return held_wait_ns[n] * 2 >= held_ns[n]
}

# For how long window other may have been what window n waited for, in seconds.
function overlap_s(n, other,	from, to) {
	if (held_cpu[other] == held_cpu[n] || held_end[other] <= held_begin(n) || held_begin(other) >= held_end[n] || is_waiter(other) || held_nobody[other] != "" || \
	    held_waits[n] == "cpus" && held_kind[other] != "hardirq")
		return 0
	from = held_begin(n) > held_begin(other) ? held_begin(n) : held_begin(other)
	to = held_end[n] < held_end[other] ? held_end[n] : held_end[other]
	return to - from
}

# The first window that may overlap with window n: they come in the order of their ends, to a
# few milliseconds.
function first_neighbor(n,	i) {
	for (i = n; i > 1 && i > n - BEFORE && held_end[i - 1] > held_begin(n) - 0.01; i--)
		;
	return i
}

function find_holder(n,	i, best, most, s) {
	best = most = 0
	for (i = first_neighbor(n); i <= nr_windows && i <= n + AFTER; i++) {
		s = i == n ? 0 : overlap_s(n, i)
		if (s > most) {
			most = s
			best = i
		}
	}
	return most * 2e9 >= held_wait_ns[n] ? best : 0
}

# The machine ran: another CPU was sampled meanwhile, so a handler ran on top of user space.
function find_handler(n,	i) {
	for (i = first_neighbor(n); i <= nr_windows && i <= n + AFTER; i++)
		if (held_cpu[i] != held_cpu[n] && held_samples[i] && \
		    held_begin(i) < held_end[n] && held_end[i] > held_begin(n))
			return "handler"
	return "stopped"
}

function find_incidents(	n) {
	for (n = 1; n <= nr_windows; n++) {
		held_nobody[n] = nobody(n)
		held_holder[n] = 0
	}
	find_together()
	for (n = 1; n <= nr_windows; n++)
		if (held_nobody[n] == "stopped")
			held_nobody[n] = find_handler(n)
		else if (held_nobody[n] == "" && !held_holder[n] && is_waiter(n)) {
			held_holder[n] = find_holder(n)
			if (held_holder[n])
				waiter_end[held_end_stack[n]] = 1
			else if (held_waits[n] == "lock")
				held_nobody[n] = "lock"
		}
	# Too short to be sampled, and ended like a waiter.
	for (n = 1; n <= nr_windows; n++)
		if (held_nobody[n] == "" && !held_samples[n] && (held_end_stack[n] in waiter_end)) {
			held_wait_ns[n] = held_ns[n]
			held_waits[n] = "lock"
			held_holder[n] = find_holder(n)
		}
}

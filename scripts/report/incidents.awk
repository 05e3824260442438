# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows that belong together: the holder of a lock and the CPUs that waited for it, and all CPUs
# of a machine that stood still. Runs when all windows have been read.
#
# Owns, for each ended window n:
#	win_nobody[n]		why it cannot be traced to a function: paused, unsampled, stopped, stolen, handler,
#				lock, cpus, switch, crowd, shared, self, entry_code; or ""
#	win_holder[n]		the window on another CPU that it waited for; 0: it waited for none
#	win_overlap[n]		a window that overlapped with it, and may be the one that it waited for
#	suspect[1] ... suspect[nr_suspects]	windows without samples, that waited, or that cannot be
#				traced. Later passes visit only these windows
#	is_together[n]		set: most CPUs had a window that ended within TOGETHER_S of this window
#	waiter_end[function]	set: a waiter ended there
#	nr_traced		CPUs that are monitored; "": not counted yet

BEGIN {
	# Windows on a stopped machine end within this time of each other.
	TOGETHER_S = 0.001
	# Ends of records may be out of order by this time.
	ORDER_SLACK_S = 0.01
	# The watchers sample a window before this length, if any CPU runs.
	SAMPLED_BY_NS = 100000000
	# How many records before and after a waiter are searched for its holder.
	BEFORE = 300
	AFTER = 64
	# For this long, the scheduler may let other tasks of normal priority run before ksoftirqd.
	FAIR_NS = 50000000
	# The longest scheduler tick.
	TICK_S = 0.01
	nr_traced = ""
	nr_suspects = 0
}

function main_path(n) {
	return win_paths[n] + 0
}

# The window ended in a function that turns interrupts on for its caller.
function ends_in_unlock(n,	p, frame) {
	p = main_path(n)
	return path_work[p] && path_work[p] < split(path_frames[p], frame, ";")
}

# Whether window n shows only entry code, and then an unlock that the entry code called (a new
# task).
function ends_in_unlock_of_entry(n,	nr, frame) {
	nr = split(path_frames[main_path(n)], frame, ";")
	return win_nobody[n] == "entry_code" && is_a("end", frame[nr])
}

# Why window n cannot be traced to a function, judged without other windows; or "".
function why_unnamed(n,	p) {
	p = main_path(n)
	if (without_name(n) != "")
		return without_name(n)
	if (path_impossible[p])
		return path_frames[p] == "[user]" && would_be_sampled(n) ? "stopped" : "handler"
	if (path_frames[p] ~ /(seq_read|seq_read_iter|proc_reg_write);[^;]*\[trace_irqoff\]/)
		return "self"
	if (win_crowd[n])
		return "crowd"
	if (path_frames[p] == "[user]" && task_state[win_task[n]] == "ksoftirqd" && win_latency_ns[n] < FAIR_NS)
		return "shared"
	if ((!win_nr_samples[n] || !path_work[p]) && is_switched(p))
		return "switch"
	if (!path_work[p] && path_waits[p] != "")
		return win_nr_samples[n] ? "" : path_waits[p]
	# The stack of a module that has gone has no names.
	return path_work[p] || path_unknown[p] || win_nr_samples[n] && path_weak[p] ? "" : "entry_code"
}

# Whether watchers would have sampled window n if they had run.
function would_be_sampled(n) {
	return win_latency_ns[n] >= SAMPLED_BY_NS && has_samples() && nr_traced_cpus() > 1
}

function nr_traced_cpus(	cpus) {
	if (nr_traced == "")
		nr_traced = "cpus" in status ? read_cpus(status["cpus"], cpus) : 0
	return nr_traced
}

function ended_begin(n) {
	return win_end_s[n] - win_latency_ns[n] / 1e9
}

# For how long windows n and other, of two CPUs, were both open, in seconds.
function overlap_s(n, other,	from, to) {
	if (win_cpu[other] == win_cpu[n])
		return 0
	from = ended_begin(n) > ended_begin(other) ? ended_begin(n) : ended_begin(other)
	to = win_end_s[n] < win_end_s[other] ? win_end_s[n] : win_end_s[other]
	return to > from ? to - from : 0
}

# Whether another window may have waited for window n. A task that could be preempted holds no
# spinlock.
function may_hold(n) {
	return !win_is_waiter[n] && !win_holder[n] && win_nobody[n] ~ /^(stolen|stopped)?$/ && \
	       path_frames[main_path(n)] != "[user]" && task_state[win_task[n]] != "no-resched"
}

# Whether window n, a waiter, may have waited for window i, as far as the lock tells. A spinlock that is
# taken with interrupts off is held with interrupts off, and the waiter goes on when the holder does. The
# holder of another lock may do more after its release.
function is_holder_of(n, i) {
	return path_frames[main_path(n)] !~ /;_raw_spin_lock_irq/ || \
	       win_kind[i] == "hardirq" && win_end_s[n] > win_end_s[i] - ORDER_SLACK_S
}

# The first record that can overlap with window n. Records are sorted by their ends, but for
# ORDER_SLACK_S. An idle CPU may record a nosched window at any time after its end.
function first_neighbor(n,	i) {
	for (i = n; i > nr_open + 1 && i > n - BEFORE && (win_kind[i - 1] == "nosched" || \
	     win_end_s[i - 1] > ended_begin(n) - ORDER_SLACK_S); i--)
		;
	return i
}

# The window that n waited for: it was open for half of the time that n waited. Sets win_overlap[n] to
# a window that was open, too, but is not known to be the holder.
function find_holder(n, only_sampled,	i, best, most, s) {
	best = most = 0
	for (i = first_neighbor(n); i <= nr_rows && i <= n + AFTER; i++) {
		s = overlap_s(n, i)
		if (!s || s * 2e9 < win_wait_ns[n] || only_sampled && !win_nr_samples[i] || !may_hold(i))
			continue
		if (!is_holder_of(n, i))
			win_overlap[n] = i
		else if (s > most) {
			most = s
			best = i
		}
	}
	return best
}

# Whether windows that ended together waited for one lock. Either two windows ended in an unlock, or
# one window did and two windows ended in the same function, which takes the lock.
function is_one_lock(member, nr, unlocks,	i, name, nr_ends) {
	for (i = 1; i <= nr; i++)
		if (path_work[main_path(member[i])]) {
			name = ended_in(member[i])
			nr_ends[name] = (name in nr_ends ? nr_ends[name] : 0) + 1
			if (unlocks && nr_ends[name] > 1)
				return 1
		}
	return unlocks > 1
}

# Windows member[1] ... member[nr] ended together, on most CPUs, without samples.
function judge_together(member, nr,	i, n, unlocks, nr_stopped, nr_switched, nr_waits, ran, \
		is_lock, earliest, first_switch) {
	unlocks = nr_stopped = nr_switched = nr_waits = ran = 0
	earliest = member[1]
	first_switch = win_end_s[earliest]
	for (i = 1; i <= nr; i++) {
		n = member[i]
		unlocks += ends_in_unlock(n)
		nr_stopped += path_impossible[main_path(n)]
		if (win_nobody[n] == "switch") {
			nr_switched++
			if (ended_begin(n) < first_switch)
				first_switch = ended_begin(n)
		}
		nr_waits += win_nobody[n] == "cpus"
		# A machine that stood still has all windows begin together, too.
		ran += stopped_or_handler(n) == "handler" || ended_begin(n) - ended_begin(member[1]) > TICK_S || \
			ended_begin(member[1]) - ended_begin(n) > TICK_S
		if (win_end_s[n] < win_end_s[earliest])
			earliest = n
	}
	if (nr_waits * 2 > nr && !nr_stopped)
		return
	is_lock = is_one_lock(member, nr, unlocks)
	for (i = 1; i <= nr; i++) {
		n = member[i]
		# A CPU that switches tasks holds its run queue's lock. A window that began before
		# the first switch cannot have waited for that lock.
		if (nr_switched && !nr_stopped) {
			if (win_nobody[n] != "switch" && ended_begin(n) > first_switch - TICK_S)
				win_nobody[n] = "lock"
		} else if (!ran && (nr_stopped || !is_lock))
			win_nobody[n] = "stopped"
		else if (win_nobody[n] == "stopped")
			win_nobody[n] = "handler"
		else if ((win_nobody[n] == "" || ends_in_unlock_of_entry(n)) && is_lock) {
			# The CPUs take the lock in turn. The holder was sampled, or the first to
			# end.
			if (n != earliest || path_work[main_path(n)])
				win_nobody[n] = ""
			win_waits_for[n] = "lock"
			win_wait_ns[n] = win_latency_ns[n]
			win_holder[n] = find_holder(n, 1)
			if (!win_holder[n] && n != earliest && may_hold(earliest))
				win_holder[n] = earliest
			else if (!win_holder[n] && n != earliest)
				win_nobody[n] = "lock"
		}
	}
	if (win_holder[earliest])
		for (i = 1; i <= nr; i++)
			if (win_holder[member[i]] == earliest)
				win_holder[member[i]] = win_holder[earliest]
}

function find_together(	o, n, i, nr, member, cpus, last, failed_end) {
	failed_end = ""
	for (o = 1; o <= nr_suspects && nr_traced_cpus() > 1; o++) {
		n = suspect[o]
		if (n in is_together || !may_be_together(n) || win_end_s[n] == failed_end)
			continue
		split("", cpus)
		nr = 0
		# Limits the search when forged times are all the same.
		last = n + 4 * nr_traced_cpus()
		for (i = n; i <= nr_rows && i <= last && win_end_s[i] - win_end_s[n] <= TOGETHER_S; i++) {
			if (!may_be_together(i) || win_cpu[i] in cpus || win_end_s[n] - win_end_s[i] > TOGETHER_S)
				continue
			cpus[win_cpu[i]] = 1
			member[++nr] = i
		}
		if (nr < 2 || nr * 2 <= nr_traced_cpus()) {
			failed_end = win_end_s[n]
			continue
		}
		for (i = 1; i <= nr; i++)
			is_together[member[i]] = 1
		judge_together(member, nr)
	}
}

function may_be_together(n) {
	return win_kind[n] == "hardirq" && !win_nr_samples[n] && without_name(n) == ""
}

# "handler" if another CPU was sampled during window n: the machine ran, so an interrupt handler
# took the time. Else "stopped".
function stopped_or_handler(n,	i) {
	for (i = first_neighbor(n); i <= nr_rows && i <= n + AFTER; i++)
		if (win_kind[i] == "hardirq" && win_nr_samples[i] && overlap_s(n, i))
			return "handler"
	return "stopped"
}

# A window that ends in user space or the idle loop proves that a handler or the hypervisor stopped the
# CPU. NMIs that find the CPU paused prove it, too. A stop can hit any function. It can also hit all
# CPUs at once, which looks as if they waited for one lock. So do not blame a function if no sample
# shows it, and its windows are neither longer in total nor more than the proven ones.
function find_struck(	o, n, name, function_ns, function_windows, struck_ns, struck_windows) {
	struck_ns = struck_windows = 0
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (win_nobody[n] ~ /^(handler|stopped|paused)$/) {
			struck_ns += win_latency_ns[n]
			struck_windows++
		} else if (may_be_struck(n)) {
			name = ended_in(n)
			function_ns[name] = (name in function_ns ? function_ns[name] : 0) + win_latency_ns[n]
			function_windows[name] = (name in function_windows ? function_windows[name] : 0) + 1
		}
	}
	for (o = 1; o <= nr_suspects && struck_ns; o++) {
		n = suspect[o]
		if (may_be_struck(n) && function_ns[ended_in(n)] <= struck_ns && \
		    function_windows[ended_in(n)] <= struck_windows) {
			win_nobody[n] = would_be_sampled(n) ? stopped_or_handler(n) : "handler"
			win_holder[n] = win_is_waiter[n] = 0
		}
	}
}

function may_be_struck(n) {
	if (win_kind[n] != "hardirq" || win_nr_samples[n] || win_nobody[n] !~ /^(entry_code)?$/)
		return 0
	return n in is_together && would_be_sampled(n) || !win_holder[n]
}

# The function that turned interrupts back on.
function ended_in(n,	nr, frame) {
	nr = split(path_frames[main_path(n)], frame, ";")
	return frame[path_work[main_path(n)] ? path_work[main_path(n)] : nr]
}

# Sets the fields of ended window n that need no other window.
function add_incident(n) {
	win_nobody[n] = why_unnamed(n)
	win_holder[n] = 0
	if (!win_nr_samples[n] || win_nobody[n] != "" || win_is_waiter[n])
		suspect[++nr_suspects] = n
}

function find_incidents(	o, n) {
	find_together()
	# A window without samples counts as a waiter if it ended in the same function as a known
	# waiter's.
	for (o = 1; o <= nr_suspects; o++)
		if (win_is_waiter[suspect[o]])
			waiter_end[ended_in(suspect[o])] = 1
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (win_nobody[n] == "" && !win_nr_samples[n] && !(n in is_together) && ended_in(n) in waiter_end) {
			win_is_waiter[n] = 1
			win_wait_ns[n] = win_latency_ns[n]
			win_waits_for[n] = "lock"
		}
	}
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (win_nobody[n] == "stopped" && !(n in is_together))
			win_nobody[n] = stopped_or_handler(n)
		else if (win_nobody[n] == "" && !win_holder[n] && win_is_waiter[n]) {
			win_holder[n] = find_holder(n, 0)
			if (!win_holder[n] && win_waits_for[n] == "lock")
				win_nobody[n] = "lock"
		}
	}
	find_struck()
}

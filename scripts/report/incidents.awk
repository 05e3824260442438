# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows that belong together: the holder of a lock and the CPUs that waited for it, and all CPUs
# of a machine that stood still. Runs when all windows have been read.
#
# Owns, for ended windows n:
#	win_nobody[n]	why no function is named: paused, unsampled, undumped, not-run, stopped, stolen, handler, lock, cpus,
#			switch, crowd, shared, self, entry_code; not set: one is
#	win_holder[n]	the window on another CPU that it waited for
#	win_overlap[n]	a window that overlapped with it, and may be the one that it waited for
#	win_behind[n]	the window of a CPU that n waited for, and that itself waited for a lock
#	suspect[1] ... suspect[nr_suspects]	windows without samples, that waited, or in win_nobody: later
#			passes visit only these
#	waiter_end[function], begins_within_s	where waiters ended; windows of one stop begin within this

BEGIN {
	TOGETHER_S = 0.001	# windows on a stopped machine end within this time of each other
	ORDER_SLACK_S = 0.01	# ends of records may be out of order by this time
	BEFORE = 300		# records before and after a waiter that are searched for its holder
	AFTER = 64
	FAIR_NS = 50000000	# the scheduler may let other tasks run before ksoftirqd for this long
	TICK_S = 0.01		# the longest scheduler tick
	UNSAMPLED_NS = 100000000	# other CPUs sample a CPU much earlier than this, if they run
	nr_suspects = 0
	split("", win_behind)
}

function main_path(n) {
	return win_paths[n] + 0
}

# Why window n cannot be traced to a function, judged without other windows; or "".
function why_unnamed(n,	p, why) {
	p = main_path(n)
	why = without_name(n)
	if (why != "")
		return why
	if (path_impossible[p])
		return "handler"
	if (path_is_own[p])
		return "self"
	if (is_never_sampled(n))
		return "stopped"
	if (n in win_crowd)
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

# Whether interrupts seemed to be off on a CPU, and no other CPU sent it an NMI: a machine that stands
# still does so. The first code that runs afterwards may be sampled.
function is_never_sampled(n,	offset_ns, stack, by) {
	if (win_kind[n] != "hardirq" || is_open(n) || win_latency_ns[n] < UNSAMPLED_NS || \
	    win_nr_samples[n] > 1 || path_waits[main_path(n)] != "" || !measures_pauses() || \
	    status_of("cpus") !~ /[-,]/)
		return 0
	return !samples_of(n, offset_ns, stack, by) || offset_ns[1] > win_latency_ns[n] - TICK_S * 1e9
}

function ended_begin(n) {
	return win_end_s[n] - win_latency_ns[n] / 1e9
}

# Whether another window may have waited for window n. A task that can be preempted holds no spinlock.
function may_hold(n) {
	return !(n in win_wait_ns) && !(n in win_holder) && (!(n in win_nobody) || win_nobody[n] ~ /^(stolen|stopped)$/) && \
	       path_frames[main_path(n)] != "[user]" && task_state[win_task[n]] != "no-resched"
}

# Whether waiter n may have waited for window i. A CPU with interrupts off answers no IPI. stop_machine()
# also waits for a task on each CPU. A spinlock that is taken with interrupts off is held with interrupts
# off, and the waiter goes on when the holder does.
function is_holder_of(n, i) {
	if (win_waits_for[n] == "cpus")
		return win_kind[i] == "hardirq" || path_frames[main_path(n)] ~ /(^|;)multi_cpu_stop(;|$)/
	return path_frames[main_path(n)] !~ /;_raw_spin_lock_irq/ || \
	       win_kind[i] == "hardirq" && win_end_s[n] > win_end_s[i] - ORDER_SLACK_S && win_end_s[n] < win_end_s[i] + ORDER_SLACK_S
}

# Window i ended while window n still waited: i did not hold the lock.
function still_waits(n, i) {
	return n in win_last_wait_ns && ended_begin(n) + win_last_wait_ns[n] / 1e9 > win_end_s[i] + ORDER_SLACK_S
}

# The first record that can overlap with window n. Records are sorted by their ends, but for
# ORDER_SLACK_S. An idle CPU may record a nosched window at any time after its end.
function first_neighbor(n,	i, since_s) {
	since_s = ended_begin(n) - ORDER_SLACK_S
	for (i = n; i > nr_open + 1 && i > n - BEFORE && (win_kind[i - 1] == "nosched" || \
	     win_end_s[i - 1] > since_s); i--)
		;
	return i
}

# The window that n waited for: it was open for half of the time that n waited. Sets win_overlap[n] to
# a window that was open, too, but is not known to be the holder.
function find_holder(n,	i, best, most, begin, end, from, s) {
	best = most = 0
	begin = ended_begin(n)
	end = win_end_s[n]
	for (i = first_neighbor(n); i <= nr_rows && i <= n + AFTER; i++) {
		# Most windows nearby do not overlap: no function calls for these.
		from = win_end_s[i] - win_latency_ns[i] / 1e9
		if (win_end_s[i] <= begin || from >= end || win_cpu[i] == win_cpu[n])
			continue
		s = (end < win_end_s[i] ? end : win_end_s[i]) - (begin > from ? begin : from)
		if (s * 2e9 < win_wait_ns[n])
			continue
		if (win_waits_for[n] == "cpus" && win_kind[i] == "hardirq" && i in win_wait_ns && \
		    win_waits_for[i] == "lock")
			win_behind[n] = i
		if (!may_hold(i) || still_waits(n, i))
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

# The machine stood still: windows of most CPUs began and ended together, without samples, and one of
# them in user space or in the idle loop.
function find_stops(	o, n, i, nr, nr_traced, nr_impossible, member, cpus, last) {
	nr_traced = read_cpus(status_of("cpus"), cpus)
	# On a CPU with a timer of the module, ticks are as far apart as the bounds.
	begins_within_s = in_seconds(status_of("bounds"))
	if (begins_within_s < TICK_S)
		begins_within_s = TICK_S
	nr_like_stops = 0
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		nr_like_stops += may_be_stopped(n)
		if (!may_be_stopped(n) || nr_traced < 2)
			continue
		split("", cpus)
		nr = nr_impossible = 0
		# Limits the search when forged times are all the same.
		last = n + 4 * nr_traced
		for (i = n; i <= nr_rows && i <= last && win_end_s[i] - win_end_s[n] <= TOGETHER_S; i++)
			if (may_be_stopped(i) && !(win_cpu[i] in cpus) && is_same_time(n, i)) {
				cpus[win_cpu[i]] = 1
				member[++nr] = i
				nr_impossible += path_impossible[main_path(i)]
			}
		for (i = 1; i <= nr && nr * 2 > nr_traced && nr_impossible; i++)
			win_nobody[member[i]] = "stopped"
	}
}

function is_same_time(n, i,	apart_s) {
	apart_s = ended_begin(n) - ended_begin(i)
	return win_end_s[n] - win_end_s[i] <= TOGETHER_S && apart_s <= begins_within_s && apart_s >= -begins_within_s
}

function may_be_stopped(n) {
	return win_kind[n] == "hardirq" && !win_nr_samples[n] && (!(n in win_nobody) || win_nobody[n] ~ /^(handler|entry_code)$/)
}

# All CPUs had interrupts off, so none was sampled: their windows ended together, each where a lock is
# released. On a machine that stood still, they end anywhere. The first to end held the lock, and the
# others waited for it.
function find_first_of_all(	o, first, end, n, i, nr, member) {
	for (o = 1; o <= nr_suspects; o = end) {
		first = suspect[o]
		nr = 0
		for (end = o; end <= nr_suspects && win_end_s[suspect[end]] - win_end_s[suspect[o]] <= TOGETHER_S; end++) {
			n = suspect[end]
			if (!(n in win_nobody) || win_nobody[n] != "stopped")
				continue
			member[++nr] = n
			if (nr == 1 || win_end_s[n] < win_end_s[first])
				first = n
		}
		for (i = 1; i <= nr && released_lock(member[i]); i++)
			;
		if (i <= nr || nr < 2)
			continue
		for (i = 1; i <= nr; i++) {
			delete win_nobody[member[i]]
			if (member[i] != first)
				win_holder[member[i]] = first
		}
	}
}

function released_lock(n) {
	return stack_frame[win_stack[n]] ~ /_unlock_irq(restore)?$/
}

function ended_in(n,	nr, frame) {
	nr = split(path_frames[main_path(n)], frame, ";")
	return frame[path_work[main_path(n)] ? path_work[main_path(n)] : nr]
}

function add_incident(n,	why) {
	why = why_unnamed(n)
	if (why != "")
		win_nobody[n] = why
	if (!win_nr_samples[n] || why != "" || n in win_wait_ns)
		suspect[++nr_suspects] = n
}

# Of several locks, a holder is taken to hold the one that windows waited for longest.
function leave_other_locks(	o, n, h, key, wait_ns, lock_held) {
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (!(n in win_holder) || lock_of(n) == "")
			continue
		h = win_holder[n]
		key = h SUBSEP win_lock[n]
		wait_ns[key] += win_wait_ns[n]
		if (!(h in lock_held) || wait_ns[key] > wait_ns[h, lock_held[h]])
			lock_held[h] = win_lock[n]
	}
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (n in win_holder && lock_of(n) != "" && win_lock[n] != lock_held[win_holder[n]]) {
			win_overlap[n] = win_holder[n]
			win_nobody[n] = "lock"
			delete win_holder[n]
		}
	}
}

function find_incidents(	o, n, holder) {
	find_first_of_all()
	find_stops()
	# A window without samples counts as a waiter if it ended in the same function as a known
	# waiter's.
	for (o = 1; o <= nr_suspects; o++)
		if (suspect[o] in win_wait_ns)
			waiter_end[ended_in(suspect[o])] = 1
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (!(n in win_nobody) && !win_nr_samples[n] && ended_in(n) in waiter_end) {
			win_wait_ns[n] = win_latency_ns[n]
			win_waits_for[n] = "lock"
		}
	}
	for (o = 1; o <= nr_suspects; o++) {
		n = suspect[o]
		if (n in win_nobody || n in win_holder || !(n in win_wait_ns))
			continue
		holder = find_holder(n)
		if (holder) {
			win_holder[n] = holder
			# A CPU that released a lock on which others spun was not stopped.
			if (win_waits_for[n] == "lock" && holder in win_nobody && win_nobody[holder] == "stopped" && \
			    released_lock(holder))
				delete win_nobody[holder]
		} else if (win_waits_for[n] == "lock")
			win_nobody[n] = "lock"
	}
	leave_other_locks()
	for (n in win_behind) {
		if (n in win_holder)
			continue
		if (win_behind[n] in win_holder)
			win_holder[n] = win_holder[win_behind[n]]
		else
			win_nobody[n] = "lock"
	}
}

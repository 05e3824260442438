# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows summed up by kind, and by culprit (name.awk) or by the reason why there is none.
#
# Owns:
#	kind_windows[kind]
#	win_c[n]	the culprit with the most of window n's time, c = 1 ... nr_culprits in c_*[c]
#	win_parts[n]	"CULPRIT NS ...", in any order: how the culprits share window n; if several do
#	c_is_named[c]	1: c_function[c] is a function; 0: it has words for a reason, c_reason[c]
#	c_context[c]	task, idle, softirq, interrupt, mixed; "" for a reason
#	c_kind[c]	hardirq, softirq, nosched, or mixed; c_kind_ns[c, kind]: time of each
#	c_callers[c], c_inside[c]	"inner < outer": callers in all paths; where most time passed
#	c_windows[c], c_total_ns[c], c_worst_ns[c]
#	c_first_end[c], c_last_end[c], c_min_gap_s[c], c_max_gap_s[c]	since base_s; between two ends
#	c_samples[c], c_all_samples[c]	samples with the function; all samples of its windows
#	c_at_end[c]	windows at whose end the function was on the stack
#	c_went_on[c], c_contended[c]	samples that show that the function went on; of these: it took a lock many
#				times, and waited for it
#	c_again[c]	samples that show that dispatch code called it many times
#	c_deep[c]	the innermost function that nearly all of its time was in; or ""
#	c_waiters[c], c_waited_ns[c], c_longest_waiter[c]	windows on other CPUs that waited for it
#	c_overlap[c]	a window that was open while a window of this row waited for a lock
#	c_place[c], c_nr_place[c], nr_in_place[c, function]	where most windows of a row without a
#				function waited, or most pauses ended; how many
#	c_partner[c]	the culprit that shares most windows with it; nr_shared[c, c_partner[c]]: how many
#	c_alone_ns[c]	time of its windows that waited for other CPUs, and have no holder
#	c_is_weak[c]	1: samples show only functions that are ruled out, such as this one
#	c_task[c]	of its last window; c_main_task[c]: of the name with most time; comm_ns[c, name]
#	c_pending[c]	softirqs that waited
#	c_pids[c], c_comms[c], c_cgroups[c], c_nr_cpus[c]	how many; c_cpus[c]: "3,0,1", as they came
#	rank[1] ... rank[nr_ranked], all_ns, all_waiters	culprits with windows, by time; sums of all
#	answer		the culprit that the first line of the report names; 0: there is none
#	culprit_index[name or reason], culprit_has[c, what, value]	set: the row has counted this value

BEGIN {
	nr_culprits = nr_ranked = answer = all_ns = all_waiters = 0
	UNEXPLAINED_FACTOR = 4	# windows without a function are the answer if they took longer by this
}

# The culprit with this name, in this context, or the row of windows without one.
function culprit_of(key, context, name,	c) {
	if (key in culprit_index) {
		c = culprit_index[key]
		if (c_context[c] != context)
			c_context[c] = "mixed"
		return c
	}
	c = culprit_index[key] = ++nr_culprits
	c_context[c] = context
	c_function[c] = name == "-" ? "[unknown]" : name
	c_reason[c] = ""
	c_kind[c] = c_callers[c] = c_inside[c] = c_deep[c] = c_cpus[c] = c_pending[c] = ""
	c_is_named[c] = context != ""
	c_alone_ns[c] = c_nr_place[c] = c_is_weak[c] = 0
	c_windows[c] = c_total_ns[c] = c_worst_ns[c] = c_samples[c] = c_all_samples[c] = c_at_end[c] = 0
	c_worst[c] = c_whole_ns[c] = c_worst_whole_ns[c] = 0
	c_went_on[c] = c_again[c] = c_contended[c] = 0
	c_waiters[c] = c_waited_ns[c] = c_longest_waiter[c] = 0
	c_pids[c] = c_comms[c] = c_cgroups[c] = c_nr_cpus[c] = c_task[c] = c_main_task[c] = 0
	return c
}

# Where NMIs measure pauses, the report does not guess who stopped a CPU.
function reason(why) {
	return why ~ /^(stopped|handler)$/ && measures_pauses() ? "unknown" : why
}

# As clock() takes it.
function at_second(s) {
	return sprintf("%.6f", base_s + s)
}

function is_new(c, what, value) {
	if ((c, what, value) in culprit_has)
		return 0
	return culprit_has[c, what, value] = 1
}

function add_task(c, n, t, ns,	key) {
	key = c SUBSEP task_comm[t]
	comm_ns[key] += ns
	if (!c_main_task[c] || comm_ns[key] >= comm_ns[c, task_comm[c_main_task[c]]])
		c_main_task[c] = t + 0
	if (c_task[c] != t) {
		c_task[c] = t + 0
		c_pids[c] += is_new(c, "pid", task_pid[t])
		c_comms[c] += is_new(c, "comm", task_comm[t])
		c_cgroups[c] += is_new(c, "cgroup", task_cgroup[t])
	}
	if (is_new(c, "cpu", win_cpu[n])) {
		c_nr_cpus[c]++
		c_cpus[c] = c_cpus[c] (c_cpus[c] == "" ? "" : ",") win_cpu[n]
	}
}

function add_time(c, n, ns,	kind, gap_s, i, nr, vector) {
	kind = win_kind[n]
	if (!c_windows[c]++)
		c_first_end[c] = win_end_s[n]
	else {
		gap_s = win_end_s[n] - c_last_end[c]
		if (c_windows[c] == 2 || gap_s < c_min_gap_s[c])
			c_min_gap_s[c] = gap_s
		if (c_windows[c] == 2 || gap_s > c_max_gap_s[c])
			c_max_gap_s[c] = gap_s
	}
	c_last_end[c] = win_end_s[n]
	nr = win_pending[n] != "-" && is_new(c, "pending", win_pending[n]) ? split(win_pending[n], vector, ",") : 0
	for (i = 1; i <= nr; i++)
		if (is_new(c, "vector", vector[i]))
			c_pending[c] = c_pending[c] (c_pending[c] == "" ? "" : ", ") vector[i]
	c_kind[c] = c_kind[c] == "" || c_kind[c] == kind ? kind : "mixed"
	c_kind_ns[c, kind] += ns
	c_total_ns[c] += ns
	c_all_samples[c] += win_nr_samples[n]
	if (ns > c_worst_ns[c]) {
		c_worst_ns[c] = ns
		c_worst[c] = n
	}
	# A window that several culprits share blocked its CPU for all of its time.
	c_whole_ns[c] += win_latency_ns[n]
	if (win_latency_ns[n] > c_worst_whole_ns[c])
		c_worst_whole_ns[c] = win_latency_ns[n]
}

function find_items(	n, i, nr, part) {
	for (n = nr_open + 1; n <= nr_rows; n++) {
		if (n in win_nobody || n in win_holder)
			continue
		nr = split(win_paths[n], part, " ")
		for (i = 1; i < nr; i += SHARE_PARTS)
			if (part[i + 2] + 0 && waits_for(part, i) != "lock")
				add_item(part, i)
	}
}

# Counts where windows of c waited, or where pauses ended: an instruction that reads a device may be the
# pause.
function add_place(c, n, why,	p, frame, name) {
	if (why !~ /^(paused|lock|cpus)$/)
		return
	p = why == "paused" ? path_of(win_kind[n], win_task[n], win_paused_stack[n]) : main_path(n)
	if (!path_work[p] || path_context[p] == "idle")
		return
	split(path_frames[p], frame, ";")
	name = frame[path_work[p]]
	if (++nr_in_place[c, name] > c_nr_place[c]) {
		c_nr_place[c] = nr_in_place[c, name]
		c_place[c] = name
	}
}

# Counts what the shares of window n, in part[], and its end tell of culprit c.
function add_evidence(c, n, nr, part,	i, k, name) {
	name = c_function[c]
	c_at_end[c] += position_by_name(path_at_end(n), name) > 0
	for (i = 1; i < nr; i += SHARE_PARTS) {
		k = position_by_name(part[i], name)
		if (!k && !(name == "[unknown]" && path_frames[part[i]] == "-"))
			continue
		c_samples[c] += part[i + 4]
		if (part[i + 5] ~ /[+]$/)
			c_again[c] += part[i + 4]
		else if (part[i + 5] == k "") {
			c_went_on[c] += part[i + 4]
			if (path_waits[part[i]] == "lock")
				c_contended[c] += part[i + 4]
		}
	}
}

# Counts a window that c and d share. awks differ in the order of these calls.
function add_partner(c, d,	n) {
	n = ++nr_shared[c, d]
	if (!(c in c_partner) || n > nr_shared[c, c_partner[c]] || n == nr_shared[c, c_partner[c]] && d < c_partner[c])
		c_partner[c] = d
}

# Divides window n, which waited for no other one, among its culprits.
function sum_window(n,	i, nr, part, why, c, c_of, ns, samples, main, waited_ns) {
	nr = split(win_paths[n], part, " ")
	if (n in win_nobody) {
		why = reason(win_nobody[n])
		c = win_c[n] = culprit_of(lock_of(n) == "" ? why : why SUBSEP lock_of(n), "", without_culprit(n, why))
		c_reason[c] = why
		if (!(n in win_unwanted)) {
			if (n in win_overlap && !(c in c_overlap))
				c_overlap[c] = win_overlap[n]
			add_time(c, n, win_latency_ns[n])
			add_task(c, n, part[4], win_latency_ns[n])
			c_samples[c] += win_nr_samples[n]
			add_place(c, n, why)
		}
		return
	}
	main = waited_ns = 0
	for (i = 1; i < nr; i += SHARE_PARTS)
		# A lock's holder is named, not who waited for the lock.
		if (waits_for(part, i) == "lock")
			waited_ns += part[i + 2]
		else if (part[i + 2] + 0) {
			c = c_of[i] = item_c[item_of[item_key(part, i)]]
			ns[c] += part[i + 2]
			samples[c] += part[i + 4]
		}
	# A single sample is only a point in time.
	for (i = 1; i < nr; i += SHARE_PARTS)
		if (i in c_of && (!main || (samples[c_of[i]] > 1) > (samples[main] > 1) || \
		    (samples[c_of[i]] > 1) == (samples[main] > 1) && ns[c_of[i]] > ns[main]))
			main = c_of[i]
	win_c[n] = main
	if (n in win_unwanted)
		return
	# The main culprit gets its time, too, and short waits for a lock.
	if (main)
		ns[main] += waited_ns
	for (c in ns)
		if (c != main && samples[c] == 1 && samples[main] > 1) {
			ns[main] += ns[c]
			ns[c] = 0
		}
	for (c in ns)
		if (ns[c]) {
			if (ns[c] < win_latency_ns[n])
				win_parts[n] = win_parts[n] c sprintf(" %.0f ", ns[c])
			add_time(c, n, ns[c])
			if (n in win_wait_ns)
				c_alone_ns[c] += ns[c]
		}
	for (c in ns)
		for (main in ns)
			if (c != main && ns[c] && ns[main])
				add_partner(c, main + 0)
	for (i = 1; i < nr; i += SHARE_PARTS)
		if (i in c_of && ns[c_of[i]])
			add_task(c_of[i], n, part[i + 3], part[i + 2])
	for (c in ns)
		if (ns[c])
			add_evidence(c, n, nr, part)
}

# Window n waited for another one, whose culprit it counts for.
function sum_waiter(n,	h, c, part) {
	# The first of all CPUs that waited may itself have waited for a window.
	for (h = win_holder[n]; h in win_holder; h = win_holder[h])
		;
	c = win_c[n] = win_c[h]
	if (n in win_unwanted)
		return
	# A filter may have left out the holder: its task and samples are known nevertheless.
	if (h in win_unwanted && is_new(c, "holder", h)) {
		add_task(c, h, win_task[h], win_latency_ns[h])
		add_evidence(c, h, split(win_paths[h], part, " "), part)
		c_all_samples[c] += win_nr_samples[h]
		if (c_kind[c] == "")
			c_kind[c] = win_kind[h]
	}
	c_waiters[c]++
	c_waited_ns[c] += win_latency_ns[n]
	if (!c_longest_waiter[c] || win_latency_ns[n] > win_latency_ns[c_longest_waiter[c]])
		c_longest_waiter[c] = n
}

function sum_up(	n, i) {
	find_incidents()
	find_items()
	for (i = 1; i <= nr_groups; i++)
		explain(group[i])
	join_culprits()
	for (n = nr_open + 1; n <= nr_rows; n++)
		if (!(n in win_holder))
			sum_window(n)
	for (i = 1; i <= nr_suspects; i++)
		if (suspect[i] in win_holder)
			sum_waiter(suspect[i])
	rank_culprits()
}

# With the windows that waited for it.
function blocked_ns(c) {
	return c_total_ns[c] + c_waited_ns[c]
}

function rank_culprits(	c, time_ns, order) {
	for (c = 1; c <= nr_culprits; c++) {
		if (!c_windows[c] && !c_waiters[c])
			continue
		rank[++nr_ranked] = c
		all_ns += c_total_ns[c]
		all_waiters += c_waiters[c]
		time_ns[c] = blocked_ns(c)
		order[c] = c
	}
	sort_by(rank, nr_ranked, time_ns, order)
	find_answer()
}

# Sorts list[1] ... list[n]: the largest of high[] first; of the same, the smallest of low[] first.
# By shell sort, as there may be one culprit a record.
function sort_by(list, n, high, low,	gap, i, j, x) {
	for (gap = n; gap > 1; ) {
		gap = gap > 4 ? int(gap / 2.3) : 1
		for (i = gap + 1; i <= n; i++) {
			x = list[i]
			for (j = i - gap; j > 0 && (high[x] > high[list[j]] || \
			     high[x] == high[list[j]] && low[x] < low[list[j]]); j -= gap)
				list[j + gap] = list[j]
			list[j + gap] = x
		}
	}
}

# The first culprit in rank[] that has a function (is_named: 1) or none (0); 0: there is none.
function first_ranked(is_named,	i) {
	for (i = 1; i <= nr_ranked; i++)
		if (c_is_named[rank[i]] == is_named)
			return rank[i]
	return 0
}

# Whether most of its time is in windows that waited for other CPUs, and have no holder.
function is_alone(c) {
	return c_is_named[c] && c_alone_ns[c] * 2 > c_total_ns[c]
}

# Whether most samples show the function, and nothing speaks against it.
function is_sure(c) {
	return c_is_named[c] && c_samples[c] && c_samples[c] + c_at_end[c] > 1 && c_samples[c] * 2 > c_all_samples[c] && !c_is_weak[c] && !is_alone(c)
}

function find_answer(	i, c, windows, ns) {
	windows = ns = 0
	for (i = 1; i <= nr_ranked; i++) {
		c = rank[i]
		windows += (c_is_named[c] ? -1 : 1) * (c_windows[c] + c_waiters[c])
		ns += (c_is_named[c] ? -UNEXPLAINED_FACTOR : 1) * blocked_ns(c)
	}
	answer = first_ranked(first_ranked(1) && (windows <= 0 || ns <= 0))
}

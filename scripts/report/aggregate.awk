# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows summed up: for each kind, and for each culprit (name.awk). Windows that cannot be
# traced to a function are summed up by the reason.
#
# Owns:
#	kind_windows[kind], kind_worst_ns[kind]
#	win_c[n]	the culprit of window n, an index into these:
#	nr_culprits, c_kind[c] (hardirq, softirq, nosched, mixed), c_function[c], c_context[c]
#	c_callers[c]	"inner < outer", as far as they are the same in all paths
#	c_inside[c]	where most of the time passed, below c_function[c]: "inner < outer"; or ""
#	c_windows[c], c_total_ns[c], c_worst_ns[c], c_samples[c]
#	c_waiters[c], c_waited_ns[c], c_waited_most_ns[c]	windows on other CPUs that waited for it
#	c_rank[c]	RANK_CULPRIT, or RANK_NOBODY, which sorts after every RANK_CULPRIT
#	unexplained_c	the RANK_NOBODY row with the most time, if these rows are the answer; else 0
#	c_shared_name[c]	of its tasks; c_task[c]	the task of its last window
#	c_cgroup[c]	of its first window
#	c_pids[c], c_comms[c], c_nr_cpus[c]	how many different ones
#	c_cpus[c]	"3,0,1", as they came
#	rank[1] ...	culprits, by c_rank[], then by time, which counts kind_weight[kind] times
#	worst_n		the longest window that has a culprit; 0: none
#	culprit_index[why]	the row of windows that cannot be traced for this reason, named nobody_text[why]
#	culprit_pid[c, pid], culprit_comm[c, comm], culprit_cpu[c, cpu]	what the row has counted

BEGIN {
	kind_windows["hardirq"] = kind_windows["softirq"] = kind_windows["nosched"] = 0
	kind_worst_ns["hardirq"] = kind_worst_ns["softirq"] = kind_worst_ns["nosched"] = 0
	nr_culprits = worst_n = 0
	RANK_CULPRIT = 0
	RANK_NOBODY = 1
	# Unexplained windows are the answer if they are more than the others, and took this many
	# times as long.
	UNEXPLAINED_FACTOR = 4
	# When times are close, what stops interrupts comes first, and what stops only tasks last.
	kind_weight["hardirq"] = kind_weight["mixed"] = 4
	kind_weight["softirq"] = 1
	kind_weight["nosched"] = 0.8
	nobody_text["paused"] = "(stopped by the hypervisor or firmware, measured)"
	nobody_text["unsampled"] = "(an interrupt handler or softirqs on an idle CPU, not sampled)"
	nobody_text["unknown"] = "(no sample shows what took the time)"
	nobody_text["stopped"] = "(the hypervisor or firmware stopped this machine)"
	nobody_text["stolen"] = "(the hypervisor did not run this CPU)"
	nobody_text["handler"] = "(an interrupt handler or the hypervisor, not sampled)"
	nobody_text["crowd"] = "(one task after the other, while ksoftirqd waited)"
	nobody_text["entry_code"] = "(nothing but entry code was seen)"
	nobody_text["lock"] = "(waited for a lock; its holder is not recorded)"
	nobody_text["cpus"] = "(waited for another CPU, which is not recorded)"
	nobody_text["switch"] = "(a task that had just left the CPU, not sampled)"
}

function add_kind(w,	kind, latency_ns) {
	kind = win_kind[w]
	latency_ns = win_latency_ns[w]
	kind_windows[kind]++
	if (latency_ns > kind_worst_ns[kind])
		kind_worst_ns[kind] = latency_ns
}

function new_culprit(kind, context, name,	c) {
	c = ++nr_culprits
	c_kind[c] = kind
	c_context[c] = context
	c_function[c] = name == "-" ? "[unknown]" : name
	c_callers[c] = c_inside[c] = c_cpus[c] = c_shared_name[c] = ""
	c_cgroup[c] = 0
	c_rank[c] = RANK_CULPRIT
	c_windows[c] = c_total_ns[c] = c_worst_ns[c] = c_samples[c] = 0
	c_waiters[c] = c_waited_ns[c] = c_waited_most_ns[c] = 0
	c_pids[c] = c_comms[c] = c_nr_cpus[c] = 0
	return c
}

# Where NMIs measure pauses, the report does not guess who stopped a CPU.
function reason(why) {
	return why ~ /^(stopped|handler)$/ && measures_pauses() ? "unknown" : why
}

# The row of windows that cannot be traced to a function, for one reason.
function nobody_culprit(why, kind,	c) {
	if (!(why in culprit_index)) {
		c = culprit_index[why] = new_culprit(kind, "", nobody_text[why])
		c_rank[c] = RANK_NOBODY
	}
	c = culprit_index[why]
	if (c_kind[c] != kind)
		c_kind[c] = "mixed"
	return c
}

# Window n has culprit c for ns, in task t.
function add_share_to(c, n, ns, t, samples,	pid, comm) {
	pid = task_pid[t]
	comm = task_comm[t]
	c_total_ns[c] += ns
	c_samples[c] += samples
	c_task[c] = t + 0
	if (!((c, pid) in culprit_pid)) {
		culprit_pid[c, pid] = 1
		c_pids[c]++
	}
	if (!((c, comm) in culprit_comm)) {
		culprit_comm[c, comm] = 1
		c_comms[c]++
	}
	if (!((c, win_cpu[n]) in culprit_cpu)) {
		culprit_cpu[c, win_cpu[n]] = 1
		c_nr_cpus[c]++
		c_cpus[c] = c_cpus[c] (c_cpus[c] == "" ? "" : ",") win_cpu[n]
	}
}

# Time spent waiting for a lock belongs to the lock's holder, not to this window's task.
function is_used(p) {
	return path_waits[p] != "lock"
}

# Items, of all windows that have a culprit of their own.
function find_items(	n, i, nr, part) {
	for (n = nr_open + 1; n <= nr_rows; n++) {
		if (win_nobody[n] != "" || win_holder[n])
			continue
		nr = split(win_paths[n], part, " ")
		for (i = 1; i < nr; i += SHARE_PARTS)
			if (is_used(part[i]))
				add_item(part[i], part[i + 1], part[i + 2], part[i + 4])
	}
}

function sum_window(n,	i, nr, part, c, seen) {
	nr = split(win_paths[n], part, " ")
	if (win_nobody[n] != "") {
		c = win_c[n] = nobody_culprit(reason(win_nobody[n]), win_kind[n])
		add_share_to(c, n, win_latency_ns[n], part[4], win_nr_samples[n])
		c_windows[c]++
		if (win_latency_ns[n] > c_worst_ns[c])
			c_worst_ns[c] = win_latency_ns[n]
		return
	}
	for (i = 1; i < nr; i += SHARE_PARTS) {
		if (!is_used(part[i]))
			continue
		c = item_c[item_of[part[i], part[i + 1]]]
		if (!c_cgroup[c])
			c_cgroup[c] = path_cgroup[part[i]]
		add_share_to(c, n, part[i + 2], part[i + 3], part[i + 4])
		if (!(c in seen))
			c_windows[c]++
		seen[c] = (c in seen ? seen[c] : 0) + part[i + 2]
		if (seen[c] > c_worst_ns[c])
			c_worst_ns[c] = seen[c]
		if (!win_c[n] || seen[c] > seen[win_c[n]])
			win_c[n] = c
	}
	if (!worst_n || win_latency_ns[n] > win_latency_ns[worst_n])
		worst_n = n
}

# END: all windows have been read.
function sum_up(	n, i, c, h) {
	find_incidents()
	find_items()
	for (i = 1; i <= nr_groups; i++)
		explain(group[i])
	for (n = nr_open + 1; n <= nr_rows; n++) {
		win_c[n] = 0
		if (!win_holder[n])
			sum_window(n)
	}
	for (i = 1; i <= nr_suspects; i++) {
		n = suspect[i]
		if (!win_holder[n])
			continue
		h = win_holder[n]
		if (win_holder[h])
			h = win_holder[h]
		c = win_c[n] = win_c[h]
		c_waiters[c]++
		c_waited_ns[c] += win_latency_ns[n]
		if (win_latency_ns[n] > c_waited_most_ns[c])
			c_waited_most_ns[c] = win_latency_ns[n]
	}
	find_unexplained()
	rank_culprits()
}

# Sets unexplained_c.
function find_unexplained(	c, windows, ns) {
	windows = ns = unexplained_c = 0
	for (c = 1; c <= nr_culprits; c++)
		if (c_rank[c] == RANK_CULPRIT) {
			windows -= c_windows[c] + c_waiters[c]
			ns -= UNEXPLAINED_FACTOR * (c_total_ns[c] + c_waited_ns[c])
		} else {
			windows += c_windows[c] + c_waiters[c]
			ns += c_total_ns[c] + c_waited_ns[c]
			if (!unexplained_c || c_total_ns[c] > c_total_ns[unexplained_c])
				unexplained_c = c
		}
	if (windows <= 0 || ns <= 0)
		unexplained_c = 0
}

function weight(c) {
	return (c_total_ns[c] + c_waited_ns[c]) * kind_weight[c_kind[c]]
}

function rank_culprits(	c, is_culprit, lightness) {
	for (c = 1; c <= nr_culprits; c++) {
		rank[c] = c
		is_culprit[c] = c_rank[c] == RANK_CULPRIT
		lightness[c] = -weight(c)
	}
	sort_by(rank, nr_culprits, is_culprit, lightness)
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

# The culprit that the first line of the report names; 0: there is none.
function answer_c() {
	return unexplained_c ? unexplained_c : nr_culprits ? rank[1] : 0
}

# The culprit of one window alone.
function own_culprit(w,	p, n, frame, part) {
	if (without_name(w) != "")
		return nobody_text[without_name(w)]
	split(win_paths[w], part, " ")
	p = part[1]
	n = split(path_frames[p], frame, ";")
	if (path_impossible[p])
		return nobody_text[reason(path_frames[p] == "[user]" ? "stopped" : "handler")]
	if (path_waits[p] == "lock")
		return "waits for a lock in " (path_work[p] ? frame[path_work[p]] : frame[n])
	n = part[2] > 0 ? part[2] : path_work[p] ? path_work[p] : n
	return frame[n] != "-" ? frame[n] : "[unknown]"
}

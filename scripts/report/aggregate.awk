# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows summed up: for each kind, and for each culprit of the tree (tree.awk). Windows that cannot
# be traced to a function are summed up by the reason.
#
# Owns:
#	kind_windows[kind]
#	win_c[n]	the culprit of window n, an index into these:
#	nr_culprits, c_kind[c] (hardirq, softirq, mixed), c_function[c], c_context[c]
#	c_callers[c]	"inner < outer", as far as they are the same in all paths
#	c_inside[c]	where most of the time passed, below c_function[c]: "inner < outer"; or ""
#	c_windows[c], c_total_ns[c], c_worst_ns[c], c_samples[c]
#	c_waiters[c], c_waited_ns[c], c_waited_most_ns[c]	windows on other CPUs that waited for it
#	c_rank[c]	RANK_CULPRIT, or RANK_NOBODY: comes behind all of those
#	machine_c	the culprit that stands for what stopped this machine, if that is the answer; else 0
#	c_cgroup[c], c_comm[c], c_pid[c]	of its first window; of its last one
#	c_pids[c], c_comms[c]	how many different ones
#	c_cpus[c]	"3,0,1", as they came
#	rank[1] ...	culprits, by c_rank[], then by time: interrupts off counts HARDIRQ_WEIGHT times
#	worst_n		the longest window that has a culprit; 0: none

BEGIN {
	kind_windows["hardirq"] = kind_windows["softirq"] = 0
	nr_culprits = worst_n = 0
	RANK_CULPRIT = 0
	RANK_NOBODY = 1
	# A machine that was stopped this many times as often as there were other windows, and as
	# long, is the answer.
	MACHINE_FACTOR = 4
	HARDIRQ_WEIGHT = 4
	nobody_text["stopped"] = "(the hypervisor or firmware stopped this machine)"
	nobody_text["stolen"] = "(the hypervisor did not run this CPU)"
	nobody_text["handler"] = "(an interrupt handler or the hypervisor, not sampled)"
	nobody_text["crowd"] = "(one task after the other, while ksoftirqd waited)"
	nobody_text["unsampled"] = "(nothing but entry code was seen)"
	nobody_text["lock"] = "(waited for a lock; its holder is not recorded)"
	nobody_text["cpus"] = "(waited for another CPU, which is not recorded)"
	nobody_text["switch"] = "(a task that had just left the CPU, not sampled)"
}

function new_culprit(kind, context, name,	c) {
	c = ++nr_culprits
	c_kind[c] = kind
	c_context[c] = context
	c_function[c] = name == "-" ? "[unknown]" : name
	c_callers[c] = c_inside[c] = c_cpus[c] = ""
	c_cgroup[c] = 0
	c_rank[c] = RANK_CULPRIT
	c_windows[c] = c_total_ns[c] = c_worst_ns[c] = c_samples[c] = 0
	c_waiters[c] = c_waited_ns[c] = c_waited_most_ns[c] = 0
	c_pids[c] = c_comms[c] = 0
	return c
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

# Window n has culprit c for ns, in share s.
function add_share_to(c, n, s, ns, samples,	pid, comm) {
	c_total_ns[c] += ns
	c_samples[c] += samples
	pid = c_pid[c] = share_pid[s]
	comm = c_comm[c] = share_comm[s]
	c_pids[c] += is_new(culprit_pid, c " " pid)
	c_comms[c] += is_new(culprit_comm, c " " comm)
	if (is_new(culprit_cpu, c " " win_cpu[n]))
		c_cpus[c] = with_cpu(c_cpus[c], win_cpu[n])
}

# Time spent waiting for a lock belongs to the lock's holder, not to this window's task.
function is_used(p) {
	return path_waits[p] != "lock"
}

# The tree, of all windows that have a culprit of their own.
function grow_tree(	n, i, s, key, used_ns, used_samples, first, nr_used) {
	nr_used = 0
	for (n = nr_open + 1; n <= nr_rows; n++) {
		if (win_nobody[n] != "" || win_holder[n])
			continue
		for (s = win_share[n]; s <= win_last_share[n]; s++) {
			if (!is_used(share_path[s]))
				continue
			key = share_path[s] " " share_anchor[s]
			if (!(key in used_ns)) {
				first[++nr_used] = s
				used_ns[key] = used_samples[key] = 0
			}
			used_ns[key] += share_ns[s]
			used_samples[key] += share_samples[s]
		}
	}
	for (i = 1; i <= nr_used; i++) {
		s = first[i]
		key = share_path[s] " " share_anchor[s]
		add_to_tree(share_path[s], share_anchor[s], used_ns[key], used_samples[key])
	}
}

function sum_window(n,	s, c, seen) {
	if (win_nobody[n] != "") {
		c = win_c[n] = nobody_culprit(win_nobody[n], win_kind[n])
		add_share_to(c, n, win_main_share[n], win_latency_ns[n], win_nr_samples[n])
		c_windows[c]++
		if (win_latency_ns[n] > c_worst_ns[c])
			c_worst_ns[c] = win_latency_ns[n]
		return
	}
	for (s = win_share[n]; s <= win_last_share[n]; s++) {
		if (!is_used(share_path[s]))
			continue
		c = culprit_of(share_path[s])
		if (!c_cgroup[c])
			c_cgroup[c] = path_cgroup[share_path[s]]
		add_share_to(c, n, s, share_ns[s], share_samples[s])
		if (!(c in seen))
			c_windows[c]++
		seen[c] = (c in seen ? seen[c] : 0) + share_ns[s]
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
	grow_tree()
	for (i = 1; i <= nr_groups; i++)
		divide(tree_root[i], tree_root[i])
	for (n = nr_open + 1; n <= nr_rows; n++) {
		win_c[n] = 0
		if (!win_holder[n])
			sum_window(n)
	}
	for (i = 1; i <= nr_odd; i++) {
		n = odd[i]
		if (!win_holder[n])
			continue
		h = win_holder[n]
		# The first to end of CPUs that waited for a lock in turn may have a holder itself.
		if (win_holder[h])
			h = win_holder[h]
		c = win_c[n] = win_c[h]
		c_waiters[c]++
		c_waited_ns[c] += win_latency_ns[n]
		if (win_latency_ns[n] > c_waited_most_ns[c])
			c_waited_most_ns[c] = win_latency_ns[n]
	}
	find_machine()
	rank_culprits()
}

# The hypervisor, firmware or handlers stopped the machine, again and again. Culprits beside them
# may have been struck, too.
function find_machine(	c, why, windows, ns) {
	windows = ns = machine_c = 0
	for (c = 1; c <= nr_culprits; c++)
		if (c_rank[c] == RANK_CULPRIT) {
			windows -= MACHINE_FACTOR * (c_windows[c] + c_waiters[c])
			ns -= MACHINE_FACTOR * (c_total_ns[c] + c_waited_ns[c])
		}
	for (why in nobody_text) {
		if (why !~ /^(stopped|handler)$/ || !(why in culprit_index))
			continue
		c = culprit_index[why]
		windows += c_windows[c]
		ns += c_total_ns[c]
		if (!machine_c || c_total_ns[c] > c_total_ns[machine_c])
			machine_c = c
	}
	if (windows <= 0 || ns <= 0)
		machine_c = 0
}

function weight(c) {
	return (c_total_ns[c] + c_waited_ns[c]) * (c_kind[c] == "softirq" ? 1 : HARDIRQ_WEIGHT)
}

function comes_before(a, b) {
	return c_rank[a] != c_rank[b] ? c_rank[a] < c_rank[b] : weight(a) > weight(b)
}

# By shell sort, as there may be one culprit a record.
function rank_culprits(	gap, i, j, c) {
	for (i = 1; i <= nr_culprits; i++)
		rank[i] = i
	for (gap = nr_culprits; gap > 1; ) {
		gap = gap > 4 ? int(gap / 2.3) : 1
		for (i = gap + 1; i <= nr_culprits; i++) {
			c = rank[i]
			for (j = i - gap; j > 0 && comes_before(c, rank[j]); j -= gap)
				rank[j + gap] = rank[j]
			rank[j + gap] = c
		}
	}
}

# The culprit that the first line of the report names; 0: there is none.
function answer_c() {
	return machine_c ? machine_c : nr_culprits ? rank[1] : 0
}

# SPDX-License-Identifier: GPL-2.0
#
# Windows summed up: for each kind, and for each culprit.
#
# Owns:
#	kind_windows[kind], kind_worst_ns[kind]
#	worst_w, worst_ns	row (0: none) and latency of the longest window
#	win_c[w]	the culprit of row w, an index into these:
#	nr_culprits, c_kind[c], c_function[c], c_context[c], c_callers[c]
#	c_windows[c], c_total_ns[c], c_worst_ns[c], c_looks[c] (samples)
#	c_rank[c]	RANK_CULPRIT, or one that comes behind all of those: RANK_WAITED (victims of
#			one of several), RANK_UNKNOWN, RANK_STOLEN. Of the last two there is one each
#	c_under[c]	the culprit that this one waited for: it is a victim. Else 0
#	c_waits[c]	what victims waited for, l or c: see waits.awk. Else empty
#	c_wait_ns[c], c_rest_ns[c]	how long they did, and what is their own, at most
#	c_own_ns[c]	total, less the waits of those that are no victims: what culprits go by
#	c_victim_cpus[c], c_victim_waits[c]	CPUs of its victims, "3,2"; what these waited for
#	c_task[c]	the name that its tasks share, "kworker"
#	c_cgroup[c], c_comm[c], c_pid[c]	of its first window; of its last one
#	c_pids[c], c_comms[c], c_nr_cpus[c]	how many different ones
#	c_cpus[c]	"3,0,1", as they came
#	culprit_index[id], culprit_pid[c, pid], culprit_comm[c, comm], culprit_cpu[c, cpu],
#	culprit_victim[c, cpu]
#			what has been seen
#	rank[1] ...	culprits, by c_rank[], and then the one with the largest total first
#	place_of[c]	the number that it has there
#	worst_known_ns	latency of the longest window that has a culprit, 0 when there is none
#	worst_known[]	its columns, as its row may have been used again: c, kind, cpu, end,
#			culprit, tasks, unseen

BEGIN {
	no_kinds_yet()
	nr_culprits = worst_w = worst_ns = worst_known_ns = 0
	RANK_CULPRIT = 0
	RANK_WAITED = 1
	RANK_UNKNOWN = 2
	RANK_STOLEN = 3
}

function no_kinds_yet(	i) {
	for (i = 1; i <= nr_kinds; i++)
		kind_windows[kinds[i]] = kind_worst_ns[kinds[i]] = 0
}

# Windows that are nobody's here: made by the hypervisor, or seen where nobody makes any.
function rank_of(w) {
	return win_culprit[w] ~ /^\(unknown/ ? RANK_UNKNOWN : \
	       win_culprit[w] ~ /^\(the hypervisor/ ? RANK_STOLEN : RANK_CULPRIT
}

function add_kind(w,	kind, latency_ns) {
	kind = win_kind[w]
	latency_ns = win_latency_ns[w] + 0
	kind_windows[kind]++
	if (latency_ns > kind_worst_ns[kind])
		kind_worst_ns[kind] = latency_ns
	if (latency_ns > worst_ns) {
		worst_ns = latency_ns
		worst_w = w
	}
}

# In a task it matters which; on top of one it does not. Of kernel threads there is one a CPU,
# or many that share the work: kworker/3:1 and kworker/u8:2 are kworker, and the idle task
# swapper/3 is swapper.
function shared_name(w) {
	if (win_pid[w] == "0" || \
	    index(win_nr_samples[w] ? win_stacks[w] : " " win_stack[w], " ret_from_fork") == 1)
		return substr(win_comm[w], 1, index(win_comm[w] "/", "/") - 1)
	return win_comm[w]
}

function new_culprit(w, task_name,	c) {
	c = ++nr_culprits
	c_kind[c] = win_kind[w]
	c_function[c] = win_culprit[w]
	c_context[c] = win_context[w]
	c_callers[c] = win_callers[w]
	c_task[c] = task_name
	c_rank[c] = rank_of(w)
	c_cgroup[c] = win_cgroup[w]
	c_windows[c] = c_total_ns[c] = c_worst_ns[c] = c_looks[c] = 0
	c_pids[c] = c_comms[c] = c_nr_cpus[c] = 0
	c_under[c] = c_wait_ns[c] = c_rest_ns[c] = c_own_ns[c] = 0
	c_cpus[c] = c_waits[c] = c_victim_cpus[c] = c_victim_waits[c] = ""
	return c
}

# What a window that waited, number v, adds to its culprit, and to the one above it, "under".
function add_wait(c, v, under,	cpu) {
	if (wait_nr[v] != 0)
		c_wait_ns[c] += wait_most_ns[v]
	if (!wait_victim[v]) {
		c_own_ns[c] += wait_nr[v] ? wait_rest_ns[v] : wt_end[v] - wt_since[v]
		return
	}
	c_waits[c] = wait_kind[v]
	c_rest_ns[c] += wait_rest_ns[v]
	c_under[c] = under
	if (!under) {
		if (c_rank[c] == RANK_CULPRIT)
			c_rank[c] = RANK_WAITED
		return
	}
	cpu = wt_cpu[v]
	if (!((under, cpu) in culprit_victim)) {
		culprit_victim[under, cpu] = 1
		c_victim_cpus[under] = c_victim_cpus[under] (c_victim_cpus[under] == "" ? "" : ",") cpu
	}
	if (index(c_victim_waits[under], wait_kind[v]) == 0)
		c_victim_waits[under] = c_victim_waits[under] wait_kind[v]
}

# Of a window that waited, its number v, and the culprit that it is a victim of.
function add_culprit(w, v, under,	id, task_name, c, latency_ns) {
	latency_ns = win_latency_ns[w] + 0
	id = win_kind[w] SUBSEP win_culprit[w] SUBSEP win_context[w]
	task_name = win_comm[w]
	if (rank_of(w) != RANK_CULPRIT)
		id = rank_of(w)
	else if (win_context[w] == "task") {
		task_name = shared_name(w)
		id = id SUBSEP task_name SUBSEP win_cgroup[w] SUBSEP (win_pid[w] == "0")
	}
	if (v && wait_victim[v])
		id = id SUBSEP "waits" SUBSEP wait_kind[v] SUBSEP under
	if (!(id in culprit_index))
		culprit_index[id] = new_culprit(w, task_name)
	c = win_c[w] = culprit_index[id]
	if (c_kind[c] != win_kind[w])
		c_kind[c] = "mixed"
	if (c_function[c] != win_culprit[w])
		c_function[c] = "(unknown, seen where nobody keeps interrupts off)"
	if (v)
		add_wait(c, v, under)
	else
		c_own_ns[c] += latency_ns
	if (c_rank[c] == RANK_CULPRIT && !(v && wait_victim[v]) && latency_ns > worst_known_ns) {
		worst_known_ns = latency_ns
		worst_known["c"] = c
		worst_known["kind"] = win_kind[w]
		worst_known["cpu"] = win_cpu[w]
		worst_known["end"] = win_end[w]
		worst_known["culprit"] = win_culprit[w]
		worst_known["tasks"] = within(win_context[w], task(win_comm[w], win_pid[w]))
		worst_known["unseen"] = win_begin_unseen[w]
	}
	c_windows[c]++
	c_total_ns[c] += latency_ns
	c_looks[c] += win_nr_samples[w]
	if (latency_ns > c_worst_ns[c])
		c_worst_ns[c] = latency_ns
	c_pid[c] = win_pid[w]
	c_comm[c] = win_comm[w]
	if (!((c, win_pid[w]) in culprit_pid)) {
		culprit_pid[c, win_pid[w]] = 1
		c_pids[c]++
	}
	if (!((c, win_comm[w]) in culprit_comm)) {
		culprit_comm[c, win_comm[w]] = 1
		c_comms[c]++
	}
	if (!((c, win_cpu[w]) in culprit_cpu)) {
		culprit_cpu[c, win_cpu[w]] = 1
		c_nr_cpus[c]++
		c_cpus[c] = c_cpus[c] (c_cpus[c] == "" ? "" : ",") win_cpu[w]
	}
}

# Victims stand below the culprit that they waited for.
function comes_before(a, b,	head_a, head_b) {
	head_a = c_under[a] ? c_under[a] : a
	head_b = c_under[b] ? c_under[b] : b
	if (head_a == head_b)
		return a == head_a || b != head_b && c_total_ns[a] > c_total_ns[b]
	if (c_rank[head_a] != c_rank[head_b])
		return c_rank[head_a] < c_rank[head_b]
	return c_own_ns[head_a] > c_own_ns[head_b] || c_own_ns[head_a] == c_own_ns[head_b] && head_a < head_b
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
	for (i = 1; i <= nr_culprits; i++)
		place_of[rank[i]] = i
}

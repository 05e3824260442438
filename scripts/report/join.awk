# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# One operation can have two culprits: a function, and one that it calls. The windows of the callee count for
# the caller if most windows of each, and at least two, also have the other. Windows that follow each other in
# the same task on the same CPU count as one.
#
# Owns:
#	joined[c, d], is_joined[c, d, n]	windows of c that are beside a window of d; counted once
#	callee[1 ... nr_callees], caller[i]	pairs that are beside each other
#	all_in[n]	culprits_in(n)
#	nr_in_all[c]	windows with a part of c
#	known_called[c, d]	see is_called_by(); a cache

BEGIN {
	FOLLOWS_S = 0.1		# windows of one operation are at most this far apart
	nr_callees = 0
	LAST = 4		# windows before a window on its CPU that are compared
}

# Whether d is a caller of c in all paths of c.
function is_called_by(c, d) {
	if (!((c, d) in known_called))
		known_called[c, d] = c_context[c] == c_context[d] && index(" < " c_callers[c] " < ", " < " c_function[d] " < ") > 0
	return known_called[c, d]
}

# Window n has a part of c, beside a part of d.
function join_windows(c, n, d) {
	if ((c, d, n) in is_joined)
		return
	is_joined[c, d, n] = 1
	if (!joined[c, d]++ && is_called_by(c, d) && !is_called_by(d, c)) {
		callee[++nr_callees] = c
		caller[nr_callees] = d
	}
}

# The culprits of window n, each once, as "3 1".
function culprits_in(n,	i, nr, part, c, list) {
	list = " "
	nr = n in win_nobody || n in win_holder ? 0 : split(win_paths[n], part, " ")
	for (i = 1; i < nr; i += SHARE_PARTS)
		if (part[i + 2] + 0 && waits_for(part, i) != "lock") {
			c = item_c[item_of[item_key(part, i)]]
			if (!index(list, " " c " ")) {
				list = list c " "
				nr_in_all[c]++
			}
		}
	return list
}

function join_with(n, m,	i, k, nr, nr_m, c, d) {
	nr = split(all_in[n], c, " ")
	nr_m = split(all_in[m], d, " ")
	for (i = 1; i <= nr; i++)
		for (k = 1; k <= nr_m; k++)
			if (c[i] != d[k] && (is_called_by(c[i], d[k]) || is_called_by(d[k], c[i]))) {
				join_windows(c[i], n, d[k])
				join_windows(d[k], m, c[i])
			}
}

function is_one_operation(c, d) {
	return joined[c, d] > 1 && joined[d, c] > 1 && joined[c, d] >= MOST * nr_in_all[c] && joined[d, c] >= MOST * nr_in_all[d]
}

function join_culprits(	n, i, m, cpu, nr_on, on, into) {
	for (n = nr_open + 1; n <= nr_rows; n++) {
		all_in[n] = culprits_in(n)
		cpu = win_cpu[n]
		on[cpu, ++nr_on[cpu]] = n
		for (i = nr_on[cpu]; i > 0 && i >= nr_on[cpu] - LAST; i--) {
			m = on[cpu, i]
			if (ended_begin(n) - win_end_s[m] <= FOLLOWS_S && task_pid[win_task[n]] == task_pid[win_task[m]])
				join_with(n, m)
		}
	}
	for (i = 1; i <= nr_callees; i++)
		if (!(callee[i] in into) && is_one_operation(callee[i], caller[i]))
			into[callee[i]] = caller[i]
	for (i = 1; i <= nr_callees; i++)
		if (callee[i] in into && into[callee[i]] == caller[i])
			give_items(callee[i], into)
}

# Gives the items of callee c to its outermost caller in into[].
function give_items(c, into,	d, i, nr, item) {
	for (d = into[c]; d in into; d = into[d])
		;
	nr = 0
	for (i = 1; i <= nr_items; i++) {
		if (item_c[i] == c)
			item_has[i, c_function[d]] = position_by_name(item_path[i], c_function[d])
		if (item_c[i] == c || item_c[i] == d) {
			item_c[i] = d
			item[++nr] = i
		}
	}
	culprit_index[SUBSEP c_function[c]] = d
	c_described_ns[d] = 0
	describe(d, c_function[d], nr, item)
}

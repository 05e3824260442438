# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Which function to name as a culprit: step 6 of Documentation/attribution.md.
#
# Owns. An item is a path with an anchor and a position, without "~":
#	item_of[item_key()]	its number i; item_path[i], item_anchor[i], item_position[i]	its parts
#	item_ns[i], item_samples[i], item_c[i]	of its shares; its culprit, or 0 until it is known
#	item_has[i, name]	the function's number in the path, if the path may be named after it
#	group[1] ... group[nr_groups]; nr_items_of[group], group_item[group, j]	their items
# Of one group:
#	names[1] ... names[nr_names]	functions that may be named, by names_ns[k]: the time of all items
#				that have them. No function before names[first_name] may be named any more
#	nr_with[name], item_with[name, j], name_order[name]	the items that have it; callers come first
#	name_ns[name], name_samples[name], name_anchored[name]	sums of those that are left; how many of
#				these have it within their anchor
# Of a culprit: c_described_ns[c], the time of the items that c_inside[c] and c_deep[c] are of

BEGIN {
	nr_groups = nr_items = 0
	MANY_SAMPLES = 5	# all hit a function that takes half of the time in 3 % of cases
	MOST = 0.8
}

# If only other samples show it, it is the same function nevertheless.
function without_mark(position) {
	sub(/~$/, "", position)
	return position
}

# Of the share in part[i], ...
function item_key(part, i) {
	return part[i] SUBSEP part[i + 1] SUBSEP without_mark(part[i + 5])
}

function add_item(part, share,	i, g, key) {
	key = item_key(part, share)
	if (!(key in item_of)) {
		i = item_of[key] = ++nr_items
		item_path[i] = part[share] + 0
		item_anchor[i] = part[share + 1] + 0
		item_position[i] = without_mark(part[share + 5])
		item_ns[i] = item_samples[i] = item_c[i] = 0
		g = path_context[item_path[i]]
		if (!(g in nr_items_of))
			group[++nr_groups] = g
		group_item[g, ++nr_items_of[g]] = i
	}
	i = item_of[key]
	item_ns[i] += part[share + 2]
	item_samples[i] += part[share + 4] + 0 ? part[share + 4] : 1
}

# Adds item i to the sums of the group, or takes it away (sign: 1 or -1).
function count_names(i, sign,	p, n, k, frame, anchor) {
	p = item_path[i]
	n = split(path_frames[p], frame, ";")
	k = item_position[i] + 0
	if (k && item_position[i] !~ /[+]$/)
		return count_name(i, frame[k], k, 1, sign)
	if (!path_work[p]) {
		k = path_weak[p] ? path_weak[p] : n
		return count_name(i, frame[k], k, 1, sign)
	}
	n = path_work[p]
	anchor = k ? k : item_anchor[i]
	if (!k)
		# Stop below dispatch code: its callers are not named.
		for (k = anchor ? anchor : n; k > 1 && !is_a("common", frame[k - 1]); k--)
			;
	# Without an anchor, only the outermost function may be named.
	if (!anchor) {
		while (is_helping(frame[k]))
			k++
		anchor = k
	}
	# In a task, functions below the anchor ran only in a part of the window.
	for (; k <= n; k++)
		if (!is_a("common", frame[k]) && !is_helping(frame[k]))
			count_name(i, frame[k], k, k <= anchor, sign)
}

function count_name(i, name, k, is_anchored, sign) {
	# Recursion counts once.
	if ((i, name) in item_has && item_has[i, name] != k)
		return
	if (!(name in name_ns)) {
		names[++nr_names] = name
		name_order[name] = nr_names
		name_ns[name] = name_samples[name] = name_anchored[name] = nr_with[name] = 0
	}
	if (!((i, name) in item_has))
		item_with[name, ++nr_with[name]] = i
	item_has[i, name] = k
	name_ns[name] += sign * item_ns[i]
	name_samples[name] += sign * item_samples[i]
	name_anchored[name] += sign * is_anchored
}

function may_be_named(name) {
	return name_anchored[name] || name_samples[name] >= MANY_SAMPLES
}

# The function with the most time; of two with the same time, the caller. Times only become shorter,
# so the search ends at the first function that never had more.
function heaviest_name(	k, heaviest) {
	while (first_name < nr_names && !name_anchored[names[first_name]])
		first_name++
	heaviest = ""
	for (k = first_name; k <= nr_names && (heaviest == "" || names_ns[k] > name_ns[heaviest]); k++)
		if (name_anchored[names[k]] && (heaviest == "" || name_ns[names[k]] > name_ns[heaviest]))
			heaviest = names[k]
	return heaviest
}

# From a caller down to the function that it called for most of its time. item[1 ... nr] have it.
function innermost_name(caller, nr, item,	name, best, ns, j, i, k, n, frame, visited) {
	name = caller
	for (;;) {
		# Functions that call each other in different orders could form a cycle.
		visited[name] = 1
		split("", ns)
		best = ""
		for (j = 1; j <= nr; j++) {
			i = item[j]
			if (!((i, name) in item_has))
				continue
			n = split(path_frames[item_path[i]], frame, ";")
			for (k = item_has[i, name] + 1; k <= n; k++)
				if ((i, frame[k]) in item_has && item_has[i, frame[k]] == k && !(frame[k] in visited) && may_be_named(frame[k])) {
					ns[frame[k]] += item_ns[i]
					if (best == "" || ns[frame[k]] > ns[best])
						best = frame[k]
				}
		}
		if (best == "" || ns[best] < MOST * name_ns[caller])
			return name
		name = best
	}
}

# Sets item[] to the items that have a function and no culprit yet. Returns their number.
function items_with(name, item,	j, n) {
	n = 0
	for (j = 1; j <= nr_with[name]; j++)
		if (!item_c[item_with[name, j]])
			item[++n] = item_with[name, j]
	return n
}

# Gives them to culprit c.
function take_items(c, name,	j, n, item) {
	n = items_with(name, item)
	for (j = 1; j <= n; j++) {
		item_c[item[j]] = c
		count_names(item[j], -1)
	}
	return n
}

function explain(g,	j, k, c, caller, name, item, with_name, left) {
	split("", name_ns)
	nr_names = 0
	left = nr_items_of[g]
	for (j = 1; j <= left; j++)
		count_names(group_item[g, j], 1)
	sort_by(names, nr_names, name_ns, name_order)
	for (k = 1; k <= nr_names; k++)
		names_ns[k] = name_ns[names[k]]
	first_name = 1
	while (left > 0) {
		caller = heaviest_name()
		name = innermost_name(caller, items_with(caller, item), item)
		c = culprit_of(SUBSEP name, g, name)
		c_is_weak[c] = name !~ /^\[/ && (is_a("common", name) || is_helping(name))
		describe(c, name, items_with(name, with_name), with_name)
		left -= take_items(c, caller)
		left -= take_items(c, name)
	}
}

function describe(c, name, nr, item,	j, i, callers, ns) {
	ns = 0
	for (j = 1; j <= nr; j++) {
		i = item[j]
		callers = callers_of(i, item_has[i, name])
		# It may have been found in another context, too.
		c_callers[c] = c in c_described_ns || j > 1 ? same_callers(c_callers[c], callers) : callers
		ns += item_ns[i]
	}
	if (!(c in c_described_ns) || ns > c_described_ns[c]) {
		c_inside[c] = inside(name, nr, item, ns, c)
		c_described_ns[c] = ns
	}
}

function callers_of(i, depth,	frame, text) {
	split(path_frames[item_path[i]], frame, ";")
	text = ""
	while (--depth > 0)
		text = text (text == "" ? "" : " < ") frame[depth]
	return text
}

# What both lists of callers begin with.
function same_callers(a, b,	n, m, i, x, y, text) {
	n = split(a, x, " < ")
	m = split(b, y, " < ")
	text = ""
	for (i = 1; i <= n && i <= m && x[i] == y[i]; i++)
		text = text (i > 1 ? " < " : "") x[i]
	return text
}

# The calls below the named function in which most of the time passed: "inner < outer". Sets c_deep[c].
function inside(name, nr, item, total_ns, c,	depth, j, i, k, frame, callee, ns, best, text, samples, all) {
	text = best = c_deep[c] = ""
	for (depth = 1; ; depth++) {
		for (j = 1; j <= nr; j++) {
			i = item[j]
			k = item_has[i, name] + depth
			split(path_frames[item_path[i]], frame, ";")
			# Items without the callees so far are out.
			callee[i] = depth > 1 && callee[i] != best || k > path_work[item_path[i]] ? "" : frame[k]
		}
		split("", ns)
		split("", samples)
		best = ""
		for (j = 1; j <= nr; j++) {
			i = item[j]
			all += depth == 1 ? item_samples[i] : 0
			if (callee[i] == "")
				continue
			ns[callee[i]] += item_ns[i]
			samples[callee[i]] += item_samples[i]
			if (best == "" || ns[callee[i]] > ns[best])
				best = callee[i]
		}
		if (best == "" || ns[best] * 2 < total_ns)
			return text
		text = best (text == "" ? "" : " < ") text
		if (best != name && samples[best] >= MOST * all && !is_a("common", best) && !is_helping(best))
			c_deep[c] = best
	}
}

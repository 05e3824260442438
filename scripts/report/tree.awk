# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The paths of a kind, context, task and cgroup (a group) are a tree. From its root down, a function that
# only dispatches divides the work among its children; the first other function is a culprit. The
# culprit is named after the function where the paths part.
#
# Owns. A node is a group and the frames down to it:
#	node_ns[node], node_samples[node]	of all paths through it
#	node_anchored_ns[node]	of the paths whose window was ended by a function here or below
#	node_leaf_ns[node]	of the paths that end here
#	node_children[node]	frames, each with a ";" in front
#	node_c[node]		its culprit, an index into the tables of aggregate.awk
#	rest_name[node]		the node whose function names the paths below node that have no culprit
#	path_node[p], ends_paths[node]	where a path ends
#	path_c[p]		its culprit, when the tree has been divided
#	group[1] ... group[nr_groups]	roots

BEGIN {
	nr_groups = 0
	# Five samples in a row are in one function by chance in 3 %, if it takes half of the time.
	MANY_SAMPLES = 5
	MOST = 0.8
}

function group_of(p) {
	return path_kind[p] SUBSEP path_context[p] SUBSEP path_comm[p] SUBSEP path_cgroup[p]
}

# Time of a path, whose first anchor frames end in the function that ended the window.
function add_to_tree(p, anchor, ns, samples,	i, n, frame, node, child) {
	node = group_of(p)
	if (!(node in node_ns)) {
		group[++nr_groups] = node
		node_ns[node] = 0
		node_children[node] = ""
	}
	n = split(path_frames[p], frame, ";")
	if (path_work[p])
		n = path_work[p]
	for (i = 1; i <= n; i++) {
		child = node ";" frame[i]
		if (!(child in node_ns)) {
			node_children[node] = node_children[node] ";" frame[i]
			node_children[child] = ""
			node_ns[child] = node_samples[child] = node_anchored_ns[child] = node_leaf_ns[child] = 0
		}
		node = child
		node_ns[node] += ns
		node_samples[node] += samples
		if (i <= anchor)
			node_anchored_ns[node] += ns
	}
	node_leaf_ns[node] += ns
	path_node[p] = node
	ends_paths[node] = 1
}

function last_frame(node) {
	sub(/^.*;/, "", node)
	return node
}

function children_of(node, frame) {
	return node_children[node] == "" ? 0 : split(substr(node_children[node], 2), frame, ";")
}

function heaviest_child(node,	n, i, frame, best) {
	best = ""
	n = children_of(node, frame)
	for (i = 1; i <= n; i++)
		if (best == "" || node_ns[node ";" frame[i]] > node_ns[best])
			best = node ";" frame[i]
	return best
}

# From the culprit's outermost function to the one to name. In a task, that is the function that ended the
# windows; a handler has many functions, and many samples tell which of them it was. Dispatch code is not named.
function name_node(node, context,	child) {
	for (;;) {
		child = heaviest_child(node)
		if (child == "" || node_ns[child] < MOST * node_ns[node])
			break
		if (!is_a("common", last_frame(node)) && node_anchored_ns[child] * 2 < node_ns[child] && \
		    (context == "task" || node_samples[node] < MANY_SAMPLES || node_leaf_ns[child] > MOST * node_ns[child]))
			break
		node = child
	}
	return node
}

# Helpers are named by their callers.
function without_helpers(node, root) {
	while (node != root && is_a("helper", last_frame(node)))
		sub(/;[^;]*$/, "", node)
	return node
}

function without_dispatch(node) {
	while (is_a("common", last_frame(node)))
		sub(/;[^;]*$/, "", node)
	return node
}

function callers_of(node, root,	n, i, frame, text) {
	text = ""
	n = split(substr(node, length(root) + 2), frame, ";")
	for (i = n - 1; i > 0; i--)
		text = text (text == "" ? "" : " < ") frame[i]
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

function inside(node,	name, child, text) {
	name = node
	text = ""
	for (;;) {
		child = heaviest_child(node)
		if (child == "" || node_ns[child] * 2 < node_ns[name])
			return text
		node = child
		text = last_frame(node) (text == "" ? "" : " < ") text
	}
}

# The culprit of a path: its node, or the next one above, has it.
function culprit_of(p,	node) {
	if (!(p in path_c)) {
		for (node = path_node[p]; !(node in node_c) && !(node in rest_name) && sub(/;[^;]*$/, "", node); )
			;
		if (!(node in node_c))
			add_row(node, group_of(p), rest_name[node])
		path_c[p] = node_c[node]
	}
	return path_c[p]
}

function add_row(node, root, function_node,	c, id, callers, part) {
	callers = callers_of(function_node, root)
	id = root SUBSEP last_frame(function_node)
	if (!(id in culprit_index)) {
		split(root, part, SUBSEP)
		c = culprit_index[id] = new_culprit(part[1], part[2], last_frame(function_node))
		c_shared_name[c] = part[3]
		c_callers[c] = callers
		c_inside[c] = inside(function_node)
	} else {
		c = culprit_index[id]
		c_callers[c] = same_callers(c_callers[c], callers)
	}
	node_c[node] = c
}

function divide(node, root,	n, i, frame, part, name, rest) {
	if (node != root && !is_a("common", last_frame(node))) {
		split(root, part, SUBSEP)
		name = name_node(node, part[2])
		if (!is_a("common", last_frame(name)))
			return add_row(node, root, without_helpers(name, node))
		# The paths part in dispatch code: each is a culprit. Its caller stands for the rest, if there is any.
		for (rest = without_dispatch(name); length(rest) >= length(node); sub(/;[^;]*$/, "", rest))
			rest_name[rest] = without_helpers(without_dispatch(rest), node)
		n = children_of(name, frame)
		for (i = 1; i <= n; i++)
			divide(name ";" frame[i], root)
		return
	}
	n = children_of(node, frame)
	for (i = 1; i <= n; i++)
		divide(node ";" frame[i], root)
	# Paths without any work end here.
	if (node in ends_paths)
		add_row(node, root, node)
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The paths of a kind, context, task and cgroup (a group) are a tree. From its root down, a function
# that only dispatches divides the work among its children; the first other function is a culprit.
# The culprit is named after the function where the paths part.
#
# Owns. A node is a stack (see parse.awk) that begins at the root of its group:
#	node_ns[node], node_samples[node]	of all paths through it
#	node_anchored_ns[node]	of the paths whose window was ended by a function here or below
#	node_leaf_ns[node]	of the paths that end here
#	node_children[node]	" CHILD CHILD ..."
#	node_c[node]		its culprit, an index into the tables of aggregate.awk
#	rest_name[node]		the node whose function names the paths below node that have no culprit
#	path_node[p], ends_paths[node]	where a path ends
#	path_c[p]		its culprit, when the tree has been divided
#	tree_root[1] ... tree_root[nr_groups], group_root[group], root_path[root] (a path of the group)

BEGIN {
	nr_groups = 0
	# Only many samples tell a hot function from chance.
	MANY_SAMPLES = 8
	MOST = 0.8
}

function new_node(outer, frame,	node) {
	node = inner_of(outer, frame)
	if (!(node in node_ns)) {
		node_ns[node] = node_samples[node] = node_anchored_ns[node] = node_leaf_ns[node] = 0
		node_children[node] = ""
		node_children[outer] = node_children[outer] " " node
	}
	return node
}

function root_of(p,	group) {
	group = path_kind[p] " " path_context[p] " " path_comm[p] " " path_cgroup[p]
	if (!(group in group_root)) {
		# No frame has blanks.
		tree_root[++nr_groups] = group_root[group] = inner_of(0, group)
		root_path[tree_root[nr_groups]] = p
		node_children[tree_root[nr_groups]] = ""
	}
	return group_root[group]
}

# Time of a path, whose first anchor frames end in the function that ended the window.
function add_to_tree(p, anchor, ns, samples,	i, n, frame, node) {
	node = root_of(p)
	split(stack_text[path_stack[p]], frame, ";")
	n = path_work[p] ? path_work[p] : nr_frames(p)
	for (i = 1; i <= n; i++) {
		node = new_node(node, frame[path_cut[p] + i])
		node_ns[node] += ns
		node_samples[node] += samples
		if (i <= anchor)
			node_anchored_ns[node] += ns
	}
	node_leaf_ns[node] += ns
	path_node[p] = node
	ends_paths[node] = 1
}

function children_of(node, child) {
	return split(node_children[node], child, " ")
}

# 0: it has no children.
function heaviest_child(node,	n, i, child, best) {
	best = 0
	n = children_of(node, child)
	for (i = 1; i <= n; i++)
		if (!best || node_ns[child[i]] > node_ns[best])
			best = child[i]
	return best
}

# From the culprit's outermost function down to the function to name. In a task, that function ended
# the windows. A handler has many functions, and many samples tell which of them it was. Dispatch
# code is not named.
function name_node(node, context,	child) {
	for (;;) {
		child = heaviest_child(node)
		if (!child || node_ns[child] < MOST * node_ns[node])
			break
		if (!is_a("common", stack_frame[node]) && node_anchored_ns[child] * 2 < node_ns[child] && \
		    (context == "task" || node_samples[node] < MANY_SAMPLES || \
		     node_leaf_ns[child] > MOST * node_ns[child]))
			break
		node = child
	}
	return node
}

# Helpers are named by their callers, of which the outermost is the last resort.
function without_helpers(node, outermost) {
	while (node != outermost && is_a("helper", stack_frame[node]))
		node = stack_outer[node]
	return node
}

function without_dispatch(node) {
	while (is_a("common", stack_frame[node]))
		node = stack_outer[node]
	return node
}

function callers_of(node, root_node,	text) {
	text = ""
	for (node = stack_outer[node]; node && node != root_node; node = stack_outer[node])
		text = text (text == "" ? "" : " < ") stack_frame[node]
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

# The functions below a node in which at least half of its time passed.
function inside(node,	child, text) {
	text = ""
	for (child = heaviest_child(node); child && node_ns[child] * 2 >= node_ns[node]; \
	     child = heaviest_child(child))
		text = stack_frame[child] (text == "" ? "" : " < ") text
	return text
}

# The culprit of a path: its node, or the next one above, has it.
function culprit_of(p,	node) {
	if (!(p in path_c)) {
		node = path_node[p]
		while (!(node in node_c) && !(node in rest_name))
			node = stack_outer[node]
		if (!(node in node_c))
			add_row(node, root_of(p), rest_name[node])
		path_c[p] = node_c[node]
	}
	return path_c[p]
}

function add_row(node, root_node, function_node,	c, id, callers, p) {
	callers = callers_of(function_node, root_node)
	id = root_node " " stack_frame[function_node]
	if (!(id in culprit_index)) {
		p = root_path[root_node]
		c = culprit_index[id] = new_culprit(path_kind[p], path_context[p], stack_frame[function_node])
		c_callers[c] = callers
		c_inside[c] = inside(function_node)
	} else {
		c = culprit_index[id]
		c_callers[c] = same_callers(c_callers[c], callers)
	}
	node_c[node] = c
}

function divide(node, root_node,	n, i, child, name, rest) {
	if (node != root_node && !is_a("common", stack_frame[node])) {
		name = name_node(node, path_context[root_path[root_node]])
		if (!is_a("common", stack_frame[name]))
			return add_row(node, root_node, without_helpers(name, node))
		# The paths part in dispatch code: each is a culprit. Its caller stands for the rest, if
		# there is any.
		for (rest = without_dispatch(name); stack_depth[rest] >= stack_depth[node]; \
		     rest = stack_outer[rest])
			rest_name[rest] = without_helpers(without_dispatch(rest), node)
	} else {
		name = node
		# Paths without any work end here.
		if (node in ends_paths)
			add_row(node, root_node, node)
	}
	n = children_of(name, child)
	for (i = 1; i <= n; i++)
		divide(child[i], root_node)
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Which function went on for most of a window: step 4 of Documentation/attribution.md. The module says for
# each sample which frame of its stack went on since the sample before (Documentation/files.md, moved).
#
# A position is the number of a frame in a path. Behind it stands "+" if dispatch code went on, and called
# this function, and others, again and again; and "~" if not this sample, but others show that.
#
# Owns:
#	went_on[name]		set: once, this function's registers or calls changed
#	known_position[path, k or name]	the position of frame k of a stack, or of a function; or 0. A cache

# Frame k of a stack, 1 is the outermost.
function frame_at(stack, k) {
	while (stack_depth[stack] > k)
		stack = stack_outer[stack]
	return stack_frame[stack]
}

# Notes a moved= of the records.
function note_moved(stack, moved) {
	if (moved ~ /^[1-9]/)
		went_on[frame_at(stack, moved + 0)] = 1
}

# The position in path p of the function that stands for frame k of its stack: helpers stand for their
# caller, dispatch code for what it calls. "<" is outside of the stack.
function position_of(p, k,	n, i, frame) {
	if ((p, k) in known_position)
		return known_position[p, k]
	n = split(path_frames[p], frame, ";")
	i = k - path_cut[p]
	if (i < 1 || is_a("common", frame[i])) {
		for (i = i < 1 ? 1 : i; i <= n && is_a("common", frame[i]); i++)
			;
		i = i > n || is_helping(frame[i]) ? 0 : i "+"
	} else if (path_waits[p] != "" && is_helping(frame[i]))
		i = 0
	else {
		while (i && is_helping(frame[i]))
			i--
		i = i && is_a("common", frame[i]) ? 0 : i
	}
	return known_position[p, k] = i
}

# The same from moved=K,L: L counts local variables, which a callee may have changed by a pointer.
function position_moved(p, stack, moved,	part) {
	if (moved == "-" || moved == "0")
		return 0
	split(moved, part, ",")
	return position_of(p, part[2] ~ /^[1-9]/ && frame_at(stack, part[2] + 0) in went_on ? part[2] : part[1])
}

# What stands behind "=" in a share of a window; or "".
function position_in(anchor) {
	return anchor ~ /=/ ? substr(anchor, index(anchor, "=") + 1) : ""
}

# The position of a function in path p, or 0: of its outermost frame.
function position_by_name(p, name,	n, i, frame) {
	if (!((p, name) in known_position)) {
		n = split(path_frames[p], frame, ";")
		for (i = 1; i <= n && frame[i] != name; i++)
			;
		known_position[p, name] = i > n ? 0 : i
	}
	return known_position[p, name]
}

function frame_of_path(p, position,	frame) {
	split(path_frames[p], frame, ";")
	return frame[position + 0]
}

# Sets position[i], for the n samples of window w: of the function that went on at sample i; 0: not known.
function find_positions(w, n, offset_ns, stack, by, path, moved, position,	i, k, at, main, known_ns, ns) {
	known_ns = 0
	for (i = n; i > 0; i--) {
		position[i] = position_moved(path[i], stack[i], moved[i])
		# Nothing is known of the time before the first sample: it counts as what follows.
		if (i == 1 && n > 1 && by[1] == by[2] && position[2] && path_cut[path[1]] == path_cut[path[2]]) {
			k = position[2] + path_cut[path[2]]
			if (stack_depth[common_stack(stack[1], stack[2])] >= k)
				position[1] = position[2]
		}
		if (position[i]) {
			at[i] = frame_of_path(path[i], position[i]) (position[i] ~ /[+]$/ ? "+" : "")
			ns[i] = sample_span_ns(i, n, offset_ns, win_latency_ns[w])
			known_ns += ns[i]
		}
	}
	if (!known_ns)
		return
	main = main_name(n, offset_ns, path, position, at, ns, known_ns)
	for (i = 1; i <= n; i++) {
		if (main == "" || !position[i] && known_ns * 2 < win_latency_ns[w])
			position[i] = 0
		else if (k = position_by_name(path[i], without_plus(main)))
			position[i] = k (main ~ /[+]$/ ? "+" : "") (i > 1 && at[i] == main ? "" : "~")
	}
}

function without_plus(main) {
	sub(/[+]$/, "", main)
	return main
}

# The function, with "+" if dispatch code called it, that went on for most of the time; "": none did.
function main_name(n, offset_ns, path, position, at, ns, known_ns,	i, own_ns, best, deepest) {
	# A loop over a list shows by its calls only, in some of the gaps. If it shows between samples close
	# together and far apart, it went on all the time.
	if (n > 2 && 2 in at && (offset_ns[2] - offset_ns[1]) * 2 <= offset_ns[3] - offset_ns[2])
		for (i = 3; i <= n; i++)
			if (i in at && at[i] == at[2] && ns_within(at[2], n, path, position, at, ns) * 2 >= known_ns)
				return at[2]
	best = ""
	for (i = 1; i <= n; i++)
		if (i in at) {
			own_ns[at[i]] += ns[i]
			if (best == "" || own_ns[at[i]] > own_ns[best])
				best = at[i]
		}
	if (own_ns[best] * 2 >= known_ns)
		return best
	# Else the innermost one that went on, or has called what did, for most of the time.
	best = ""
	deepest = 0
	for (i = 1; i <= n; i++)
		if (i in at && position[i] + 0 > deepest && ns_within(at[i], n, path, position, at, ns) >= MOST * known_ns) {
			best = at[i]
			deepest = position[i] + 0
		}
	return best
}

# For how long the function went on, or something that it has called.
function ns_within(name, n, path, position, at, ns,	i, k, sum_ns) {
	sum_ns = 0
	for (i = 1; i <= n; i++) {
		k = i in at ? position_by_name(path[i], without_plus(name)) : 0
		if (k && k <= position[i] + 0)
			sum_ns += ns[i]
	}
	return sum_ns
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Which function went on for most of a window: step 4 of Documentation/attribution.md. The module says for
# each sample which frame of its stack went on since the sample before (moved= in Documentation/files.md).
#
# A position is the number of a frame in a path. "+" follows if dispatch code called this function again
# and again, "~" if only other samples of the window show it.
#
# Owns:
#	went_on[name]		set: once, this function's registers or calls changed
#	noted[text]		set: see note_moved()
#	known_position[path, moved], known_position[path, name]	see position_moved(), position_by_name(); a cache

# Frame k of a stack, 1 is the outermost.
function frame_at(stack, k) {
	while (stack_depth[stack] > k)
		stack = stack_outer[stack]
	return stack_frame[stack]
}

# Notes the function that went on by its registers or calls, of "STACK K,L".
function note_moved(text,	part) {
	if (!(text in noted)) {
		noted[text] = 1
		split(text, part, " ")
		went_on[frame_at(part[1], part[2] + 0)] = 1
	}
}

# The position in path p of a sample with moved=K,L; 0: not known. L is used if another sample proves by
# registers that the function went on.
function position_moved(p, stack, moved,	part) {
	if ((p, moved) in known_position)
		return known_position[p, moved]
	split(moved, part, ",")
	return known_position[p, moved] = moved == "-" || moved == "0" ? 0 : position_of(p, \
		part[2] ~ /^[1-9]/ && frame_at(stack, part[2] + 0) in went_on ? part[2] : part[1])
}

# The position of the function that stands for frame k of the stack of path p: helpers stand for their caller,
# dispatch code for what it calls. 0: none does. "<" is outside of the stack.
function position_of(p, k,	n, i, frame) {
	n = split(path_frames[p], frame, ";")
	i = k - path_cut[p]
	if (i < 1 || i > n || is_a("common", frame[i])) {
		for (i = i < 1 ? 1 : i; i <= n && is_a("common", frame[i]); i++)
			;
		return i > n || is_helping(frame[i]) ? 0 : i "+"
	}
	if (path_waits[p] != "" && is_helping(frame[i]))
		return 0
	while (i && is_helping(frame[i]))
		i--
	return i && is_a("common", frame[i]) ? 0 : i
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

# Sets position[i] for samples 1 to n of window w, of ns[i] each: the function that went on before sample
# i; or 0. Of win_samples[w], only moved has a comma.
function find_positions(w, n, offset_ns, ns, stack, by, path, moved, position,	i, k, at, times, again_ns, own_ns, known_ns, main) {
	known_ns = 0
	for (i = n; i > 0 && index(win_samples[w], ","); i--) {
		position[i] = position_moved(path[i], stack[i], moved[i])
		if (position[i]) {
			at[i] = frame_at(path_stack[path[i]], position[i] + 0)
			times[at[i]]++
		} else if (i == 1 && 2 in at && by[1] == by[2] && (k = position_by_name(path[1], at[2]))) {
			# Nothing is known of the time before the first sample: it counts as what follows.
			position[1] = k (position[2] ~ /[+]$/ ? "+" : "")
			at[1] = at[2]
		}
		if (position[i])
			known_ns += ns[i]
	}
	if (!known_ns)
		return
	main = main_name(n, offset_ns, path, position, at, ns, known_ns)
	again_ns = own_ns = 0
	for (i = 1; i <= n; i++)
		if (i in at && at[i] == main) {
			own_ns += ns[i]
			again_ns += position[i] ~ /[+]$/ ? ns[i] : 0
		}
	for (i = 1; i <= n; i++) {
		k = main == "" || !position[i] && known_ns * 2 < win_latency_ns[w] ? 0 : position_by_name(path[i], main)
		if (k)
			position[i] = k (again_ns * 2 > own_ns ? "+" : "") (i > 1 && i in at && at[i] == main ? "" : "~")
		# One change does not make two waits many short ones.
		if (main == "" || path_waits[path[i]] != "" && times[k ? main : i in at ? at[i] : ""] < 2)
			position[i] = 0
	}
}

# The function that went on for most of the known time; "": none did.
function main_name(n, offset_ns, path, position, at, ns, known_ns,	i, own_ns, best, deepest) {
	# Samples miss some turns of a loop. If it goes on between samples close together, and far apart, it
	# went on all the time.
	if (n > 2 && 2 in at && (offset_ns[2] - offset_ns[1]) * 2 <= offset_ns[3] - offset_ns[2]) {
		for (i = 3; i <= n && !(i in at && at[i] == at[2]); i++)
			;
		if (i <= n && ns_within(at[2], n, path, position, at, ns) * 2 >= known_ns)
			return at[2]
	}
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
		k = i in at ? position_by_name(path[i], name) : 0
		if (k && k <= position[i] + 0)
			sum_ns += ns[i]
	}
	return sum_ns
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Stacks become paths. A path is a stack from the frame that its context entered by: the system call
# of a task, the handler of an interrupt, the handler of a softirq. What an interrupt
# has interrupted is not part of it. The file "frames" has the classes of frames.
#
# Owns, for each different path p = 1 ... nr_paths; known_path[...] is its number:
#	path_context[p]		task, idle, softirq or interrupt
#	path_frames[p], path_cut[p]	outermost first, joined by ";"; frames of the stack that are left out
#	path_stack[p]		the frames as a stack
#	path_work[p]		frames up to the innermost one that may be the culprit; 0: none may
#	path_weak[p]		then the frame that is named if samples show nothing else; 0: none
#	path_waits[p]		the innermost frames wait for a "lock" or for other "cpus"; or ""
#	path_unknown[p]		the innermost frame is user space, or a module that has gone
#	path_is_own[p]		a reader or writer of this module's files
#	path_impossible[p]	the path cannot take the time of a window of its kind
#	own_pattern[class], own_why[pattern]	rules of this host
#	entry_class[i]		a class of frames that tells the context entry_context[i]
#	plain_name[frame], known_class[classes, frame], stack_work[stack]	caches

BEGIN {
	nr_paths = 0
	nr_entries = split("return softirq interrupt", entry_class, " ")
	split("task softirq interrupt", entry_context, " ")
	read_own_frames(ENVIRON["REPORT_FRAMES"])
}

# The next line of a file of this host, without comments; "": there is none. The caller has checked the file.
function own_line(file,	line) {
	while (file != "" && (getline line <file) > 0) {
		sub(/\r$/, "", line)
		if (line !~ /^(#|$)/)
			return line
	}
	return ""
}

# The rules of this host, in addition to the file frames.
function read_own_frames(file,	line, part, others) {
	while ((line = own_line(file)) != "") {
		split(line, part, "\t")
		others = part[1] in own_pattern ? own_pattern[part[1]] "|" : ""
		own_pattern[part[1]] = others part[2]
		own_why[part[2]] = part[3]
	}
}

function why_helping(name,	pattern) {
	for (pattern in own_why)
		if (name ~ ("^(" pattern ")$"))
			return own_why[pattern]
	return why_ruled_out(name)
}

# Without the module, and without the suffixes of the compiler.
function plain(frame,	name) {
	if (!(frame in plain_name)) {
		name = frame
		sub(/\[[^]]*\]$/, "", name)
		if (name == "")
			name = frame
		# .isra.0, .constprop.0, .part.0, .cold; .lto_priv.0 (GCC's LTO); .cfi, .llvm.1, .__uniq.2
		# (Clang). Names of the kernel have no points.
		if (match(name, /.[.]/))
			name = substr(name, 1, RSTART)
		plain_name[frame] = name
	}
	return plain_name[frame]
}

# Whether the frame is in one of these classes.
function is_a(classes, frame,	n, class) {
	if ((classes, frame) in known_class)
		return known_class[classes, frame]
	for (n = split(classes, class, " "); n > 0; n--)
		if (is_in_class(class[n], plain(frame)) || \
		    class[n] in own_pattern && plain(frame) ~ ("^(" own_pattern[class[n]] ")$"))
			break
	return known_class[classes, frame] = n > 0
}

# Frames that only help the one that called them, and frames of this module's tick.
function is_helping(frame) {
	return is_a("helper end lock cpus", frame) || frame ~ /\[trace_irqoff\]$/
}

# How many frames there are after the outer "cut" ones, up to the innermost that may be the culprit;
# 0: none may.
function work_depth(stack, cut,	s) {
	if (!(stack in stack_work)) {
		for (s = stack; s && is_helping(stack_frame[s]); s = stack_outer[s])
			;
		stack_work[stack] = s && !is_a("common", stack_frame[s]) ? stack_depth[s] : 0
	}
	return stack_work[stack] > cut ? stack_work[stack] - cut : 0
}

# The number of outer frames that are not part of the path. Sets found["context"], from the stack if
# context is "-".
function find_cut(kind, stack, context, found,	s, i, frame) {
	found["context"] = context == "-" ? "task" : context
	for (s = stack; s; s = stack_outer[s]) {
		frame = stack_frame[s]
		# Few functions qualify: test this first.
		if (!is_a("begin return softirq interrupt", frame))
			continue
		if (kind == "hardirq" && is_a("begin", frame))
			return stack_depth[s] - 1
		if (context == "idle")
			continue
		for (i = 1; i <= nr_entries; i++)
			if (is_a(entry_class[i], frame) && (context == "-" || context == entry_context[i])) {
				found["context"] = entry_context[i]
				return stack_depth[s]
			}
	}
	return 0
}

function path_of(kind, t, stack,	key, cut, s, found, p) {
	key = kind " " stack " " task_sort[t]
	if (key in known_path)
		return known_path[key]
	p = known_path[key] = ++nr_paths
	# A guest that waits for a lock halts.
	if (stack_frame[stack] ~ /halt$/ && stack_frame[stack_outer[stack]] == "kvm_wait")
		stack = stack_outer[stack]
	cut = find_cut(kind, stack, task_context[t], found)
	# A path is never empty: keep the frame that enters the handler.
	if (cut == stack_depth[stack])
		cut--
	path_cut[p] = cut
	path_context[p] = found["context"] == "task" && task_pid[t] == 0 ? "idle" : found["context"]
	path_frames[p] = inner_frames(stack, cut)
	path_stack[p] = stack_number(path_frames[p])
	path_work[p] = work_depth(stack, cut)
	path_waits[p] = ""
	for (s = stack; stack_depth[s] > cut && is_helping(stack_frame[s]); s = stack_outer[s])
		if (is_a("lock cpus", stack_frame[s]))
			path_waits[p] = is_a("lock", stack_frame[s]) ? "lock" : "cpus"
	path_is_own[p] = path_frames[p] ~ /(seq_read|seq_read_iter|proc_reg_write);[^;]*\[trace_irqoff\]/
	path_unknown[p] = path_frames[p] ~ /\[(user|unknown)\]$/
	path_weak[p] = path_work[p] || path_unknown[p] || path_frames[p] ~ /(^-|\[trace_irqoff\])$/ ? 0 : weak_depth(stack, cut)
	# A window with interrupts off cannot pass in user space or in the idle loop.
	path_impossible[p] = kind == "hardirq" && !path_work[p] && (path_context[p] == "idle" || \
		path_frames[p] == "[user]" || path_frames[p] ~ /(^|;)do_idle(;|$)/)
	return p
}

# Of a path whose frames are all ruled out: the outermost of its inner helpers, which does the work if
# any frame does, or the innermost frame of dispatch code.
function weak_depth(stack, cut,	s) {
	for (s = stack; stack_depth[s] > cut + 1 && is_helping(stack_frame[s]) && is_helping(stack_frame[stack_outer[s]]); s = stack_outer[s])
		;
	if (stack_depth[s] > cut + 1 && is_a("end", stack_frame[s]))
		s = stack_outer[s]
	return stack_depth[s] - cut
}

# The position of the outermost frame that may be the culprit, usually the handler's own function, or 0.
function outermost_work(p,	n, i, frame) {
	n = split(path_frames[p], frame, ";")
	for (i = 1; i < path_work[p] && (is_a("common", frame[i]) || is_helping(frame[i])); i++)
		;
	return path_work[p] ? i : 0
}

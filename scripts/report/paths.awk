# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Stacks become paths. A path is a stack from the frame that its context entered by: the system call
# of a task, the handler of an interrupt, the handler of a softirq. What an interrupt
# has interrupted is not part of it. The file "frames" has the classes of frames.
#
# Owns, for each different path p = 1 ... nr_paths:
#	path_kind[p]		hardirq or softirq
#	path_context[p]		task, idle, softirq or interrupt
#	path_comm[p]		of kernel threads and idle tasks, without the number; else empty: threads of
#				a program may have a name each
#	path_cgroup[p]		of the task; 0 for handlers
#	path_frames[p]		outermost first, joined by ";"
#	path_work[p]		frames up to the innermost one that may be the culprit; 0: none may
#	path_waits[p]		lock: the innermost frames wait for a lock; cpus: for other CPUs; or ""
#	path_unknown[p]		the innermost frame is user space, or a module that has gone
#	path_impossible[p]	the path cannot take the time of a window of its kind
#	path_is_tick[p]		the scheduler's tick, which comes at the end of each window
#	known_path[...]		its number
#	known_cut[...], plain_name[frame], known_class[class, frame], known_helping[frame], known_entry[frame],
#	stack_work[stack], is_kthread[stack]	caches

BEGIN {
	nr_paths = 0
}

# Without what the compiler made of the name, and without the module.
function plain(frame,	name) {
	if (!(frame in plain_name)) {
		name = frame
		sub(/\[[^]]*\]$/, "", name)
		if (name == "")
			name = frame
		sub(/\.(isra|constprop|part|cold|llvm).*$/, "", name)
		plain_name[frame] = name
	}
	return plain_name[frame]
}

function is_a(class, frame) {
	if (!((class, frame) in known_class))
		known_class[class, frame] = is_in_class(class, plain(frame))
	return known_class[class, frame]
}

function is_waiting(frame) {
	return is_a("lock", frame) || is_a("cpus", frame)
}

# Frames that only help the one that called them.
function is_helping(frame) {
	if (!(frame in known_helping))
		known_helping[frame] = is_a("helper", frame) || is_waiting(frame)
	return known_helping[frame]
}

# How many frames a stack has up to the innermost one that may be the culprit, if the outer "cut" frames do
# not count; 0: none may.
function work_depth(stack, cut,	s) {
	if (!(stack in stack_work)) {
		for (s = stack; s && is_helping(stack_frame[s]); s = stack_outer[s])
			;
		stack_work[stack] = s && !is_a("common", stack_frame[s]) ? stack_depth[s] : 0
	}
	return stack_work[stack] > cut ? stack_work[stack] : 0
}

# Few functions begin a path: whether this one may.
function is_entry(frame) {
	if (!(frame in known_entry))
		known_entry[frame] = is_a("begin", frame) || is_a("return", frame) || \
			is_a("softirq", frame) || is_a("interrupt", frame)
	return known_entry[frame]
}

# How many outer frames of a stack are not part of the path. The context is given, or found: found["context"].
function path_cut(kind, stack, context, found,	s, frame) {
	found["context"] = context == "" ? "task" : context
	for (s = stack; s; s = stack_outer[s]) {
		frame = stack_frame[s]
		if (!is_entry(frame))
			continue
		if (kind == "hardirq" && is_a("begin", frame))
			return stack_depth[s] - 1
		if (context == "idle")
			continue
		# On the way back from an interrupt, the task itself runs again.
		if (is_a("return", frame) && (context == "" || context == "task"))
			return stack_depth[s]
		if (is_a("softirq", frame) && (context == "" || context == "softirq")) {
			found["context"] = "softirq"
			return stack_depth[s]
		}
		if (is_a("interrupt", frame) && (context == "" || context == "interrupt")) {
			found["context"] = "interrupt"
			return stack_depth[s]
		}
	}
	return 0
}

# The frames of a stack without the outer "cut" ones.
function inner_frames(stack, cut,	n, i, frame, text) {
	if (!cut)
		return stack_text[stack]
	n = split(stack_text[stack], frame, ";")
	text = frame[cut + 1]
	for (i = cut + 2; i <= n; i++)
		text = text ";" frame[i]
	return text
}

# Kernel threads that share the work have one name: kworker/3:1 and kworker/u8:2 are kworker, and
# swapper/3 is swapper.
function shared_name(comm, pid, stack) {
	if (!(stack in is_kthread))
		is_kthread[stack] = index(stack_text[stack], "ret_from_fork") == 1
	return pid == "0" || is_kthread[stack] ? \
		substr(comm, 1, index(comm "/", "/") - 1) : ""
}

# The path of a stack. "from" gets the number of frames that were cut off.
function path_of(kind, context, comm, pid, cgroup, stack, from,	key, cut, s, found, p) {
	key = kind " " context " " shared_name(comm, pid, stack) " " (pid == "0") " " cgroup " " stack
	if (key in known_path) {
		from["cut"] = known_cut[key]
		return known_path[key]
	}
	cut = path_cut(kind, stack, context, found)
	# There is no frame of the handler itself.
	if (cut == stack_depth[stack])
		cut--
	from["cut"] = known_cut[key] = cut
	p = known_path[key] = ++nr_paths
	path_kind[p] = kind
	path_context[p] = found["context"] == "task" && pid == "0" ? "idle" : found["context"]
	path_comm[p] = path_context[p] ~ /^(task|idle)$/ ? shared_name(comm, pid, stack) : ""
	path_cgroup[p] = path_context[p] == "task" ? cgroup : 0
	path_frames[p] = inner_frames(stack, cut)
	path_work[p] = work_depth(stack, cut) ? work_depth(stack, cut) - cut : 0
	path_waits[p] = ""
	for (s = stack; stack_depth[s] > cut && is_helping(stack_frame[s]); s = stack_outer[s])
		if (is_waiting(stack_frame[s]))
			path_waits[p] = is_a("lock", stack_frame[s]) ? "lock" : "cpus"
	path_unknown[p] = path_frames[p] ~ /\[(user|unknown)\]$/
	# A window with interrupts off cannot pass in user space or in the idle loop.
	path_impossible[p] = kind == "hardirq" && !path_work[p] && (path_context[p] == "idle" || \
		path_frames[p] == "[user]" || path_frames[p] ~ /(^|;)do_idle(;|$)/)
	path_is_tick[p] = 0
	for (s = stack; stack_depth[s] > cut && path_context[p] == "interrupt"; s = stack_outer[s])
		path_is_tick[p] = path_is_tick[p] || is_a("tick", stack_frame[s])
	return p
}

# How many frames of a path, from the outermost on, the stack at the end of the window shares. The last of them
# may be the culprit: the function that ended the window. 0: none is shared.
function anchor_of(cut, stack, end_stack,	depth) {
	depth = work_depth(common_stack(stack, end_stack), cut)
	return depth ? depth - cut : 0
}

# The handler's own function: the first frame that may be the culprit.
function outermost_work(p,	n, i, frame) {
	n = split(path_frames[p], frame, ";")
	for (i = 1; i <= path_work[p]; i++)
		if (!is_a("common", frame[i]) && !is_a("helper", frame[i]))
			return i
	return path_work[p]
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Stacks become paths. A path is a stack from the frame that its context entered by: the system call
# of a task, the handler of an interrupt, the handler of a softirq. The code that an interrupt came
# into is not part of the path. The file "frames" has the classes of frames.
#
# Owns, for each different path p = 1 ... nr_paths:
#	path_kind[p]		hardirq or softirq
#	path_context[p]		task, idle, softirq or interrupt
#	path_comm[p]		of kernel threads and idle tasks, without the number; else empty:
#				threads of a program may have a name each
#	path_cgroup[p]		of the task; 0 for handlers
#	path_stack[p]		the stack
#	path_cut[p]		how many outer frames of the stack are not part of the path
#	path_in_user[p]		the only frame is user space
#	path_work[p]		frames up to the innermost one that may be the culprit; 0: none may
#	path_waits[p]		lock: the innermost frames wait for a lock; cpus: for other CPUs; or ""
#	path_unknown[p]		the innermost frame is user space, or a module that has gone
#	path_impossible[p]	the path cannot take the time of a window of its kind
#	path_is_tick[p]		the scheduler's tick, which comes at the end of each window
#	known_path[...]		its number
#	plain_name[frame], known_class[class, frame], stack_work[stack], is_kthread[stack]	caches

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

# How many frames a stack has up to the innermost one that may be the culprit, if the outer "cut"
# frames do not count; 0: none may.
function work_depth(stack, cut,	s) {
	if (!(stack in stack_work)) {
		for (s = stack; s && is_a("helping", stack_frame[s]); s = stack_outer[s])
			;
		stack_work[stack] = s && !is_a("common", stack_frame[s]) ? stack_depth[s] : 0
	}
	return stack_work[stack] > cut ? stack_work[stack] : 0
}

# How many outer frames of a stack are not part of the path. The context is given, or found:
# found["context"].
function find_cut(kind, stack, context, found,	s, frame) {
	found["context"] = context == "" ? "task" : context
	for (s = stack; s; s = stack_outer[s]) {
		frame = stack_frame[s]
		if (!is_a("entry", frame))
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

# Kernel threads that share the work have one name: kworker/3:1 and kworker/u8:2 are kworker, and
# swapper/3 is swapper.
function shared_name(comm, pid, stack) {
	if (!(stack in is_kthread))
		is_kthread[stack] = index(stack_text[stack], "ret_from_fork") == 1
	return pid == "0" || is_kthread[stack] ? substr(comm, 1, index(comm "/", "/") - 1) : ""
}

function path_of(kind, context, comm, pid, cgroup, stack,	key, name) {
	name = shared_name(comm, pid, stack)
	key = kind " " context " " name " " (pid == "0") " " cgroup " " stack
	if (!(key in known_path))
		known_path[key] = new_path(kind, context, name, pid, cgroup, stack)
	return known_path[key]
}

function new_path(kind, context, name, pid, cgroup, stack,	cut, s, found, p, is_idle) {
	cut = find_cut(kind, stack, context, found)
	# There is no frame of the handler itself.
	if (cut == stack_depth[stack])
		cut--
	p = ++nr_paths
	path_kind[p] = kind
	path_context[p] = found["context"] == "task" && pid == "0" ? "idle" : found["context"]
	path_comm[p] = path_context[p] ~ /^(task|idle)$/ ? name : ""
	path_cgroup[p] = path_context[p] == "task" ? cgroup : 0
	path_stack[p] = stack
	path_cut[p] = cut
	path_work[p] = work_depth(stack, cut) ? work_depth(stack, cut) - cut : 0
	path_waits[p] = ""
	path_is_tick[p] = is_idle = 0
	for (s = stack; stack_depth[s] > cut && is_a("helping", stack_frame[s]); s = stack_outer[s])
		if (is_a("waiting", stack_frame[s]))
			path_waits[p] = is_a("lock", stack_frame[s]) ? "lock" : "cpus"
	for (s = stack; stack_depth[s] > cut; s = stack_outer[s]) {
		if (path_context[p] == "interrupt" && is_a("tick", stack_frame[s]))
			path_is_tick[p] = 1
		if (path_context[p] == "idle" || stack_frame[s] == "do_idle")
			is_idle = 1
	}
	path_unknown[p] = stack_frame[stack] ~ /\[(user|unknown)\]$/
	path_in_user[p] = stack_frame[stack] == "[user]" && nr_frames(p) == 1
	# A window with interrupts off cannot pass in user space or in the idle loop.
	path_impossible[p] = kind == "hardirq" && !path_work[p] && (is_idle || path_in_user[p])
	return p
}

function nr_frames(p) {
	return stack_depth[path_stack[p]] - path_cut[p]
}

# The innermost frame of a path that may be the culprit, or else its innermost frame.
function work_frame(p) {
	return frame_of(p, path_work[p] ? path_work[p] : nr_frames(p))
}

# Frame n of a path, counted from the outermost.
function frame_of(p, n,	s) {
	for (s = path_stack[p]; stack_depth[s] > path_cut[p] + n; s = stack_outer[s])
		;
	return stack_frame[s]
}

# How many frames of path p, from the outermost on, both stacks share, up to the last frame that may
# be the culprit.
function shared_work(p, stack, other,	depth) {
	depth = work_depth(common_stack(stack, other), path_cut[p])
	return depth ? depth - path_cut[p] : 0
}

# The handler's own function: the first frame that may be the culprit.
function outermost_work(p,	i) {
	for (i = 1; i < path_work[p]; i++)
		if (!is_a("common", frame_of(p, i)) && !is_a("helper", frame_of(p, i)))
			return i
	return path_work[p]
}

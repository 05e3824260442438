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
#	path_is_tick[p]		the scheduler's tick, which comes at the end of each window
#	known_path[...]		its number
#	known_cut[...], known_anchor[...], plain_name[frame], known_class[class, frame], is_kthread[stack]
#				caches

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

# The innermost of frame[first] to frame[n] that may be the culprit; 0: none.
function innermost_work(frame, first, n) {
	while (n >= first && (is_a("helper", frame[n]) || is_waiting(frame[n])))
		n--
	return n >= first && !is_a("common", frame[n]) ? n : 0
}

# The frame where a path begins in frame[1] to frame[n]. The context is given, or found: found["context"].
function path_begin(kind, frame, n, context, found,	i) {
	found["context"] = context == "" ? "task" : context
	for (i = n; i > 0; i--) {
		if (kind == "hardirq" && is_a("begin", frame[i]))
			return i
		if (context == "idle")
			continue
		# On the way back from an interrupt, the task itself runs again.
		if (is_a("return", frame[i]) && (context == "" || context == "task"))
			return i + 1
		if (is_a("softirq", frame[i]) && (context == "" || context == "softirq")) {
			found["context"] = "softirq"
			return i + 1
		}
		if (is_a("interrupt", frame[i]) && (context == "" || context == "interrupt")) {
			found["context"] = "interrupt"
			return i + 1
		}
	}
	return 1
}

function join_frames(frame, from, to,	text) {
	text = ""
	for (; from <= to; from++)
		text = text (text == "" ? "" : ";") frame[from]
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

# A window with interrupts off cannot pass in user space or in the idle loop.
function is_impossible(p) {
	return path_kind[p] == "hardirq" && !path_work[p] && (path_context[p] == "idle" || \
	       path_frames[p] == "[user]" || path_frames[p] ~ /(^|;)do_idle(;|$)/)
}

# The path of a stack, which is a number. "from" gets the number of frames that were cut off.
function path_of(kind, context, comm, pid, cgroup, stack, from,	key, n, i, frame, found, p) {
	key = kind " " context " " shared_name(comm, pid, stack) " " (pid == "0") " " cgroup " " stack
	if (key in known_path) {
		from["cut"] = known_cut[key]
		return known_path[key]
	}
	n = split(stack_text[stack], frame, ";")
	from["cut"] = path_begin(kind, frame, n, context, found) - 1
	# There is no frame of the handler itself.
	if (from["cut"] == n)
		from["cut"] = n - 1
	known_cut[key] = from["cut"]
	p = known_path[key] = ++nr_paths
	path_kind[p] = kind
	path_context[p] = found["context"] == "task" && pid == "0" ? "idle" : found["context"]
	path_comm[p] = path_context[p] ~ /^(task|idle)$/ ? shared_name(comm, pid, stack) : ""
	path_cgroup[p] = path_context[p] == "task" ? cgroup : 0
	path_frames[p] = join_frames(frame, from["cut"] + 1, n)
	i = innermost_work(frame, from["cut"] + 1, n)
	path_work[p] = i ? i - from["cut"] : 0
	path_waits[p] = ""
	for (i = n; i > from["cut"] && (is_a("helper", frame[i]) || is_waiting(frame[i])); i--)
		if (is_waiting(frame[i]))
			path_waits[p] = is_a("lock", frame[i]) ? "lock" : "cpus"
	path_is_tick[p] = 0
	for (i = from["cut"] + 1; i <= n && path_context[p] == "interrupt"; i++)
		path_is_tick[p] = path_is_tick[p] || is_a("tick", frame[i])
	return p
}

# How many frames of path p, from the outermost on, the stack at the end of the window shares. The last of them
# may be the culprit: the function that ended the window. 0: none is shared.
function anchor_of(p, cut, stack, end_stack,	key, n, m, i, frame, last) {
	key = p " " end_stack
	if (key in known_anchor)
		return known_anchor[key]
	n = split(stack_text[stack], frame, ";")
	m = split(stack_text[end_stack], last, ";")
	for (i = 1; i <= n && i <= m && frame[i] == last[i]; i++)
		;
	i = innermost_work(frame, cut + 1, i - 1)
	return known_anchor[key] = i ? i - cut : 0
}

# The handler's own function: the first frame that may be the culprit.
function outermost_work(p,	n, i, frame) {
	n = split(path_frames[p], frame, ";")
	for (i = 1; i <= path_work[p]; i++)
		if (!is_a("common", frame[i]) && !is_a("helper", frame[i]))
			return i
	return path_work[p]
}

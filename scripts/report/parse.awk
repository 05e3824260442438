# SPDX-License-Identifier: GPL-2.0
#
# What the parsers share: the table of windows that they fill, and checks of single fields. A
# line of which one field is wrong is counted and nothing of it is used, as the outputs print
# fields as they are: a "number" like 3,"a":1 would forge JSON.
#
# Owns the table of windows: open ones first, then ended ones in the order of their ends. What few
# windows have is set for these only, as large tables take much of the time. Ask with "in" first:
# gawk 5.2 crashes when an entry that is not set is an argument.
#	nr_rows, nr_open, nr_windows	all rows; open windows; ended and wanted ones
#	nr_filtered, nr_filtered_open, win_unwanted[w]	a filter leaves it out; open ones then have no row
#	win_seq[w], win_kind[w], win_cpu[w], win_pending[w]	as in the record
#	win_end[w]		seconds.nanoseconds, CLOCK_REALTIME; of open windows, when they were read, or 0.0
#	win_latency_ns[w], win_max_ns[w]	bounds of the latency
#	win_irqs[w], win_softirqs[w]	what the CPU took: a count, "TIMER:3,NET_RX:12" or "-"; if counted
#	win_steal_ns[w], win_paused_ns[w]	stolen; NMIs proved that the CPU executed nothing; if any
#	win_paused_stack[w]	of paused windows: where the CPU went on
#	win_begin_unseen[w]	set: it began before the CPU was monitored; its upper bound is not known
#	win_task[w], win_stack[w]	at the end, numbers
#	win_nr_samples[w], win_samples[w]	"OFFSET_NS STACK TASK MOVED LOCK ...": numbers, then moved and lock as
#				in the record
# Owns stacks, which share their outer frames. A stack is a number; 0 has no frames:
#	stack_text[s]		"outermost;...;innermost"
#	stack_frame[s], stack_outer[s], stack_depth[s]	the innermost frame; the stack without it; frames
#	known_stack[text], inner_stack[outer, frame], known_common[stacks]
#	shared_of_cut[s]	set: what a stack that may be cut shares with others
# Owns tasks. A task is a number, and what the CPU did when it was seen; known_task[text]:
#	task_context[t]		task, idle, softirq or interrupt; "-": not known
#	task_state[t]		of softirqs: serving, bh-off, ksoftirqd, unsampled; of nosched: preempt-off,
#				no-resched; else irq-off, irq-on, paused or unknown
#	task_pid[t], task_tgid[t], task_cgroup[t], task_comm[t]
#	task_sort[t]		tasks with the same text have the same paths
# Owns: nr_bad[what], lines of each file that are wrong.

BEGIN {
	nr_rows = nr_windows = nr_open = nr_filtered = nr_filtered_open = nr_stacks = nr_tasks = 0
	stack_text[0] = ""
	stack_depth[0] = 0
	# A newer module may have more contexts and states.
	task_pattern = "^[a-z-]+,[a-z-]+,(0|[1-9][0-9]*),(0|[1-9][0-9]*),(0|[1-9][0-9]*),."
	MAX_FRAMES = 64		# of a stack
	MAX_SAMPLES = 64	# of a window; the module stores 8
	CUT_FRAMES = 32		# the module stores as many; a longer stack has lost its outermost frames
}

function bad_line() {
	nr_bad[what]++
	return 0
}

# JSON allows no zero in front, and 64 bits are 20 digits.
function is_count(text) {
	return text ~ /^(0|[1-9][0-9]*)$/ && length(text) <= 20
}

# Softirq vectors, each with how many ran: "TIMER:3,NET_RX:12". There are ten vectors.
function is_softirq_counts(text) {
	return text == "-" || text ~ /^([A-Z][A-Z_]*:(0|[1-9][0-9]*),)*[A-Z][A-Z_]*:(0|[1-9][0-9]*)$/ && length(text) < 300
}

# The number of the stack "outermost;...;innermost"; 0: it is no stack, as a frame has no name.
# A compiler puts code of a function that is seldom run elsewhere: "walk.cold" is in the function walk.
function stack_number(text,	s, n, i, frame, given) {
	# One look-up: the text is long. Its entry stays empty if it is no stack.
	s = known_stack[text]
	if (s)
		return s
	given = text
	gsub(/\.cold(\.[0-9]+)?/, "", text)
	if (text == "" || index(";" text ";", ";;"))
		return 0
	s = 0
	n = split(text, frame, ";")
	if (n > MAX_FRAMES)
		return 0
	for (i = 1; i <= n; i++) {
		if (!((s, frame[i]) in inner_stack)) {
			inner_stack[s, frame[i]] = ++nr_stacks
			stack_outer[nr_stacks] = s
			stack_frame[nr_stacks] = frame[i]
			stack_depth[nr_stacks] = i
		}
		s = inner_stack[s, frame[i]]
	}
	stack_text[s] = text
	return known_stack[given] = s
}

function inner_frames(stack, cut,	s, text) {
	text = ""
	for (s = stack; stack_depth[s] > cut; s = stack_outer[s])
		text = stack_frame[s] (text == "" ? "" : ";") text
	return text
}

# The stack a from the frame that is the outermost one of b; 0: it has no such frame.
function aligned(a, b,	s, depth) {
	while (stack_depth[b] > 1)
		b = stack_outer[b]
	for (s = a; s; s = stack_outer[s])
		if (stack_frame[s] == stack_frame[b])
			depth = stack_depth[s]
	return depth ? stack_number(inner_frames(a, depth - 1)) : 0
}

# The longest stack of outer frames that stacks a and b share. It may have no stack_text[]. The module
# cuts the outermost frames of a long stack: the frames then count from the first one that both have.
function common_stack(a, b,	key, is_cut, other) {
	key = a " " b
	if (!(key in known_common)) {
		is_cut = stack_depth[a] >= CUT_FRAMES || stack_depth[b] >= CUT_FRAMES || a in shared_of_cut || b in shared_of_cut
		other = is_cut ? aligned(a, b) : 0
		if (other)
			a = other
		else if (is_cut && (other = aligned(b, a)))
			b = other
		while (a != b)
			if (stack_depth[a] >= stack_depth[b])
				a = stack_outer[a]
			else
				b = stack_outer[b]
		known_common[key] = a
		if (is_cut)
			shared_of_cut[a] = 1
	}
	return known_common[key]
}

# The number of the task "CONTEXT,STATE,PID,TGID,CGROUP,COMM"; 0: it is no task.
function task_number(text,	t, part) {
	if (text in known_task)
		return known_task[text]
	if (text !~ task_pattern || length(text) > 150)
		return 0
	t = known_task[text] = ++nr_tasks
	split(text, part, ",")
	task_context[t] = part[1] ~ /^(task|idle|softirq|interrupt)$/ ? part[1] : "-"
	task_state[t] = part[2]
	task_pid[t] = part[3]
	task_tgid[t] = part[4]
	task_cgroup[t] = part[5]
	# The name may have commas, and blanks, which the module escapes.
	task_comm[t] = replaced(substr(text, length(part[1] part[2] part[3] part[4] part[5]) + 6), "\\x20", " ")
	task_sort[t] = task_context[t] " " (task_pid[t] == 0)
	return t
}

function is_open(w) {
	return w <= nr_open
}

# Sets offset_ns[], stack[], by[] (tasks), and, if given, moved[] and lock[] of the samples, oldest first.
# Returns their number. A sample without a task is of the task at the end.
function samples_of(w, offset_ns, stack, by, moved, lock,	i, n, part) {
	n = split(win_samples[w], part, " ") / 5
	for (i = 1; i <= n; i++) {
		offset_ns[i] = part[i * 5 - 4] + 0
		# A forged record may have them in any order.
		if (i > 1 && offset_ns[i] < offset_ns[i - 1])
			offset_ns[i] = offset_ns[i - 1]
		stack[i] = part[i * 5 - 3] + 0
		by[i] = part[i * 5 - 2] + 0 ? part[i * 5 - 2] + 0 : win_task[w]
		moved[i] = part[i * 5 - 1]
		lock[i] = part[i * 5]
	}
	return n
}

# The time of sample i of n: from halfway to the previous one to halfway to the next one.
function sample_span_ns(i, n, offset_ns, latency_ns,	from, to) {
	from = i > 1 ? (offset_ns[i - 1] + offset_ns[i]) / 2 : 0
	to = i < n ? (offset_ns[i] + offset_ns[i + 1]) / 2 : latency_ns
	# The latency is a lower bound: a sample may come after it.
	if (to > latency_ns)
		to = latency_ns
	return to > from ? to - from : 0
}

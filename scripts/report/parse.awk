# SPDX-License-Identifier: GPL-2.0
#
# What the parsers share: the tables that they fill, and checks of single fields. A line with one
# wrong field is counted, and nothing of it is used. The outputs print fields as they are: a
# "number" like 3,"a":1 would forge JSON.
#
# Owns the table of windows, a row for each. Open windows come first, ended windows follow in the
# order of their ends.
#	nr_rows, nr_windows (ended), nr_open
#	nr_filtered		windows that a filter leaves out
#	win_open[w]		1: has not ended yet
#	win_kind[w]		hardirq or softirq
#	win_state[w]		of softirqs: serving, bh-off, ksoftirqd; else irq-off or unknown
#	win_cpu[w], win_comm[w], win_pid[w], win_tgid[w], win_cgroup[w], win_pending[w]
#	win_latency_ns[w], win_max_ns[w], win_steal_ns[w]	bounds of the latency; stolen time
#	win_begin_unseen[w]	1: it began before the CPU was monitored; its upper bound is not known
#	win_seq[w], win_end[w] (seconds.nanoseconds, CLOCK_REALTIME), win_stack[w] (at the end): of an
#				open window they mean nothing
#	win_samples[w]		"OFFSET_NS STACK TASK OFFSET_NS STACK TASK ..."
#	win_nr_samples[w]
# Owns stacks, which share their outer frames. A stack is a number; 0 has no frames:
#	stack_text[s] ("outermost;...;innermost"), stack_frame[s] (the innermost), stack_outer[s] (the
#	stack without that frame), stack_depth[s], known_stack[text], inner_stack[outer, frame]
# Owns tasks, as samples have them. A task is a number; 0 is not known, as in older modules:
#	task_context[t], task_state[t], task_pid[t], task_tgid[t], task_cgroup[t], task_comm[t],
#	known_task[text]
# Owns: nr_bad[file], lines of each file that are wrong; known_states[state].

BEGIN {
	nr_rows = nr_windows = nr_open = nr_filtered = nr_stacks = nr_tasks = 0
	stack_text[0] = ""
	stack_depth[0] = 0
	split("", nr_bad)
	init_states()
}

function init_states(	name, i) {
	for (i = split("irq-off serving bh-off ksoftirqd unknown", name, " "); i > 0; i--)
		known_states[name[i]] = 1
}

function bad_line(file) {
	nr_bad[file] = (file in nr_bad ? nr_bad[file] : 0) + 1
}

# JSON allows no zero in front. 64 bits are 20 digits.
function is_count(text) {
	return text ~ /^(0|[1-9][0-9]*)$/ && length(text) <= 20
}

# Names of softirq vectors with commas.
function is_pending(text) {
	return text == "-" || text ~ /^[A-Z][A-Z_]*(,[A-Z][A-Z_]*)*$/
}

# Stack s with one more frame.
function inner_of(s, frame) {
	if (!((s, frame) in inner_stack)) {
		inner_stack[s, frame] = ++nr_stacks
		stack_outer[nr_stacks] = s
		stack_frame[nr_stacks] = frame
		stack_depth[nr_stacks] = stack_depth[s] + 1
	}
	return inner_stack[s, frame]
}

# The number of a stack; 0 if a frame has no name.
function stack_number(text,	s, n, i, frame) {
	if (text in known_stack)
		return known_stack[text]
	if (text == "" || index(";" text ";", ";;"))
		return 0
	s = 0
	n = split(text, frame, ";")
	for (i = 1; i <= n; i++)
		s = inner_of(s, frame[i])
	stack_text[s] = text
	return known_stack[text] = s
}

# The outer frames that two stacks have in common.
function common_stack(a, b) {
	while (a != b)
		if (stack_depth[a] >= stack_depth[b])
			a = stack_outer[a]
		else
			b = stack_outer[b]
	return a
}

# The number of a task, "CONTEXT,STATE,PID,TGID,CGROUP,COMM"; 0 if a field is wrong. The name may
# have commas.
function task_number(text,	part) {
	if (text in known_task)
		return known_task[text]
	if (split(text, part, ",") < 6 || part[1] !~ /^(task|idle|softirq|interrupt)$/ ||
	    part[2] !~ /^[a-z-]+$/ || !is_count(part[3]) || !is_count(part[4]) || !is_count(part[5]))
		return 0
	task_context[++nr_tasks] = part[1]
	task_state[nr_tasks] = part[2]
	task_pid[nr_tasks] = part[3]
	task_tgid[nr_tasks] = part[4]
	task_cgroup[nr_tasks] = part[5]
	task_comm[nr_tasks] = substr(text, length(part[1] part[2] part[3] part[4] part[5]) + 6)
	return known_task[text] = nr_tasks
}

# The samples of a window, oldest first, as offset_ns[1], stack[1], task[1] ...; how many.
function samples_of(w, offset_ns, stack, task,	i, n, word) {
	n = split(win_samples[w], word, " ") / 3
	for (i = 1; i <= n; i++) {
		offset_ns[i] = word[i * 3 - 2] + 0
		stack[i] = word[i * 3 - 1] + 0
		task[i] = word[i * 3] + 0
	}
	return n
}

# For how long sample i of n stands: from halfway since the sample before to halfway to the next.
function sample_span_ns(i, n, offset_ns, latency_ns,	from, to) {
	from = i > 1 ? (offset_ns[i - 1] + offset_ns[i]) / 2 : 0
	to = i < n ? (offset_ns[i] + offset_ns[i + 1]) / 2 : latency_ns
	# The latency is a lower bound: a sample may come after it.
	if (to > latency_ns)
		to = latency_ns
	return to > from ? to - from : 0
}

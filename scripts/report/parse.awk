# SPDX-License-Identifier: GPL-2.0
#
# What the parsers share: the table of windows that they fill, and checks of single fields. A
# line of which one field is wrong is counted and nothing of it is used, as the outputs print
# fields as they are: a "number" like 3,"a":1 would forge JSON.
#
# Owns the table of windows, a row for each. Rows of open windows come first, ended ones follow in the order
# of their ends.
#	nr_rows, nr_windows (ended), nr_open
#	nr_filtered		windows that are left out by a filter
#	win_open[w]		1: has not ended yet
#	win_kind[w]		hardirq or softirq
#	win_state[w]		of softirqs: serving, bh-off, ksoftirqd; else irq-off or unknown
#	win_cpu[w], win_comm[w], win_pid[w], win_tgid[w], win_cgroup[w], win_pending[w]
#	win_latency_ns[w], win_max_ns[w], win_steal_ns[w]	bounds of the latency; stolen time
#	win_begin_unseen[w]	1: it began before the CPU was monitored; its upper bound is not known
#	win_seq[w], win_end[w]	seconds.nanoseconds, CLOCK_REALTIME
#	win_stack[w]		number of the stack at the end
#	win_samples[w]		"OFFSET_NS:NUMBER OFFSET_NS:NUMBER ..."
#	win_nr_samples[w]
#	win_in[w]		of each sample: "CONTEXT,STATE,PID,TGID,CGROUP,COMM ..."; "-": not known
# What an open window cannot have yet (seq, end, stack, ...) is empty. A new key of records is
# checked in parse-records.awk and gets a column here.
# Owns stacks, which share their outer frames. A stack is a number; 0 has no frames:
#	stack_text[s] ("outermost;...;innermost"), stack_frame[s] (the innermost), stack_outer[s] (the stack
#	without that frame), stack_depth[s] (how many frames), known_stack[text], inner_stack[outer, frame]
# Owns: nr_bad[what], lines of each file that are wrong; known_states[state].

BEGIN {
	nr_rows = nr_windows = nr_open = nr_filtered = nr_stacks = 0
	stack_text[0] = ""
	stack_depth[0] = 0
	split("", nr_bad)
	init_states()
}

function init_states(	name, i) {
	for (i = split("irq-off serving bh-off ksoftirqd unknown", name, " "); i > 0; i--)
		known_states[name[i]] = 1
}

function bad_line() {
	nr_bad[what] = (what in nr_bad ? nr_bad[what] : 0) + 1
	return 0
}

# JSON allows no zero in front.
function is_count(text) {
	return text ~ /^(0|[1-9][0-9]*)$/ && !is_too_long(text)
}

# 64 bits are 20 digits.
function is_too_long(number) {
	return length(number) > 20
}

function is_state(text) {
	return text in known_states
}

# Names of softirq vectors with commas.
function is_pending(text) {
	return text == "-" || text ~ /^[A-Z][A-Z_]*(,[A-Z][A-Z_]*)*$/
}

function stack_number(text,	s, n, i, frame) {
	if (text in known_stack)
		return known_stack[text]
	s = 0
	n = split(text, frame, ";")
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

# Frames have names.
function is_stack(text) {
	return text in known_stack || text != "" && index(";" text ";", ";;") == 0
}

# The samples of a window, oldest first, as offset_ns[1] ..., stack[1] ... (numbers); how many.
function samples_of(w, offset_ns, stack,	i, n, word) {
	n = split(win_samples[w], word, "[ :]")
	for (i = 1; i * 2 <= n; i++) {
		offset_ns[i] = word[i * 2 - 1] + 0
		stack[i] = word[i * 2] + 0
	}
	return n / 2
}

# The task of a sample, "CONTEXT,STATE,PID,TGID,CGROUP,COMM", as by[1] to by[5] and by["comm"], which may have
# commas. Of an older module it is "-": returns 0.
function split_task(text, by) {
	if (split(text, by, ",") < 6)
		return 0
	by["comm"] = substr(text, length(by[1] by[2] by[3] by[4] by[5]) + 6)
	return 1
}

# For how long sample i of n stands: from halfway since the sample before to halfway to the next one.
function sample_span_ns(i, n, offset_ns, latency_ns,	from, to) {
	from = i > 1 ? (offset_ns[i - 1] + offset_ns[i]) / 2 : 0
	to = i < n ? (offset_ns[i] + offset_ns[i + 1]) / 2 : latency_ns
	# The latency is a lower bound: a sample may come after it.
	if (to > latency_ns)
		to = latency_ns
	return to > from ? to - from : 0
}

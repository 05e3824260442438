# SPDX-License-Identifier: GPL-2.0
#
# What the parsers share: the table of windows that they fill, and checks of single fields. A
# line of which one field is wrong is counted and nothing of it is used, as the outputs print
# fields as they are: a "number" like 3,"a":1 would forge JSON.
#
# Owns the table of windows, a row for each, open ones and ended ones alike.
#	nr_rows, nr_windows (ended), nr_open; rows of open windows come first
#	is_table_kept		ended windows have a row each; otherwise they take turns in one
#	win_open[w]		1: has not ended yet
#	win_kind[w]		hardirq or softirq
#	win_state[w]		of softirqs: serving, bh-off, ksoftirqd; else irq-off or unknown
#	win_cpu[w], win_comm[w], win_pid[w], win_tgid[w], win_cgroup[w], win_pending[w]
#	win_latency_ns[w], win_max_ns[w], win_steal_ns[w]	bounds of the latency; stolen time
#	win_begin_unseen[w]	1: it began before the CPU was watched; nobody knows its upper bound
#	win_seq[w], win_end[w]	seconds.nanoseconds, CLOCK_REALTIME
#	win_stack[w]		number of the stack at the end
#	win_samples[w]		those taken meanwhile: "OFFSET_NS:NUMBER OFFSET_NS:NUMBER ..."
#	win_nr_samples[w]	how many
#	win_in[w]		of each sample: "CONTEXT,STATE,PID,TGID,CGROUP,COMM ..."; "-": not known
# What an open window cannot have yet (seq, end, stack, ...) is empty. A new key of records is
# checked in parse-records.awk and gets a column here.
# Owns stacks: stack_text[number], "outermost;...;innermost"; known_stack[text], its number.
# Owns: nr_bad[what], lines of each file that are wrong; known_states[state].

BEGIN {
	nr_rows = nr_windows = nr_open = nr_stacks = 0
	is_table_kept = mode !~ /^(text|live|lines|json)$/
	stack_text[0] = ""
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

# The row of the n-th ended window. A table of 10,000 rows makes mawk slow, as it walks lists.
function row_of(n) {
	return nr_open + (is_table_kept ? n : 1)
}

# Text of hundreds of characters is slow to copy and to look up.
function stack_number(text) {
	if (text == "")
		return 0
	if (!(text in known_stack)) {
		known_stack[text] = ++nr_stacks
		stack_text[nr_stacks] = text
	}
	return known_stack[text]
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
		stack[i] = word[i * 2]
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
	latency_ns += 0		# may be text
	from = i > 1 ? (offset_ns[i - 1] + offset_ns[i]) / 2 : 0
	to = i < n ? (offset_ns[i] + offset_ns[i + 1]) / 2 : latency_ns
	# The latency is a lower bound: a sample may come after it.
	if (to > latency_ns)
		to = latency_ns
	return to > from ? to - from : 0
}

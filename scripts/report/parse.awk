# SPDX-License-Identifier: GPL-2.0
#
# What the parsers share: the table of windows that they fill, and checks of single fields. A
# line of which one field is wrong is counted and nothing of it is used, as the outputs print
# fields as they are: a "number" like 3,"a":1 would forge JSON.
#
# Owns the table of windows, a row for each, open ones and ended ones alike. A new column is also
# deleted in forget_window().
#	nr_rows, nr_windows (ended), nr_open; rows of open windows come first
#	win_open[w]		1: has not ended yet
#	win_kind[w]		hardirq or softirq
#	win_state[w]		of softirqs: serving, bh-off, ksoftirqd; else irq-off or unknown
#	win_cpu[w], win_comm[w], win_pid[w], win_tgid[w], win_cgroup[w], win_pending[w]
#	win_latency_ns[w], win_max_ns[w], win_steal_ns[w]	bounds of the latency; stolen time
#	win_seq[w], win_end[w]	seconds.nanoseconds, CLOCK_REALTIME
#	win_stack[w]		backtrace at the end: "outermost;...;innermost"
#	win_samples[w]		those taken meanwhile: "OFFSET_NS:BACKTRACE OFFSET_NS:BACKTRACE ..."
#	win_nr_samples[w]
# What an open window cannot have yet (seq, end, stack, ...) is empty. A new key of records is
# checked in parse-records.awk and gets a column here.
# Owns: nr_bad[what], lines of each file that are wrong.

BEGIN {
	nr_rows = nr_windows = nr_open = 0
	split("", nr_bad)
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
function is_too_long(text) {
	return text ~ /[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/
}

function is_state(text) {
	return text ~ /^(irq-off|serving|bh-off|ksoftirqd|unknown)$/
}

# Names of softirq vectors with commas.
function is_pending(text) {
	return text ~ /^(-|[A-Z][A-Z_]*(,[A-Z][A-Z_]*)*)$/
}

# A row that no output will read. A table of 10,000 rows makes mawk slow, as it walks lists.
function forget_window(w) {
	delete win_open[w]
	delete win_kind[w]
	delete win_state[w]
	delete win_cpu[w]
	delete win_comm[w]
	delete win_pid[w]
	delete win_tgid[w]
	delete win_cgroup[w]
	delete win_pending[w]
	delete win_latency_ns[w]
	delete win_max_ns[w]
	delete win_steal_ns[w]
	delete win_seq[w]
	delete win_end[w]
	delete win_stack[w]
	delete win_samples[w]
	delete win_nr_samples[w]
	delete win_culprit[w]
	delete win_callers[w]
	delete win_context[w]
	delete win_c[w]
}

# The samples of a window, oldest first, as offset_ns[1] ..., stack[1] ...; how many.
function samples_of(w, offset_ns, stack,	i, n, colon, sample) {
	n = split(win_samples[w], sample, " ")
	for (i = 1; i <= n; i++) {
		colon = index(sample[i], ":")
		offset_ns[i] = substr(sample[i], 1, colon - 1) + 0
		stack[i] = substr(sample[i], colon + 1)
	}
	return n
}

# For how long sample i of n stands: until the next one, the first one also for what was before.
function sample_span_ns(i, n, offset_ns, latency_ns) {
	return (i < n ? offset_ns[i + 1] : latency_ns) - (i > 1 ? offset_ns[i] : 0)
}

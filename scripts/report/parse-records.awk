# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# "records": windows that have ended, one a line of key=value. "active" has such lines of windows that are
# open, with seq=0.
#
# Owns: record_key[i], is_record_key[key]

BEGIN {
	# Each of these has to be there once. Other keys are optional, or of a newer module.
	nr_record_keys = split("seq cpu latency_ns max_ns steal_ns" \
		" kind end state comm pid tgid cgroup pending stack", record_key, " ")
	for (i = 1; i <= nr_record_keys; i++)
		is_record_key[record_key[i]] = 1
	# The values of the first five are numbers.
	nr_number_keys = 5
}

# Whether there is a new window, in row nr_rows.
function parse_record(record, open,	i, n, at, key, text, word, field, nr_fields, nr_samples, samples, \
		stack, by, moved, lock, moving, nr_moving, unlocking, numbers, task_at_end, resumed_in, w) {
	# Old records need no check.
	if (!open && base_seq + 0 && record ~ /^seq=[1-9][0-9]* / && \
	    substr(record, 5, index(record, " ") - 5) + 0 <= base_seq + 0)
		return 0
	split("", field)
	samples = ""
	nr_fields = nr_samples = nr_moving = unlocking = resumed_in = 0
	n = split(record, word, " ")
	for (i = 1; i <= n; i++) {
		at = index(word[i], "=")
		if (at < 2)
			return bad_line()
		key = substr(word[i], 1, at - 1)
		text = substr(word[i], at + 1)
		if (key in is_record_key) {
			field[key] = text
			nr_fields++
		} else if (key == "sample") {
			at = index(text, ":")
			stack = stack_number(substr(text, at + 1))
			if (!is_count(substr(text, 1, at - 1)) || !stack || nr_samples == MAX_SAMPLES)
				return bad_line()
			if (nr_samples++)
				samples = samples by moved lock
			samples = samples substr(text, 1, at - 1) " " stack
			unlocking += stack_frame[stack] ~ /_unlock_irq(restore)?$/
			by = " 0"
			moved = " - "
			lock = "- "
		} else if (key == "in") {
			by = " " task_number(text)
			if (!nr_samples || by == " 0")
				return bad_line()
		} else if (key == "moved") {
			if (!nr_samples || text !~ /^(-|0|(<|[1-9][0-9]?),(<|[1-9][0-9]?))$/ || \
			    text + 0 > stack_depth[stack] || substr(text, index(text, ",") + 1) + 0 > stack_depth[stack])
				return bad_line()
			moved = " " text " "
			if (text ~ /^[1-9]/)
				moving[++nr_moving] = stack " " text
		} else if (key == "lock") {
			if (!nr_samples || text == "")
				return bad_line()
			lock = replaced(text, ",", ".") " "
		} else if (key == "paused_ns" || key == "irqs" || key == "softirqs") {
			if (key == "softirqs" ? !is_softirq_counts(text) : !is_count(text))
				return bad_line()
			field[key] = text
		} else if (key == "begin")
			field[key] = text
	}
	if (nr_fields != nr_record_keys)
		return bad_line()
	if (nr_samples)
		samples = samples by moved lock

	# A record may have a key twice and lack another key: the count is right, but the field that
	# is missing is empty. All numbers are checked by one simple match: separate matches take
	# half of the parser's time in mawk.
	numbers = ""
	for (i = 1; i <= nr_number_keys; i++) {
		text = field[record_key[i]]
		if (text == "" || length(text) > 18 || text != "0" && substr(text, 1, 1) == "0")
			return bad_line()
		numbers = numbers text
	}
	# A tick that comes when a lock enables interrupts finds preemption off, but the lock was short.
	if (field["state"] == "preempt-off" && nr_samples && unlocking == nr_samples)
		field["state"] = "no-resched"
	task_at_end = task_number("-," field["state"] "," field["pid"] "," field["tgid"] "," field["cgroup"] "," field["comm"])
	stack = stack_number(field["stack"])
	if (numbers !~ /^[0-9]+$/ || field["latency_ns"] == 0 || !task_at_end || !(field["kind"] in kind_windows) ||
	    field["end"] !~ /^(0|[1-9][0-9]*)[.][0-9]+$/ || field["end"] + 0 >= 1e11 || length(field["end"]) > 30 ||
	    field["pending"] !~ /^(-|[A-Z][A-Z_]*(,[A-Z][A-Z_]*)*)$/ || !stack)
		return bad_line()

	w = nr_rows + 1
	# The samples of a paused CPU are left out: their stacks did not take the time. The first one
	# shows where the CPU went on; if there is none, the tick came right after the pause.
	if (is_paused(task_at_end)) {
		split(samples, word, " ")
		resumed_in = nr_samples ? word[2] + 0 : stack
		samples = ""
		nr_samples = 0
	}
	if (!open && field["seq"] + 0 <= base_seq + 0)
		return 0
	win_seq[w] = field["seq"]
	win_kind[w] = field["kind"]
	win_cpu[w] = field["cpu"]
	win_end[w] = field["end"]
	win_latency_ns[w] = field["latency_ns"] + 0
	win_max_ns[w] = field["max_ns"] + 0
	win_task[w] = task_at_end
	win_pending[w] = field["pending"]
	win_stack[w] = stack
	win_samples[w] = samples
	win_nr_samples[w] = nr_samples
	if (is_wanted(w, open))
		nr_windows += !open
	else {
		nr_filtered++
		if (open) {
			nr_filtered_open++
			return 0
		}
		win_unwanted[w] = 1
	}
	if (resumed_in)
		win_paused_stack[w] = resumed_in
	if (field["steal_ns"] + 0 > 0)
		win_steal_ns[w] = field["steal_ns"] + 0
	if (field["paused_ns"] + 0 > 0)
		win_paused_ns[w] = field["paused_ns"] + 0
	if (field["irqs"] != "")
		win_irqs[w] = field["irqs"]
	if (field["softirqs"] != "")
		win_softirqs[w] = field["softirqs"]
	if (field["begin"] == "unseen")
		win_begin_unseen[w] = 1
	for (i = 1; i <= nr_moving; i++)
		note_moved(moving[i])
	nr_rows++
	nr_open += open
	return 1
}

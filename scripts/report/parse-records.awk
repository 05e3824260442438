# SPDX-License-Identifier: GPL-2.0
#
# "records": windows that have ended, each a line of key=value.
#
# Owns: record_keys[key], record_numbers[i], nr_record_keys, nr_record_numbers; field[key], a record
# that has been read; last_seq (of the newest record after base_seq)

BEGIN {
	init_records()
	last_seq = base_seq
}

# Each of these keys must be there. An older module has no "in"; "begin=unseen" marks a window that
# began before its CPU was monitored. Other keys are of a newer module, and ignored.
function init_records(	name, i) {
	nr_record_keys = split("seq kind cpu end latency_ns max_ns steal_ns state comm pid " \
		"tgid cgroup pending stack", name, " ")
	for (i = 1; i <= nr_record_keys; i++)
		record_keys[name[i]] = 1
	nr_record_numbers = split("seq cpu latency_ns max_ns steal_ns pid tgid cgroup",
		record_numbers, " ")
}

function parse_record(record) {
	# Old records need no check.
	if (base_seq + 0 && record ~ /^seq=[1-9][0-9]* / &&
	    substr(record, 5, index(record, " ") - 5) + 0 <= base_seq + 0)
		return
	if (!read_record(record))
		bad_line("records")
	else if (field["seq"] + 0 > base_seq + 0) {
		last_seq = field["seq"]
		new_row(0)
	}
}

# Whether field[] has a record now.
function read_record(record,	i, n, at, key, text, word, nr_fields, numbers) {
	split("", field)
	field["samples"] = ""
	nr_fields = field["nr_samples"] = field["begin_unseen"] = 0
	n = split(record, word, " ")
	for (i = 1; i <= n; i++) {
		at = index(word[i], "=")
		if (at < 2)
			return 0
		key = substr(word[i], 1, at - 1)
		text = substr(word[i], at + 1)
		if (key in record_keys) {
			field[key] = text
			nr_fields++
		} else if (key == "sample") {
			if (!read_sample(text, i < n ? word[i + 1] : ""))
				return 0
		} else if (key == "begin")
			field["begin_unseen"] = text == "unseen"
	}
	if (nr_fields != nr_record_keys)
		return 0

	# A key that is missing while another key is there twice is empty. One simple match for all
	# numbers: matches are half of the time that mawk takes for a record.
	numbers = ""
	for (i = 1; i <= nr_record_numbers; i++) {
		text = field[record_numbers[i]]
		if (text == "" || length(text) > 20 || text != "0" && substr(text, 1, 1) == "0")
			return 0
		numbers = numbers text
	}
	return numbers ~ /^[0-9]+$/ && field["comm"] != "" && stack_number(field["stack"]) && \
	       field["end"] ~ /^(0|[1-9][0-9]*)[.][0-9]+$/ && length(field["end"]) <= 30 && \
	       field["kind"] in kind_windows && field["state"] in known_states && \
	       is_pending(field["pending"])
}

# A sample, OFFSET_NS:STACK, and its task, in=TASK, if the next word is that.
function read_sample(text, next_word,	at, offset_ns, stack, task) {
	at = index(text, ":")
	offset_ns = substr(text, 1, at ? at - 1 : 0)
	stack = stack_number(substr(text, at + 1))
	task = 0
	if (index(next_word, "in=") == 1) {
		task = task_number(substr(next_word, 4))
		if (!task)
			return 0
	}
	field["samples"] = field["samples"] offset_ns " " stack " " task " "
	field["nr_samples"]++
	return stack && is_count(offset_ns)
}

# The window of field[], in row nr_rows if the filters want it.
function new_row(open,	w) {
	w = nr_rows + 1
	win_open[w] = open
	win_begin_unseen[w] = field["begin_unseen"]
	win_seq[w] = field["seq"]
	win_kind[w] = field["kind"]
	win_cpu[w] = field["cpu"]
	win_end[w] = field["end"]
	win_latency_ns[w] = field["latency_ns"] + 0
	win_max_ns[w] = field["max_ns"] + 0
	win_steal_ns[w] = field["steal_ns"] + 0
	win_state[w] = field["state"]
	win_comm[w] = field["comm"]
	win_pid[w] = field["pid"]
	win_tgid[w] = field["tgid"]
	win_cgroup[w] = field["cgroup"]
	win_pending[w] = field["pending"]
	win_stack[w] = stack_number(field["stack"])
	win_samples[w] = field["samples"]
	win_nr_samples[w] = field["nr_samples"]
	if (!is_wanted(w)) {
		nr_filtered++
		return
	}
	nr_rows = w
	if (open)
		nr_open++
	else
		nr_windows++
	add_window(w)
}

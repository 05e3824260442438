# SPDX-License-Identifier: GPL-2.0
#
# "records": windows that have ended, one a line of key=value.
#
# Owns: record_keys, nr_record_keys, record_numbers, nr_record_numbers, in_pattern, known_task[text],
# last_seq (of the newest record after base_seq)

# All of these have to be there, once: a key that older modules do not print is none of them, but
# looked for by itself. "begin=unseen" is there for a window that had begun
# before the CPU was monitored. Any other key is of a newer module, and left alone.
function init_records(	name, i) {
	nr_record_keys = split("seq kind cpu end latency_ns max_ns steal_ns state comm pid " \
		"tgid cgroup pending stack", name, " ")
	for (i = 1; i <= nr_record_keys; i++)
		record_keys[name[i]] = 1
	nr_record_numbers = split("seq cpu latency_ns max_ns steal_ns pid tgid cgroup",
		record_numbers, " ")
	# Of the sample before it: context, state, PID, TGID, cgroup, name.
	in_pattern = "^(task|idle|softirq|interrupt),[a-z-]+,(0|[1-9][0-9]*),(0|[1-9][0-9]*),(0|[1-9][0-9]*),."
}

# Many samples have the same task.
function is_task(text) {
	if (!(text in known_task))
		known_task[text] = text ~ in_pattern && length(text) <= 150
	return known_task[text]
}

BEGIN {
	init_records()
	last_seq = base_seq
}

# Whether this record is not after base_seq. Such records need no check.
function is_old_record(record) {
	return base_seq + 0 && record ~ /^seq=[1-9][0-9]* / && \
	       substr(record, 5, index(record, " ") - 5) + 0 <= base_seq + 0
}

# Whether there is a new window, in row nr_rows.
function parse_record(record,	i, n, at, key, text, word, field, nr_fields, nr_samples, samples, task_of_sample, numbers, begin_unseen, w) {
	split("", field)
	samples = ""
	nr_fields = nr_samples = begin_unseen = 0
	n = split(record, word, " ")
	for (i = 1; i <= n; i++) {
		at = index(word[i], "=")
		if (at < 2)
			return bad_line()
		key = substr(word[i], 1, at - 1)
		text = substr(word[i], at + 1)
		if (key in record_keys) {
			field[key] = text
			nr_fields++
		} else if (key == "begin")
			begin_unseen = text == "unseen"
		else if (key == "sample") {
			at = index(text, ":")
			if (at < 2 || at == length(text) || !is_stack(substr(text, at + 1)) ||
			    substr(text, 1, at - 1) !~ /^(0|[1-9][0-9]*)$/)
				return bad_line()
			samples = samples (nr_samples++ ? " " : "") substr(text, 1, at) stack_number(substr(text, at + 1))
			task_of_sample[nr_samples] = "-"
		} else if (key == "in") {
			if (!nr_samples || !is_task(text))
				return bad_line()
			task_of_sample[nr_samples] = text
		}
	}
	if (nr_fields != nr_record_keys)
		return bad_line()

	# A key that is missing while another one is there twice is empty. All numbers in one
	# match, and one that is simple for mawk, which is half of the time of all this.
	numbers = ""
	for (i = 1; i <= nr_record_numbers; i++) {
		text = field[record_numbers[i]]
		if (text == "" || is_too_long(text) || text != "0" && substr(text, 1, 1) == "0")
			return bad_line()
		numbers = numbers text
	}
	if (numbers !~ /^[0-9]+$/ ||
	    field["end"] !~ /^(0|[1-9][0-9]*)[.][0-9]+$/ || length(field["end"]) > 30 ||
	    !(field["kind"] in kind_windows) || !is_state(field["state"]) ||
	    !is_pending(field["pending"]) || field["comm"] == "" || !is_stack(field["stack"]))
		return bad_line()

	if (field["seq"] + 0 <= base_seq + 0)
		return 0
	last_seq = field["seq"]
	if (!is_wanted(field["cpu"], field["kind"], field["latency_ns"], field["cgroup"], field["end"]) ||
	    !is_wanted_comm(field["comm"], task_of_sample, nr_samples)) {
		nr_filtered++
		return 0
	}
	nr_windows++
	w = ++nr_rows
	win_open[w] = 0
	win_begin_unseen[w] = begin_unseen
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
	win_samples[w] = samples
	win_in[w] = ""
	for (i = 1; i <= nr_samples; i++)
		win_in[w] = win_in[w] task_of_sample[i] " "
	win_nr_samples[w] = nr_samples
	return 1
}

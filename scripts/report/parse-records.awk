# SPDX-License-Identifier: GPL-2.0
#
# "records": windows that have ended, one a line of key=value.
#
# Owns: record_keys, nr_record_keys, last_seq (of the newest one that was taken)

# All of these have to be there, once. Any other key is of a newer module, and left alone.
function init_records(	name, i) {
	nr_record_keys = split("seq kind cpu end latency_ns max_ns steal_ns state comm pid " \
		"tgid cgroup pending stack", name, " ")
	for (i = 1; i <= nr_record_keys; i++)
		record_keys[name[i]] = 1
}

BEGIN {
	init_records()
	last_seq = base_seq
}

# Whether there is a new row.
function parse_record(record,	i, n, at, key, text, word, field, nr_fields, nr_samples, samples, numbers, w) {
	split("", field)
	samples = ""
	nr_fields = nr_samples = 0
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
		} else if (key == "sample") {
			if (text !~ /^(0|[1-9][0-9]*):./)
				return bad_line()
			samples = samples (nr_samples++ ? " " : "") text
		}
	}
	if (nr_fields != nr_record_keys)
		return bad_line()

	# A key that is missing while another one is there twice is empty. All numbers in one
	# match, as one for each would take as long as all the rest.
	numbers = field["seq"] " " field["cpu"] " " field["latency_ns"] " " field["max_ns"] " " \
		field["steal_ns"] " " field["pid"] " " field["tgid"] " " field["cgroup"]
	if (numbers !~ /^(0|[1-9][0-9]*)( (0|[1-9][0-9]*))*$/ ||
	    is_too_long(numbers) ||
	    field["end"] !~ /^(0|[1-9][0-9]*)[.][0-9]+$/ || length(field["end"]) > 30 ||
	    field["kind"] !~ /^(hardirq|softirq)$/ || !is_state(field["state"]) ||
	    !is_pending(field["pending"]) || field["comm"] == "" || field["stack"] == "")
		return bad_line()

	if (field["seq"] + 0 <= base_seq + 0)
		return 0
	last_seq = field["seq"]
	nr_windows++
	w = ++nr_rows
	win_open[w] = 0
	win_seq[w] = field["seq"]
	win_kind[w] = field["kind"]
	win_cpu[w] = field["cpu"]
	win_end[w] = field["end"]
	win_latency_ns[w] = field["latency_ns"]
	win_max_ns[w] = field["max_ns"]
	win_steal_ns[w] = field["steal_ns"]
	win_state[w] = field["state"]
	win_comm[w] = field["comm"]
	win_pid[w] = field["pid"]
	win_tgid[w] = field["tgid"]
	win_cgroup[w] = field["cgroup"]
	win_pending[w] = field["pending"]
	win_stack[w] = field["stack"]
	win_samples[w] = samples
	win_nr_samples[w] = nr_samples
	return 1
}

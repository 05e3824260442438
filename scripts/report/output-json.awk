# SPDX-License-Identifier: GPL-2.0
#
# mode=json. What is printed without quotes is a number that has been checked when it was read.
#
# Owns: json_windows[n], the ended ones as text

# Outermost first, as a list.
function json_stack(stack,	frame, n, i, text) {
	n = split(stack, frame, ";")
	text = "["
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") quoted(frame[i])
	return text "]"
}

# Of an older module this is not known.
function json_sample_task(w, i,	in_, by) {
	split(win_in[w], in_, " ")
	if (!split_task(in_[i], by))
		return ""
	return sprintf("\"context\":%s,\"state\":%s,\"pid\":%s,\"cgroup\":%s,\"comm\":%s,",
		quoted(by[1]), quoted(by[2]), by[3], by[5], quoted(by["comm"]))
}

function json_samples(w,	i, n, offset_ns, sample, text) {
	text = ""
	n = samples_of(w, offset_ns, sample)
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") sprintf("{\"after_ns\":%.0f,%s\"stack\":%s}",
			offset_ns[i], json_sample_task(w, i), json_stack(stack_text[sample[i]]))
	return text
}

function json_window(w) {
	return sprintf("{\"seq\":%s,\"kind\":%s,\"cpu\":%s,\"end\":%s,\"time\":%s," \
		"\"latency_ns\":%s,\"max_ns\":%s,\"steal_ns\":%s,\"state\":%s,",
		win_seq[w], quoted(win_kind[w]), win_cpu[w], win_end[w],
		quoted(clock(win_end[w])), win_latency_ns[w],
		win_begin_unseen[w] ? "null" : win_max_ns[w],
		win_steal_ns[w], quoted(win_state[w])) \
		sprintf("\"comm\":%s,\"pid\":%s,\"tgid\":%s,\"cgroup\":%s,\"pending\":%s," \
		"\"begin_seen\":%s,\"culprit\":%s,\"stack\":%s,\"looks\":[%s]}", quoted(win_comm[w]),
		win_pid[w], win_tgid[w], win_cgroup[w], quoted(win_pending[w]),
		win_begin_unseen[w] ? "false" : "true",
		quoted(own_culprit(win_paths[w])), json_stack(stack_text[win_stack[w]]), json_samples(w))
}

# A task that no CPU could sample has no PID.
function json_open_window(w) {
	return sprintf("{\"cpu\":%s,\"kind\":%s,\"latency_ns\":%s,\"begin_seen\":%s," \
		"\"comm\":%s,\"pid\":%s,\"culprit\":%s,\"state\":%s,\"cgroup\":%s,\"looks\":[%s]}", win_cpu[w], quoted(win_kind[w]),
		win_latency_ns[w], win_begin_unseen[w] ? "false" : "true",
		quoted(win_comm[w]), win_pid[w] == "-" ? "null" : win_pid[w],
		quoted(win_nr_samples[w] ? own_culprit(win_paths[w]) : "no CPU could sample it"),
		quoted(win_state[w]), win_cgroup[w], json_samples(w))
}

# A window that has ended, as it comes: its row is used again.
function keep_json_window(w) {
	json_windows[nr_windows] = json_window(w)
}

function print_json_windows(	n) {
	for (n = 1; n <= nr_windows; n++)
		printf "%s\n%s", (n > 1 ? "," : ""), json_windows[n]
}

function print_json_open(	w) {
	for (w = 1; w <= nr_open; w++)
		printf "%s\n%s", (w > 1 ? "," : ""), json_open_window(w)
}

function json_histogram(kind,	b, text, comma, max_us) {
	text = comma = ""
	for (b = 0; b <= last_bucket; b++)
		if (in_bucket(kind, b)) {
			text = text comma sprintf("{\"below_us\":%.0f,\"count\":%.0f}",
				exp2(b), in_bucket(kind, b))
			comma = ","
		}
	# The longest of all the time may not be one of this run.
	max_us = sprintf("%.0f", histogram_max_us[kind])
	if (spent != "" && histogram_max_us[kind] == histogram_max_us_before[kind])
		max_us = "null"
	return sprintf("{\"count\":%.0f,\"sum_us\":%.0f,\"max_us\":%s,\"buckets\":[%s]}",
		       histogram_count[kind], histogram_sum_us[kind], max_us, text)
}

function print_json_culprit(c) {
	printf "\n{\"function\":%s,\"kind\":%s,\"context\":%s,\"comm\":%s,\"pid\":%s,",
	       quoted(c_function[c]), quoted(c_kind[c]), quoted(c_context[c]),
	       quoted(c_comm[c]), c_pid[c]
	printf "\"cgroup\":%s,\"cgroup_path\":%s,\"windows\":%d,\"worst_ns\":%.0f,", c_cgroup[c],
	       quoted(c_cgroup[c] in cgroup_path ? cgroup_path[c_cgroup[c]] : ""),
	       c_windows[c], c_worst_ns[c]
	printf "\"total_ns\":%.0f,\"cpus\":[%s],\"looks\":%d,", c_total_ns[c], sorted(c_cpus[c]),
	       c_samples[c]
	printf "\"named\":%s,\"waiters\":%d,\"waited_ns\":%.0f}",
	       c_rank[c] == RANK_CULPRIT ? "true" : "false", c_waiters[c], c_waited_ns[c]
}

function print_json_stuck(	i, j, n, pid, name, comma) {
	comma = ""
	for (i = 1; i <= nr_stuck; i++) {
		printf "%s\n{\"cpu\":%s,\"latency_ns\":%s,\"ended\":%s,\"tasks\":[", comma,
		       stuck_cpu[i], stuck_ns[i], stuck_open[i] ? "false" : "true"
		comma = ","
		n = stuck_tasks_of(i, pid, name)
		for (j = 1; j <= n; j++)
			printf "%s{\"pid\":%s,\"comm\":%s}", (j > 1 ? "," : ""), pid[j], quoted(name[j])
		printf "]}"
	}
}

function print_json_unwatched(	i) {
	for (i = 1; i <= nr_unwatched; i++)
		printf "%s{\"why\":%s,\"cpus\":[%s]}", (i > 1 ? "," : ""),
		       quoted(unwatched_why[i]), unwatched_cpus[i]
}

function print_json(	i, key, comma) {
	printf "{\"helper\":%s,\"host\":%s,\"release\":%s,\"status\":{", quoted(version),
	       quoted(host), quoted(release)
	comma = ""
	for (key in status) {
		printf "%s%s:%s", comma, quoted(key), quoted(status[key])
		comma = ","
	}
	printf "},\n\"held_up_s\":%s,", held_up == "" ? "null" : held_up
	printf "\n\"seconds\":%s,\"windows\":%d,\"missing_windows\":%d,\"culprits\":[",
	       spent == "" ? "null" : spent, nr_windows, missing_windows()
	for (i = 1; i <= nr_culprits; i++) {
		printf "%s", (i > 1 ? "," : "")
		print_json_culprit(rank[i])
	}
	printf "],\n\"not_watched\":["
	print_json_unwatched()
	printf "],\n\"loaded\":%s,\"stuck\":[", unloaded == "" ? "true" : "false"
	print_json_stuck()
	printf "],\n\"open\":["
	print_json_open()
	printf "],\n\"histograms\":{\"hardirq\":%s,\"softirq\":%s},\n\"records\":[",
	       json_histogram("hardirq"), json_histogram("softirq")
	print_json_windows()
	print "]}"
}

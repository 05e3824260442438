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

function json_known(text) {
	return text == "" ? "null" : quoted(text)
}

# "NET_RX:2,TIMER:1" as an object; it has been checked.
function json_counts(text,	n, i, word, colon, json) {
	if (text == "" || text == "-")
		return text == "" ? "null" : "{}"
	json = ""
	n = split(text, word, ",")
	for (i = 1; i <= n; i++) {
		colon = index(word[i], ":")
		json = json (i > 1 ? "," : "") quoted(substr(word[i], 1, colon - 1)) ":" substr(word[i], colon + 1)
	}
	return "{" json "}"
}

function json_window(w,	i, n, offset_ns, sample, looks) {
	looks = ""
	n = samples_of(w, offset_ns, sample)
	for (i = 1; i <= n; i++)
		looks = looks (i > 1 ? "," : "") sprintf("{\"after_ns\":%.0f,\"stack\":%s}",
			offset_ns[i], json_stack(sample[i]))
	return sprintf("{\"seq\":%s,\"kind\":%s,\"cpu\":%s,\"end\":%s,\"time\":%s," \
		"\"latency_ns\":%s,\"max_ns\":%s,\"steal_ns\":%s,\"state\":%s,",
		win_seq[w], quoted(win_kind[w]), win_cpu[w], win_end[w],
		quoted(clock(win_end[w])), win_latency_ns[w],
		win_begin_unseen[w] ? "null" : win_max_ns[w],
		win_steal_ns[w], quoted(win_state[w])) \
		sprintf("\"comm\":%s,\"pid\":%s,\"tgid\":%s,\"cgroup\":%s,\"pending\":%s," \
		"\"begin_seen\":%s,\"culprit\":%s,\"vector\":%s,\"handler\":%s,\"irqs\":%s,\"softirqs\":%s,\"stack\":%s,\"looks\":[%s]", quoted(win_comm[w]),
		win_pid[w], win_tgid[w], win_cgroup[w], quoted(win_pending[w]),
		win_begin_unseen[w] ? "false" : "true",
		quoted(win_culprit[w]), json_known(win_vector[w]), json_known(win_handler[w]),
		win_irqs[w] == "" ? "null" : win_irqs[w], json_counts(win_softirqs[w]),
		json_stack(win_stack[w]), looks)
}

# How window n waited for another one, as text; "null": it did not.
function json_wait(n,	i, h, text) {
	if (!(n in wait_kind))
		return "null"
	text = sprintf("{\"for\":%s,\"lock\":%s,\"looks\":%d,\"victim\":%s,\"least_ns\":%.0f,\"most_ns\":%s," \
		"\"rest_ns\":%s,\"holders\":[", wait_kind[n] == "l" ? "\"lock\"" : "\"call\"",
		wt_open[n] ? "null" : json_known(wt_lock[n]),
		wait_looks[n], wait_victim[n] ? "true" : "false", wait_least_ns[n],
		wt_open[n] ? "null" : sprintf("%.0f", wait_most_ns[n]),
		wt_open[n] ? "null" : sprintf("%.0f", wait_rest_ns[n]))
	for (i = 1; i <= wait_nr[n]; i++) {
		h = wait_holder[n, i]
		text = text (i > 1 ? "," : "") sprintf("{\"cpu\":%s,\"culprit\":%s}", wt_cpu[h],
			quoted(culprit_of_window(h)))
	}
	return text "]}"
}

# A task that no CPU could look at has no PID.
function json_open_window(w) {
	return sprintf("{\"cpu\":%s,\"kind\":%s,\"latency_ns\":%s,\"begin_seen\":%s," \
		"\"comm\":%s,\"pid\":%s,\"culprit\":%s,\"waited\":%s}", win_cpu[w], quoted(win_kind[w]),
		win_latency_ns[w], win_begin_unseen[w] ? "false" : "true",
		quoted(win_comm[w]), win_pid[w] == "-" ? "null" : win_pid[w],
		quoted(win_culprit[w]), json_wait(nr_windows + w))
}

# A window that has ended, as it comes: its row is used again.
function keep_json_window(w) {
	json_windows[nr_windows] = json_window(w)
}

function print_json_windows(	n) {
	for (n = 1; n <= nr_windows; n++)
		printf "%s\n%s,\"waited\":%s}", (n > 1 ? "," : ""), json_windows[n], json_wait(n)
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

function print_json_histograms(	i) {
	for (i = 1; i <= nr_kinds; i++)
		printf "%s%s:%s", (i > 1 ? "," : ""), quoted(kinds[i]), json_histogram(kinds[i])
}

function print_json_culprit(c) {
	printf "\n{\"function\":%s,\"kind\":%s,\"context\":%s,\"comm\":%s,\"pid\":%s,",
	       quoted(c_function[c]), quoted(c_kind[c]), quoted(c_context[c]),
	       quoted(c_comm[c]), c_pid[c]
	printf "\"cgroup\":%s,\"cgroup_path\":%s,\"windows\":%d,\"worst_ns\":%.0f,", c_cgroup[c],
	       quoted(c_cgroup[c] in cgroup_path ? cgroup_path[c_cgroup[c]] : ""),
	       c_windows[c], c_worst_ns[c]
	printf "\"total_ns\":%.0f,\"cpus\":[%s],\"looks\":%d,", c_total_ns[c], sorted(c_cpus[c]),
	       c_looks[c]
	printf "\"waited_for\":%s,\"waited_ns\":%.0f,\"victim_cpus\":[%s]}",
	       c_waits[c] == "" ? "null" : c_under[c] ? place_of[c_under[c]] : "\"several\"",
	       c_wait_ns[c], c_victim_cpus[c] == "" ? "" : sorted(c_victim_cpus[c])
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
	printf "\n\"seconds\":%s,\"windows\":%d,\"culprits\":[", spent == "" ? "null" : spent,
	       nr_windows
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
	printf "],\n\"histograms\":{"
	print_json_histograms()
	printf "},\n\"records\":["
	print_json_windows()
	print "]}"
}

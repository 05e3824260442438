# SPDX-License-Identifier: GPL-2.0
#
# mode=json and mode=jsonl, as ../report.schema.json describes them. What is printed without quotes
# is a number that has been checked when it was read.

BEGIN {
	SCHEMA = 1
}

# A list of strings: the parts of text between separators.
function json_list(text, separator,	part, n, i, list) {
	n = split(text, part, separator)
	list = ""
	for (i = 1; i <= n; i++)
		list = list (i > 1 ? "," : "") quoted(part[i])
	return "[" list "]"
}

function json_stack(s) {
	if (!(s in known_json_stack))
		known_json_stack[s] = json_list(stack_text[s], ";")
	return known_json_stack[s]
}

function string_or_null(text) {
	return text == "" ? "null" : quoted(text)
}

function number_or_null(text) {
	return text == "" ? "null" : text
}

function bool(value) {
	return value ? "true" : "false"
}

# Of "SECONDS.NANOSECONDS".
function end_ns(seconds,	at, fraction) {
	at = index(seconds, ".")
	fraction = substr(substr(seconds, at + 1) "000000000", 1, 9)
	seconds = substr(seconds, 1, at - 1) fraction
	sub(/^0+/, "", seconds)
	return seconds == "" ? "0" : seconds
}

# A window of which no CPU could take a sample has no name: "-".
function json_task(t) {
	if (!(t in known_json_task))
		known_json_task[t] = sprintf("\"comm\":%s,\"pid\":%s,\"tgid\":%s,\"cgroup\":%s",
			quoted(task_comm[t]), task_comm[t] == "-" ? "null" : task_pid[t], task_tgid[t], task_cgroup[t])
	return known_json_task[t]
}

# The task of a sample, and what it did.
function json_sampled(t) {
	return sprintf("\"context\":%s,\"state\":%s,%s", task_context[t] == "-" ? "null" : quoted(task_context[t]),
		quoted(task_state[t]), json_task(t))
}

function json_samples(w,	i, n, offset_ns, sample, by, text) {
	text = ""
	n = samples_of(w, offset_ns, sample, by)
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") sprintf("{\"after_ns\":%.0f,%s,\"stack\":%s}",
			offset_ns[i], json_sampled(by[i]), json_stack(sample[i]))
	return "[" text "]"
}

function json_host() {
	return "\"schema\":" SCHEMA ",\"host\":" quoted(host) ",\"boot_id\":" string_or_null(boot_id)
}

# A window, ended or open.
function json_window(w,	open, t) {
	open = win_open[w]
	t = win_task[w]
	return sprintf("{%s,\"seq\":%s,\"kind\":%s,\"cpu\":%s,\"open\":%s,\"end_ns\":%s,\"time\":%s,",
		json_host(), open ? "null" : win_seq[w], quoted(win_kind[w]), win_cpu[w], bool(open),
		open ? "null" : end_ns(win_end[w]), open ? "null" : quoted(clock(win_end[w]))) \
		sprintf("\"begin_seen\":%s,\"latency_ns\":%.0f,\"max_ns\":%s,\"steal_ns\":%.0f,\"paused_ns\":%.0f,\"state\":%s,",
		bool(!win_begin_unseen[w]), win_latency_ns[w],
		open || win_begin_unseen[w] ? "null" : sprintf("%.0f", win_max_ns[w]),
		win_steal_ns[w], win_paused_ns[w], quoted(task_state[t])) \
		sprintf("%s,\"cgroup_path\":%s,\"pending\":%s,", json_task(t), json_cgroup_path(task_cgroup[t]),
		json_list(win_pending[w] == "-" ? "" : win_pending[w], ",")) json_interrupts(w) \
		sprintf("\"function\":%s,\"stack\":%s,\"samples\":%s}",
		open && !win_nr_samples[w] && without_name(w) == "" ? "null" : quoted(own_culprit(w)),
		open ? "null" : json_stack(win_stack[w]), json_samples(w))
}

# What the CPU took during the window; nothing if the module did not count it.
function json_interrupts(w,	n, i, part, text) {
	text = win_irqs[w] == "" ? "" : "\"irqs\":" win_irqs[w] ","
	if (win_softirqs[w] == "")
		return text
	n = win_softirqs[w] == "-" ? 0 : split(win_softirqs[w], part, ",")
	text = text "\"softirqs\":{"
	for (i = 1; i <= n; i++) {
		sub(/:/, "\":", part[i])
		text = text (i > 1 ? "," : "") "\"" part[i]
	}
	return text "},"
}

function json_cgroup_path(id) {
	return id in cgroup_path ? string_or_null(cgroup_path[id]) : "null"
}

function print_json_windows(first, last,	w) {
	for (w = first; w <= last; w++)
		printf "%s\n%s", (w > first ? "," : ""), json_window(w)
}

function json_histogram(kind,	b, text, comma, max_us) {
	text = comma = ""
	for (b = 0; b <= last_bucket; b++)
		if (in_bucket(kind, b)) {
			text = text comma sprintf("{\"below_ns\":%.0f,\"count\":%.0f}",
				exp2(b) * 1000, in_bucket(kind, b))
			comma = ","
		}
	# The longest latency since the module was loaded may be from before this run.
	max_us = histogram_max_us[kind]
	return sprintf("{\"count\":%.0f,\"sum_ns\":%.0f,\"max_ns\":%s,\"buckets\":[%s]}",
		       histogram_count[kind], histogram_sum_us[kind] * 1000,
		       spent != "" && max_us == histogram_max_us_before[kind] ? "null" : sprintf("%.0f", max_us * 1000), text)
}

function json_culprit(c) {
	return sprintf("{\"function\":%s,\"named\":%s,\"kind\":%s,\"context\":%s,\"comm\":%s,\"pid\":%s,\"pids\":%d,",
		quoted(c_function[c]), bool(c_rank[c] == RANK_CULPRIT), quoted(c_kind[c]),
		string_or_null(c_context[c]), quoted(task_comm[c_task[c]]), task_pid[c_task[c]], c_pids[c]) \
		sprintf("\"cgroup\":%s,\"cgroup_path\":%s,\"cpus\":[%s],\"windows\":%d,\"total_ns\":%.0f,",
		c_cgroup[c], json_cgroup_path(c_cgroup[c]), sorted(c_cpus[c]), c_windows[c], c_total_ns[c]) \
		sprintf("\"worst_ns\":%.0f,\"samples\":%d,\"waiters\":%d,\"waited_ns\":%.0f}",
		c_worst_ns[c], c_samples[c], c_waiters[c], c_waited_ns[c])
}

# A line of the module's status. Counters are numbers, times are in nanoseconds.
function json_status(key,	value) {
	value = status[key]
	if (key ~ /^(version|format|session|cpus.*)$/)
		return quoted(key) ":" quoted(value)
	if (is_count(value)) {
		if (sub(/_us$/, "_ns", key) && value != 0)
			value = value "000"
		return quoted(key) ":" value
	}
	if (value ~ /^[0-9]+(us|ms|s)$/ && !is_too_long(value))
		return quoted(key "_ns") ":" sprintf("%.0f", in_seconds(value) * 1e9)
	return quoted(key) ":" quoted(value)
}

function json_filter() {
	if (!is_filtered())
		return "null"
	return sprintf("{\"cpu\":%s,\"kind\":%s,\"comm\":%s,\"cgroup\":%s,\"min_ns\":%s,\"since_ns\":%s,\"other_windows\":%d}",
		number_or_null(only_cpu), string_or_null(only_kind), string_or_null(only_comm),
		string_or_null(only_cgroup), number_or_null(only_min_ns),
		only_since == "" ? "null" : end_ns(with_fraction(only_since)), nr_filtered)
}

# Lines of each file that could not be read.
function json_unreadable(	n, i, file, text) {
	text = ""
	n = split(INPUT_FILES, file, " ")
	for (i = 1; i <= n; i++)
		if (file[i] in nr_bad)
			text = text (text == "" ? "" : ",") quoted(file[i]) ":" nr_bad[file[i]]
	return "{" text "}"
}

# The index of the culprit that the first line of the text names.
function json_answer(	i) {
	for (i = 1; i <= nr_culprits; i++)
		if (rank[i] == answer_c())
			return i - 1
	return "null"
}

function print_json(	i) {
	printf "{%s,\"release\":%s,\"helper\":%s,\n\"status\":{", json_host(), quoted(release), quoted(version)
	for (i = 1; i <= nr_status_keys; i++)
		printf "%s%s", (i > 1 ? "," : ""), json_status(status_key[i])
	printf "},\n\"filter\":%s,\"duration_ns\":%s,", json_filter(),
	       (spent == "" ? "null" : sprintf("%.0f", spent * 1e9))
	printf "\"windows\":%d,\"missing_windows\":%d,\"unreadable\":%s,\n\"answer\":%s,\"culprits\":[",
	       nr_windows, missing_windows(), json_unreadable(), json_answer()
	for (i = 1; i <= nr_culprits; i++)
		printf "%s\n%s", (i > 1 ? "," : ""), json_culprit(rank[i])
	printf "],\n\"cpus_not_monitored\":["
	for (i = 1; i <= nr_unmonitored; i++)
		printf "%s{\"why\":%s,\"cpus\":[%s]}", (i > 1 ? "," : ""),
		       quoted(unmonitored_why[i]), unmonitored_cpus[i]
	printf "],\n\"histograms\":{"
	for (i = 1; i <= nr_kinds; i++)
		printf "%s\"%s\":%s", (i > 1 ? "," : ""), kind_name[i], json_histogram(kind_name[i])
	printf "},\n\"open\":["
	print_json_windows(1, nr_open)
	printf "],\n\"records\":["
	print_json_windows(nr_open + 1, nr_rows)
	print "]}"
}

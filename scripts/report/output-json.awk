# SPDX-License-Identifier: GPL-2.0
#
# mode=json, jsonl and page, as ../report.schema.json describes them; output-page.awk says how the page
# differs. What is printed without quotes was checked to be a number.

BEGIN {
	SCHEMA = 3
}

# A list of strings: the parts of text between separators.
function json_list(text, separator,	part) {
	return json_texts(split(text, part, separator), part)
}

function json_texts(n, text,	i, list) {
	list = ""
	for (i = 1; i <= n; i++)
		list = list (i > 1 ? "," : "") quoted(text[i])
	return "[" list "]"
}

function json_stack(s) {
	if (mode == "page")
		return page_stack(s)
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

function json_time(seconds) {
	return from_log ? "null" : quoted(clock(seconds))
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
	return "\"comm\":" quoted(task_comm[t]) ",\"pid\":" (task_comm[t] == "-" ? "null" : task_pid[t]) \
		",\"tgid\":" task_tgid[t] ",\"cgroup\":" task_cgroup[t]
}

function json_sampled(t) {
	return "\"context\":" (task_context[t] == "-" ? "null" : quoted(task_context[t])) \
		",\"state\":" quoted(task_state[t]) "," json_task(t)
}

# By concatenation: mawk's sprintf() has room for 8,192 bytes.
function json_samples(w,	i, n, offset_ns, sample, by, moved, lock, text) {
	text = ""
	n = samples_of(w, offset_ns, sample, by, moved, lock)
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") "{\"after_ns\":" whole_number(offset_ns[i]) "," json_sampled(by[i]) \
			(mode == "page" ? page_sample(w, by[i], sample_span_ns(i, n, offset_ns, win_latency_ns[w])) : "") \
			",\"stack\":" json_stack(sample[i]) ",\"moved\":" quoted(moved[i]) \
			",\"lock\":" (lock[i] == "-" ? "null" : quoted(lock[i])) "}"
	return "[" text "]"
}

function whole_number(number) {
	return sprintf("%.0f", number)
}

function json_host() {
	return "\"schema\":" SCHEMA ",\"host\":" quoted(host) ",\"boot_id\":" string_or_null(boot_id) \
		",\"release\":" quoted(release) ",\"hardware\":" quoted(hardware) ",\"cpus\":" string_or_null(status_of("cpus"))
}

function json_window(w,	open, t) {
	open = is_open(w)
	t = win_task[w]
	return "{" (mode == "page" ? "" : json_host() ",") "\"seq\":" (open ? "null" : win_seq[w]) ",\"kind\":" quoted(win_kind[w]) ",\"cpu\":" win_cpu[w] \
		",\"open\":" bool(open) ",\"end_ns\":" (open ? "null" : quoted(end_ns(win_end[w]))) \
		",\"time\":" (open ? "null" : json_time(win_end[w])) ",\"begin_seen\":" bool(!(w in win_begin_unseen)) \
		",\"latency_ns\":" whole_number(win_latency_ns[w]) \
		",\"max_ns\":" (open || w in win_begin_unseen ? "null" : whole_number(win_max_ns[w])) \
		",\"steal_ns\":" (w in win_steal_ns ? whole_number(win_steal_ns[w]) : 0) \
		",\"paused_ns\":" (w in win_paused_ns ? whole_number(win_paused_ns[w]) : 0) \
		",\"state\":" quoted(task_state[t]) "," json_task(t) ",\"cgroup_path\":" json_cgroup_path(task_cgroup[t]) \
		",\"pending\":" json_list(win_pending[w] == "-" ? "" : win_pending[w], ",") "," json_interrupts(w) \
		json_cause(w) ",\"stack\":" (open ? "null" : json_stack(win_stack[w])) \
		(w in win_paused_stack && win_paused_stack[w] != win_stack[w] ? ",\"resumed_in\":" json_stack(win_paused_stack[w]) : "") (mode == "page" ? page_words(w) : "") ",\"samples\":" json_samples(w) "}"
}

# The row of the report that window w is in; for an open window, what it tells alone.
function json_cause(w,	why, c) {
	c = is_open(w) ? 0 : win_c[w]
	why = c ? c_reason[c] : is_open(w) && !win_nr_samples[w] && without_name(w) == "" ? "unsampled" : own_reason(w)
	return "\"culprit\":" (why == "" ? quoted(c ? c_function[c] : own_function(w)) : "null") \
		",\"sure\":" bool(c && is_sure(c)) ",\"reason\":" string_or_null(why) \
		",\"waits_for\":" (w in win_waits_for ? quoted(win_waits_for[w]) : "null") ",\"lock\":" string_or_null(lock_of(w)) \
		",\"holder\":" (w in win_holder ? win_seq[win_holder[w]] : "null") \
		(mode ~ /^(json|page)$/ && c ? ",\"row\":" culprit_number[c] : "")
}

# What the CPU took during the window; nothing if the module did not count it.
function json_interrupts(w,	counts) {
	counts = !(w in win_softirqs) || win_softirqs[w] == "-" ? "" : \
		"\"" replaced(replaced(win_softirqs[w], ":", "\":"), ",", ",\"")
	return (w in win_irqs ? "\"irqs\":" win_irqs[w] "," : "") \
		(w in win_softirqs ? "\"softirqs\":{" counts "}," : "")
}

function json_cgroup_path(id) {
	return id in cgroup_path ? string_or_null(cgroup_path[id]) : "null"
}

function print_json_windows(first, last,	w, comma) {
	comma = ""
	for (w = first; w <= last; w++)
		if (!(w in win_unwanted) && (mode != "page" || is_open(w) || w in page_window)) {
			printf "%s\n%s", comma, json_window(w)
			comma = ","
		}
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
	max_us = histogram_max_us["histogram", kind]
	return sprintf("{\"count\":%.0f,\"sum_ns\":%.0f,\"max_ns\":%s,\"buckets\":[%s]}",
		       histogram_count[kind], histogram_sum_us[kind] * 1000,
		       spent != "" && max_us == histogram_max_us["histogram.before", kind] ? "null" : \
	       sprintf("%.0f", max_us * 1000), text)
}

function json_culprit(c,	i, kinds, t, cgroup) {
	kinds = ""
	for (i = 1; i <= nr_kinds; i++)
		if ((c, kind_name[i]) in c_kind_ns)
			kinds = kinds (kinds == "" ? "" : ",") quoted(kind_name[i]) ":" whole_number(c_kind_ns[c, kind_name[i]])
	t = c_task[c]
	find_facts(c)
	# A handler is in no cgroup.
	cgroup = c_context[c] ~ /^(task|mixed)$/ ? task_cgroup[t] : 0
	return "{\"name\":" quoted(c_function[c]) ",\"function\":" (c_is_named[c] ? quoted(c_function[c]) : "null") \
		",\"reason\":" (c_is_named[c] ? "null" : quoted(c_reason[c])) \
		",\"sure\":" bool(is_sure(c)) ",\"kinds_ns\":{" kinds "}" \
		",\"context\":" string_or_null(c_context[c]) ",\"comm\":" quoted(task_comm[t]) ",\"pid\":" task_pid[t] \
		",\"pids\":" c_pids[c] ",\"cgroup\":" cgroup ",\"cgroup_path\":" json_cgroup_path(cgroup) \
		",\"cgroups\":" (cgroup ? c_cgroups[c] : 0) ",\"cpus\":[" sorted(c_cpus[c]) "],\"windows\":" c_windows[c] \
		",\"total_ns\":" whole_number(c_total_ns[c]) ",\"worst_ns\":" whole_number(c_worst_ns[c]) \
		",\"first_end\":" (c_windows[c] ? json_time(at_second(c_first_end[c])) : "null") \
		",\"last_end\":" (c_windows[c] ? json_time(at_second(c_last_end[c])) : "null") \
		",\"samples\":" c_samples[c] ",\"all_samples\":" c_all_samples[c] \
		",\"waiters\":" c_waiters[c] ",\"waited_ns\":" whole_number(c_waited_ns[c]) \
		",\"origin\":" string_or_null(origin_text(c)) ",\"known\":" json_known(c, cause_of(c)) \
		",\"inside\":" json_list(c_inside[c], " < ") ",\"callers\":" json_list(c_callers[c], " < ") \
		",\"summary\":" quoted(c == answer ? summary_of_answer() : summary(c)) ",\"facts\":" json_facts() "}"
}

function json_facts(	i, list) {
	list = ""
	for (i = 1; i <= nr_facts; i++)
		list = list (i > 1 ? "," : "") "[" quoted(fact_label[i]) "," quoted(fact_text[i]) "]"
	return "[" list "]"
}

# Line i of the known causes, for culprit c; null if i is 0.
function json_known(c, i) {
	if (!i)
		return "null"
	return "{\"cause\":" quoted(cause[i, "text"]) ",\"fixed\":" json_list(cause[i, "fixed"], ", ") \
		",\"commit\":" string_or_null(cause[i, "commit"]) ",\"maybe\":" bool(is_maybe[c]) ",\"helps\":" string_or_null(helps_text(i)) \
		",\"state\":" string_or_null(state_text(i)) ",\"source\":" quoted(cause[i, "source"]) "}"
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
	if (value ~ /^[0-9]+(us|ms|s)$/ && length(value) <= 20)
		return quoted(key "_ns") ":" sprintf("%.0f", in_seconds(value) * 1e9)
	return quoted(key) ":" quoted(value)
}

function json_filter() {
	if (!is_filtered())
		return "null"
	return "{\"cpu\":" number_or_null(only_cpu) ",\"kind\":" string_or_null(only_kind) \
		",\"comm\":" string_or_null(only_comm) ",\"pid\":" number_or_null(only_pid) \
		",\"cgroup\":" string_or_null(only_cgroup) ",\"function\":" string_or_null(only_function) \
		",\"min_ns\":" number_or_null(only_min_ns) ",\"since_ns\":" json_moment(only_since) \
		",\"until_ns\":" json_moment(only_until) ",\"other_windows\":" nr_filtered "}"
}

function json_moment(s) {
	return s == "" ? "null" : quoted(end_ns(with_fraction(s)))
}

function json_unreadable(	n, i, file, text) {
	text = ""
	n = split(INPUT_FILES, file, " ")
	for (i = 1; i <= n; i++)
		if (file[i] in nr_bad)
			text = text (text == "" ? "" : ",") quoted(file[i]) ":" nr_bad[file[i]]
	return "{" text "}"
}

# The first keys of a report, which are also all of "status --format json".
function print_json_status(	i) {
	printf "{%s,\"helper\":%s,\n\"status\":{", json_host(), quoted(version)
	for (i = 1; i <= nr_status_keys; i++)
		printf "%s%s", (i > 1 ? "," : ""), json_status(status_key[i])
	printf "}"
}

# Owns: culprit_number[c], the index of each in the list.
function print_json(	i) {
	culprit_number[0] = "null"
	for (i = 1; i <= nr_ranked; i++)
		culprit_number[rank[i]] = i - 1
	print_json_status()
	printf ",\n\"filter\":%s,\"duration_ns\":%s,", json_filter(),
	       (spent == "" ? "null" : sprintf("%.0f", spent * 1e9))
	printf "\"windows\":%d,\"missing_windows\":%d,\"unreadable\":%s,\n\"answer\":%s,\"culprits\":[",
	       nr_windows, missing_windows(), json_unreadable(), culprit_number[answer]
	for (i = 1; i <= nr_ranked; i++)
		printf "%s\n%s", (i > 1 ? "," : ""), json_culprit(rank[i])
	find_also()
	find_notes()
	if (log_first != "")
		add_note(log_first)
	printf "],\n\"also\":%s,\"notes\":%s,\"cpus_not_monitored\":[", json_texts(nr_also, also), json_texts(nr_notes, note)
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
	printf "],\n\"handlers\":"
	if (handlers_on_ns)
		print_json_handlers()
	else
		printf "null"
	if (mode == "page")
		print_page_extras()
	print "}"
}

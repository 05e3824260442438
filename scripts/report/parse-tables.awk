# SPDX-License-Identifier: GPL-2.0
#
# "status", "histogram" and the paths of cgroups, as they were at the beginning of this run
# (.before) and as they are now.
#
# Owns:
#	status[key], status_before[key]; status_key[1] ... status_key[nr_status_keys], as they came
#	buckets[kind, b], last_bucket	latencies of 2^(b-1) us up to 2^b, of all CPUs, of this run
#	histogram_count[kind], histogram_sum_us[kind]	of this run; histogram_max_us[file, kind]
#	histogram_kind		of the rows that are being read
#	kind_name[1] ... kind_name[nr_kinds]
#	cgroup_path[id]		empty: looked for, and not there any more
#	log_fact[1] ... log_fact[nr_log_facts]	lines of a kernel log; log_first: the one that came before the windows

BEGIN {
	last_bucket = nr_status_keys = nr_log_facts = 0
	log_first = ""
	histogram_kind = ""
	nr_kinds = split("hardirq softirq nosched", kind_name, " ")
	for (i = 1; i <= nr_kinds; i++) {
		kind_windows[kind_name[i]] = 0
		histogram_count[kind_name[i]] = histogram_sum_us[kind_name[i]] = 0
		histogram_max_us["histogram", kind_name[i]] = histogram_max_us["histogram.before", kind_name[i]] = 0
	}
}

# Of "status": what metrics print as it is, and what the notes of the text reckon with.
function is_counter(key) {
	return key ~ /^(enabled|records_(overwritten|lost)|windows_(hardirq|softirq|nosched)(_stolen|_paused)?(_us)?)$/
}

function parse_status(line,	at, key, value) {
	at = index(line, ": ")
	if (at < 2)
		return bad_line()
	key = substr(line, 1, at - 1)
	value = substr(line, at + 2)
	if (is_counter(key) && !is_count(value))
		return bad_line()
	if (what == "status") {
		if (!(key in status))
			status_key[++nr_status_keys] = key
		status[key] = value
	} else
		status_before[key] = value
}

# Of this run, or of all the time.
function counted(key) {
	return (key in status ? status[key] : 0) - (key in status_before ? status_before[key] : 0)
}

function status_of(key) {
	return key in status ? status[key] : ""
}

# Whether windows with interrupts off are sampled.
function has_samples() {
	return status_of("nmi") !~ /^off/ || status_of("counter") ~ /^on/
}

# Whether NMIs tell pauses of the CPU from code that disabled interrupts.
function measures_pauses() {
	return status_of("nmi") == "on" && "windows_hardirq_paused" in status
}

# cpu: 0 kind: hardirq count: 7 sum_us: 30 max_us: 12
# (rows) FROM -> TO : COUNT |bar|
function parse_histogram(line,	n, word, sign, kind, bucket) {
	sign = what == "histogram" ? 1 : -1
	n = split(line, word, " ")
	# Longer numbers, which no module prints, would be infinite.
	if (line ~ /[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/)
		return bad_line()
	if (word[1] == "cpu:") {
		histogram_kind = ""
		if (line !~ /^cpu: [0-9]+ kind: (hardirq|softirq|nosched) count: [0-9]+ sum_us: [0-9]+ max_us: [0-9]+$/)
			return bad_line()
		kind = histogram_kind = word[4]
		histogram_count[kind] += sign * word[6]
		histogram_sum_us[kind] += sign * word[8]
		if (word[10] + 0 > histogram_max_us[what, kind])
			histogram_max_us[what, kind] = word[10] + 0
	} else if (n > 1 && word[2] == "->") {
		if (histogram_kind == "" || line !~ /^ *[0-9]+ -> [0-9]+ *: [0-9]+ *[|]/)
			return bad_line()
		bucket = log2(word[3] + 1)
		buckets[histogram_kind, bucket] += sign * word[5]
		if (bucket > last_bucket)
			last_bucket = bucket
	}
}

function in_bucket(kind, b) {
	return (kind, b) in buckets ? buckets[kind, b] : 0
}

# "ID PATH"; "ID" alone is one that was looked for, and is not there any more.
function parse_cgroup(line,	id) {
	id = line
	sub(/ .*/, "", id)
	if (!is_count(id))
		return bad_line()
	cgroup_path[id] = length(line) > length(id) + 1 ? substr(line, length(id) + 2) : ""
}

# A kind of line in a kernel log (log-lines): "first" or "also", how many there were, the last one and its meaning
function parse_fact(line,	part, text) {
	split(line, part, " ")
	if (part[2] !~ /^[1-9][0-9]*$/)
		return bad_line()
	text = substr(line, length(part[1] part[2]) + 3)
	text = "in the log" (part[2] > 1 ? ", " part[2] " times" : "") ": " text
	if (part[1] == "first")
		log_first = "First " text
	else
		log_fact[++nr_log_facts] = "Also " text
}

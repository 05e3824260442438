# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Filters of the caller (only_cpu and others, see main.awk). A window that does not match is in no
# output, but takes part in finding culprits: the holder of a lock may not match, and its waiters may.

# Owns: only_since, only_until, seconds since 1970; or ""

BEGIN {
	HALF_DAY_S = 43200
	only_since = moment(since, "")
	only_until = moment(until, only_since == "" ? data_end - HALF_DAY_S : only_since)
}

# Nanoseconds before the end of the data, or a time of day in UTC, as seconds since 1970. A time without
# a date is the first one after "after", or if this is empty, the last one before the end of the data.
function moment(text, after,	n, part, days, s) {
	if (text ~ /^[0-9]*$/)
		return text == "" ? "" : data_end > text / 1e9 ? data_end - int(text / 1e9) : 0
	n = split(text, part, /[-: TZ]/)
	if (part[n] == "")
		n--
	if (text ~ /-/) {
		days = days_since_1970(part[1], part[2] + 0, part[3])
		return days * 86400 + part[4] * 3600 + part[5] * 60 + (n > 5 ? part[6] : 0)
	}
	s = part[1] * 3600 + part[2] * 60 + (n > 2 ? part[3] : 0)
	days = int((after == "" ? data_end : after) / 86400)
	s += days * 86400
	if (after == "")
		return s > data_end + 0 ? s - 86400 : s
	return s < after ? s + 86400 : s
}

function is_wanted(w, open,	cgroup) {
	cgroup = task_cgroup[win_task[w]]
	return (only_cpu == "" || win_cpu[w] == only_cpu) && (only_kind == "" || win_kind[w] == only_kind) && \
	       win_latency_ns[w] >= only_min_ns + 0 && (open || win_end[w] + 0 >= only_since + 0) && \
	       (only_until == "" || !open && win_end[w] + 0 < only_until + 1) && \
	       (only_cgroup == "" || (only_cgroup ~ /^([0-9]+|\/)$/ ? cgroup == (only_cgroup == "/" ? 1 : only_cgroup) : \
		cgroup in cgroup_path && index(cgroup_path[cgroup], only_cgroup))) && \
	       (only_comm only_pid only_function == "" || has_sample_of(w))
}

function has_sample_of(w,	i, n, offset_ns, stack, by, t) {
	n = samples_of(w, offset_ns, stack, by)
	stack[++n] = win_stack[w]
	by[n] = win_task[w]
	for (i = 1; i <= n; i++) {
		t = by[i]
		# The kernel keeps 15 characters of a name.
		if ((only_comm == "" || task_comm[t] == only_comm || task_comm[t] == substr(only_comm, 1, 15)) && \
		    (only_pid == "" || task_pid[t] == only_pid || task_tgid[t] == only_pid) && \
		    (only_function == "" || is_on_stack(only_function, stack[i])))
			return 1
	}
	return 0
}

function is_on_stack(name, s) {
	for (; s; s = stack_outer[s])
		if (stack_frame[s] == name || plain(stack_frame[s]) == name || plain(stack_frame[s]) module_of(stack_frame[s]) == name)
			return 1
	return 0
}

function is_filtered() {
	return only_cpu only_kind only_comm only_pid only_cgroup only_function only_min_ns only_since only_until != ""
}

# As the times of windows are printed
function moment_text(s,	text) {
	if (is_since_boot(data_end))
		return after_boot(s) " s after boot"
	text = clock(s)
	return substr(text, 1, 10) " " substr(text, 12, 8) zone()
}

# "Only: CPU 3, at least 100 ms; 17 other windows"
function filter_text(	text) {
	text = (only_cpu == "" ? "" : ", CPU " only_cpu) (only_kind == "" ? "" : ", " held(only_kind)) \
		(only_comm == "" ? "" : ", task " printable(only_comm)) (only_pid == "" ? "" : ", PID " only_pid) \
		(only_cgroup == "" ? "" : ", cgroup " printable(only_cgroup)) \
		(only_function == "" ? "" : ", " printable(only_function) " on a stack") \
		(only_min_ns == "" ? "" : ", at least " duration(only_min_ns)) \
		(only_since == "" ? "" : ", ended since " moment_text(only_since)) \
		(only_until == "" ? "" : ", ended until " moment_text(only_until))
	return "Only: " substr(text, 3) "; " plural(nr_filtered, "other window")
}

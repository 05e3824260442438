# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=page: what the HTML page shows: the text report, a line with a \001, and the JSON of
# ../report.schema.json, with differences that keep the page small:
#
#	- a stack is an index into the list "stacks";
#	- windows have no schema, host and boot_id;
#	- of more than PAGE_WINDOWS windows, "records" has the newest half of these, and the longest
#	  ones of the others.
#
# And with the words of the text, so that the page needs none of its own:
#
#	head, facts	the first lines of the report, and the rows below them
#	open_facts	the rows below the first lines of head, which are of open windows
#	only		what the filters are, or null
#	since_boot	times are seconds after boot
#	from_log	there if times may be of another zone than UTC
#	of a window	text, who (its culprit), at_end (task and cgroup)
#			unsampled: what took its time, if its samples did not
#			parts: [[row, ns], ...] if several culprits share it
#			if it is open: line, its number in head; seen, when it was last seen, in seconds
#	of a sample	span_ns, the time it stands for; task, if it is another one than at the end
#	strip		if windows were left out: [begin, end] in seconds, and the time in windows of all kinds in
#			each of STRIP_COLUMNS equal parts of it, in ns
#	ping		if the run was one: the lines above the table of the text, and the replies: [seconds since
#			1970 as text, milliseconds, what delayed it if it is slow, seq of the window that did]
#
# Owns: page_stacks, nr_page_stacks, page_stack_index[s], page_window[w], page_reply[r]

BEGIN {
	PAGE_WINDOWS = 1000
	PAGE_REPLIES = 2000	# of more replies, the slowest of the slow ones
	STRIP_COLUMNS = 200
	page_stacks = ""
	nr_page_stacks = 0
}

function find_page_windows(	w, n, i, older, nr_older) {
	n = nr_older = 0
	for (w = nr_rows; w > nr_open; w--)
		if (!(w in win_unwanted)) {
			if (++n <= PAGE_WINDOWS / 2)
				page_window[w] = 1
			else
				older[++nr_older] = w
		}
	sort_by(older, nr_older, win_latency_ns, win_end_s)
	for (i = 1; i <= nr_older && i <= PAGE_WINDOWS / 2; i++)
		page_window[older[i]] = 1
}

function page_stack(s) {
	if (!(s in page_stack_index)) {
		page_stack_index[s] = nr_page_stacks
		page_stacks = page_stacks (nr_page_stacks++ ? ",\n" : "") json_list(stack_text[s], ";")
	}
	return page_stack_index[s]
}

function page_words(w,	why, part, since) {
	split(open_key[w], part, SUBSEP)
	why = without_name(w)
	since = is_open(w) ? open_since(w) : ""
	return (is_open(w) ? ",\"line\":" open_line_of[open_key[w]] - 1 (win_end[w] + 0 ? ",\"seen\":" quoted(win_end[w]) : "") : "") \
		",\"text\":" quoted(window_text(w) (since == "" ? "" : " (since " since ")")) ",\"who\":" quoted(is_open(w) ? part[2] progress(w) : culprit_in(w)) \
		",\"at_end\":" string_or_null(why == "" && task_comm[win_task[w]] != "-" ? window_task(w) : "") \
		",\"unsampled\":" string_or_null(why != "" ? nobody_text[why] : win_nr_samples[w] ? "" : "(no sample)") \
		(w in win_parts ? page_parts(w) : "")
}

function page_parts(w,	i, n, part, c, ns, text) {
	n = split(win_parts[w], part, " ") / 2
	if (n < 2)
		return ""
	for (i = 1; i <= n; i++) {
		c[i] = part[i * 2 - 1]
		ns[c[i]] = part[i * 2] + 0
	}
	# awks differ in the order of win_parts.
	sort_by(c, n, ns, culprit_number)
	text = ""
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") "[" culprit_number[c[i]] "," whole_number(ns[c[i]]) "]"
	return ",\"parts\":[" text "]"
}

function page_sample(w, t, span_ns) {
	return ",\"span_ns\":" whole_number(span_ns) \
		(task_pid[t] == task_pid[win_task[w]] ? "" : ",\"task\":" quoted(task(t) in_place(task_cgroup[t])))
}

function page_strip(	w, i, from, to, begin, end, step, busy_ns, text) {
	from = to = ""
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (!(w in win_unwanted)) {
			if (from == "" || ended_begin(w) < from)
				from = ended_begin(w)
			if (to == "" || win_end_s[w] > to)
				to = win_end_s[w]
		}
	# Forged times are too far from base_s for windows of microseconds.
	step = (to > from ? to - from : 1) / STRIP_COLUMNS
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (!(w in win_unwanted))
			for (i = int((ended_begin(w) - from) / step); i < STRIP_COLUMNS && from + i * step < win_end_s[w]; i++) {
				begin = from + i * step > ended_begin(w) ? from + i * step : ended_begin(w)
				end = from + (i + 1) * step < win_end_s[w] ? from + (i + 1) * step : win_end_s[w]
				busy_ns[i] += (end - begin) * 1e9
			}
	text = ""
	for (i = 0; i < STRIP_COLUMNS; i++)
		text = text (i ? "," : "") whole_number(busy_ns[i] + 0)
	return "{\"range\":[\"" at_second(from) "\",\"" at_second(to) "\"],\"busy_ns\":[" text "]}"
}

function print_page_extras(	i) {
	printf ",\n\"head\":%s,\"open_facts\":[", json_texts(nr_head, head_line)
	for (i = 1; i <= nr_open_lines; i++) {
		find_open_facts(i)
		printf "%s%s", (i > 1 ? "," : ""), json_facts()
	}
	find_head_facts()
	printf "],\n\"facts\":%s,\"only\":%s,\"since_boot\":%s%s", json_facts(), \
		string_or_null(is_filtered() ? filter_text() : ""), bool(newest_end && is_since_boot(newest_end)), (from_log ? ",\"from_log\":true" : "")
	printf ",\n\"stacks\":[%s],\n\"strip\":%s,\n\"ping\":", page_stacks, (nr_windows > PAGE_WINDOWS ? page_strip() : "null")
	if (nr_replies)
		print_page_replies()
	else
		printf "null"
}

function find_page_replies(limit_ms,	r, i, n, slow) {
	n = 0
	for (r = 1; r <= nr_replies; r++)
		if (nr_replies <= PAGE_REPLIES || reply_ms[r] > limit_ms)
			slow[++n] = r
	if (n > PAGE_REPLIES)
		sort_by(slow, n, reply_ms, reply_at)
	for (i = 1; i <= n && i <= PAGE_REPLIES; i++)
		page_reply[slow[i]] = 1
}

function print_page_replies(	r, limit_ms, comma) {
	limit_ms = slow_reply_ms()
	find_page_replies(limit_ms)
	printf "{\"slow_ms\":%s,\"lines\":%s,\"replies\":[", limit_ms, json_texts(nr_ping_lines, ping_line)
	comma = ""
	for (r = 1; r <= nr_replies; r++)
		if (r in page_reply) {
			printf "%s[\"%s\",%s%s]", comma, reply_text[r], reply_ms[r], \
				(r in slow_by ? "," quoted(slow_by[r]) (r in slow_window ? "," win_seq[slow_window[r]] : "") : "")
			comma = ","
		}
	printf "]}"
}

function print_page() {
	if (nr_replies) {
		print_replies()
		print ""
	}
	print_text()
	printf "\n\001\n"
	find_page_windows()
	print_json()
}

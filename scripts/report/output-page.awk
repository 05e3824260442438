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
# And "states": what each state is called; and "ping", if the run was one: the lines above the table of the
# text, and the replies: [seconds since 1970 as text, milliseconds, what delayed it if it is slow].
#
# Owns: page_stacks, nr_page_stacks, page_stack_index[s], page_window[w]

BEGIN {
	PAGE_WINDOWS = 1000
	PAGE_REPLIES = 2000	# of more replies, only slow ones
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

function page_states(	t, seen, text) {
	text = ""
	for (t = 1; t <= nr_tasks; t++)
		if (!(task_state[t] in seen)) {
			seen[task_state[t]] = 1
			text = text (t > 1 ? "," : "") quoted(task_state[t]) ":" quoted(why_held(task_state[t]))
		}
	return text
}

function print_page_extras() {
	printf ",\n\"stacks\":[%s],\n\"states\":{%s},\n\"ping\":", page_stacks, page_states()
	if (nr_replies)
		print_page_replies()
	else
		printf "null"
}

function print_page_replies(	r, limit_ms, comma) {
	limit_ms = slow_reply_ms()
	printf "{\"slow_ms\":%s,\"lines\":%s,\"replies\":[", limit_ms, json_texts(nr_ping_lines, ping_line)
	comma = ""
	for (r = 1; r <= nr_replies; r++)
		if (nr_replies <= PAGE_REPLIES || reply_ms[r] > limit_ms) {
			printf "%s[\"%s\",%s%s]", comma, reply_text[r], reply_ms[r], r in slow_by ? "," quoted(slow_by[r]) : ""
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

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
# Owns: page_stacks, nr_page_stacks, page_stack_index[s]; page_first, page_min_ns, page_room

BEGIN {
	PAGE_WINDOWS = 1000
	# Of more replies, only slow ones.
	PAGE_REPLIES = 2000
	page_stacks = ""
	nr_page_stacks = 0
}

# Sets page_first, the first of the newest windows; and page_min_ns, the length of the others that have
# room, by bisection, to 0.1 ms.
function find_page_windows(	w, n, too_long_ns, ns) {
	page_room = int(PAGE_WINDOWS / 2)
	n = 0
	for (page_first = nr_rows + 1; page_first > nr_open + 1 && n < PAGE_WINDOWS - page_room; page_first--)
		n += !((page_first - 1) in win_unwanted)
	page_min_ns = too_long_ns = 0
	for (w = nr_open + 1; w < page_first; w++)
		if (win_latency_ns[w] >= too_long_ns)
			too_long_ns = win_latency_ns[w] + 1
	while (too_long_ns - page_min_ns > 1e5) {
		ns = int((page_min_ns + too_long_ns) / 2)
		n = 0
		for (w = nr_open + 1; w < page_first; w++)
			n += !(w in win_unwanted) && win_latency_ns[w] >= ns
		if (n >= page_room)
			page_min_ns = ns
		else
			too_long_ns = ns
	}
}

# To be called once for each window.
function is_in_page(w) {
	return is_open(w) || w >= page_first || win_latency_ns[w] >= page_min_ns && page_room-- > 0
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

# SPDX-License-Identifier: GPL-2.0
#
# "active": windows that are open right now, in the layout of trace_latency. "-" where no CPU
# could take a sample:
#
#	 cpu: 1
#	     COMMAND: sh PID: 126 LATENCY: 521+ms STATE: irq-off PENDING: - TIME: ... TGID: 126
#	     AT: +5.219ms COMMAND: sh PID: 126 CONTEXT: task
#	     innermost+0x44/0x80 [module]
#	     outermost+0xea/0x640
#
# A window becomes a line as "records" has it, which is checked and kept as those are.
#
# Owns: open_cpu; open_record, the line so far, "" without a window; open_head[key] of its COMMAND
# line; open_sample, open_stack, open_task: of the sample that the next frames are of

BEGIN {
	open_cpu = open_record = open_sample = open_stack = open_task = ""
}

function parse_active(line,	word, n) {
	n = split(line, word, " ")
	if (!n)
		return
	if (word[1] ~ /^(cpu|COMMAND):$/) {
		finish_open_window()
		if (word[1] == "cpu:")
			open_cpu = n == 2 ? word[2] : ""
		else if (n % 2)
			bad_line("active")
		else
			begin_open_window(word, n)
	} else if (open_record != "" && word[1] == "AT:")
		begin_open_sample(word, n)
	# Real stacks have at most 64 frames. A forged stack would take hours.
	else if (open_sample != "" && length(open_stack) < 10000) {
		sub(/[+]0x.*/, "", word[1])
		open_stack = word[1] (n == 2 ? word[2] : "") (open_stack == "" ? "" : ";") open_stack
	}
}

# COMMAND: sh PID: 126 ...
function begin_open_window(word, n,	i) {
	split("", open_head)
	open_head["PID:"] = open_head["LATENCY:"] = open_head["COMMAND:"] = open_head["BEGIN:"] = ""
	open_head["STATE:"] = "irq-off"
	open_head["CGROUP:"] = open_head["TGID:"] = "0"
	open_head["PENDING:"] = "-"
	for (i = 1; i < n; i += 2)
		open_head[word[i]] = word[i + 1]
	open_record = "seq=0 kind=" (open_head["STATE:"] == "irq-off" ? "hardirq" : "softirq") \
		" cpu=" open_cpu " end=0.0 latency_ns=" milliseconds_in_ns(open_head["LATENCY:"]) \
		" max_ns=0 steal_ns=0" (open_head["BEGIN:"] == "unseen" ? " begin=unseen" : "") \
		" state=" open_head["STATE:"] \
		" comm=" open_head["COMMAND:"] " pid=" (open_head["PID:"] == "-" ? 0 : open_head["PID:"]) \
		" tgid=" open_head["TGID:"] " cgroup=" open_head["CGROUP:"] \
		" pending=" open_head["PENDING:"] " stack=-"
}

# AT: +5.219ms COMMAND: sh PID: 126 CONTEXT: task; older modules print the time alone.
function begin_open_sample(word, n) {
	finish_open_sample()
	open_sample = " sample=" milliseconds_in_ns(word[2]) ":"
	open_task = n < 8 ? "" : " in=" word[8] "," open_head["STATE:"] "," word[6] "," \
		open_head["TGID:"] "," open_head["CGROUP:"] "," word[4]
}

function finish_open_sample() {
	if (open_sample != "")
		open_record = open_record open_sample (open_stack == "" ? "-" : open_stack) open_task
	open_sample = open_stack = ""
}

function finish_open_window() {
	finish_open_sample()
	if (open_record != "" && read_record(open_record)) {
		if (open_head["PID:"] == "-")
			field["pid"] = "-"
		new_row(1)
	} else if (open_record != "")
		bad_line("active")
	open_record = ""
}

# "521+ms" or "+5.219ms"; no number if it is no such time.
function milliseconds_in_ns(text) {
	if (text !~ /^[+]?(0|[1-9][0-9]*)([.][0-9]+)?[+]?ms$/ || length(text) > 20)
		return "x"
	sub(/^[+]/, "", text)
	return sprintf("%.0f", text * 1e6)
}

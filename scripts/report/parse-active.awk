# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# "active": windows that are open right now, in the layout of trace_latency. "-" where no CPU
# could take a sample:
#
#	 cpu: 1
#	     COMMAND: sh PID: 126 LATENCY: 521+ms STATE: irq-off PENDING: - TIME: ... TGID: 126
#	     AT: +5.219ms COMMAND: sh PID: 126 CONTEXT: task MOVED: -
#	     innermost+0x44/0x80 [module]
#	     outermost+0xea/0x640
#
# Each window becomes a record, for parse_record().
#
# Owns, of the window that is being read: active_cpu; active[key], its first line; active_record, with
# its samples so far, "-" if that line was wrong; of the sample that is being read, active_at, active_in
# and active_stack, its frames so far

BEGIN { active_cpu = active_record = active_at = "" }

function parse_active(line,	word, n) {
	n = split(line, word, " ")
	if (!n)
		return
	if (word[1] == "cpu:") {
		end_open_window()
		active_cpu = n == 2 ? word[2] : "-"
	} else if (word[1] == "COMMAND:") {
		end_open_window()
		begin_open_window(word, n)
	} else if (word[1] == "AT:" && active_record != "") {
		end_active_sample()
		active_at = milliseconds_in_ns(word[2], "^[+]", "ms$")
		if (active_at == "")
			return bad_line()
		if (n >= 8 && n % 2 == 0 && word[7] == "CONTEXT:")
			active_in = " in=" word[8] "," active["STATE:"] "," word[6] "," active["TGID:"] "," \
				active["CGROUP:"] "," word[4] (word[9] == "MOVED:" ? " moved=" word[10] : "") \
				(word[11] == "LOCK:" ? " lock=" word[12] : "")
	} else if (active_at != "") {
		if (n > 2 || length(active_stack) > 10000)
			return bad_line()
		sub(/[+]0x.*/, "", word[1])
		active_stack = word[1] (n == 2 ? word[2] : "") (active_stack == "" ? "" : ";") active_stack
	}
}

# What stands between two patterns, as nanoseconds; or "".
function milliseconds_in_ns(text, before, after) {
	if (!sub(before, "", text) || !sub(after, "", text) || text !~ /^(0|[1-9][0-9]*)([.][0-9]+)?$/ || length(text) > 17)
		return ""
	return sprintf("%.0f", text * 1e6)
}

# Of "2026-11-21T07:31:17.764923Z"; 0.0 if it is none.
function utc_seconds(text) {
	return text ~ /^[0-9][0-9][0-9][0-9](-[0-9][0-9])+T[0-9][0-9](:[0-9][0-9])+[.][0-9]+Z$/ ? sprintf("%.6f", moment(text, "")) : "0.0"
}

# COMMAND: sh PID: 126 LATENCY: 521+ms ...: KEY: VALUE, and keys of a newer module.
function begin_open_window(word, n,	i) {
	split("", active)
	active["STATE:"] = "irq-off"
	active["CGROUP:"] = active["TGID:"] = "0"
	active["PENDING:"] = "-"
	active["TIME:"] = active["COMMAND:"] = active["PID:"] = active["LATENCY:"] = active["BEGIN:"] = ""
	for (i = 1; i < n; i += 2)
		active[word[i]] = word[i + 1]
	active_record = n % 2 ? "-" : "seq=0 end=" utc_seconds(active["TIME:"]) " max_ns=0 steal_ns=0 stack=- kind=" \
		(active["STATE:"] == "irq-off" ? "hardirq" : \
		 active["STATE:"] ~ /^(preempt-off|no-resched)$/ ? "nosched" : "softirq") \
		" cpu=" active_cpu \
		" latency_ns=" milliseconds_in_ns(active["LATENCY:"], "^", "[+]ms$") \
		" state=" active["STATE:"] " comm=" active["COMMAND:"] \
		" pid=" (active["PID:"] == "-" ? 0 : active["PID:"]) " tgid=" active["TGID:"] \
		" cgroup=" active["CGROUP:"] " pending=" active["PENDING:"] \
		(active["BEGIN:"] == "unseen" ? " begin=unseen" : "")
}

function end_active_sample() {
	if (active_at != "")
		active_record = active_record " sample=" active_at ":" \
			(active_stack == "" ? "-" : active_stack) active_in
	active_at = active_stack = active_in = ""
}

function end_open_window(	was) {
	if (active_record == "")
		return
	end_active_sample()
	was = what
	what = "active"
	parse_record(active_record, 1)
	what = was
	active_record = ""
}

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
# Owns: active_cpu, active_w (row of the window that the lines are of; 0: of a wrong line),
# active_before and active_stack (win_samples[] up to the sample that the frames are of, and
# its frames so far)

BEGIN { active_w = 0; active_cpu = active_before = active_stack = "" }

function parse_active(line,	word, n) {
	n = split(line, word, " ")
	if (!n)
		return 1
	if (word[1] == "cpu:") {
		finish_open_window()
		active_cpu = n == 2 && is_count(word[2]) ? word[2] : ""
		return active_cpu == "" ? bad_line() : 1
	}
	if (word[1] == "COMMAND:")
		return active_window(word, n)
	if (!active_w)
		return 1
	if (word[1] == "AT:") {
		active_stack = ""
		active_before = "-"
		if (word[2] !~ /^[+](0|[1-9][0-9]*)([.][0-9]+)?ms$/ || length(word[2]) > 20)
			return bad_line()
		active_before = win_samples[active_w] (win_samples[active_w] == "" ? "" : " ") \
			milliseconds_in_ns(word[2]) ":"
		win_nr_samples[active_w]++
		win_in[active_w] = win_in[active_w] (n == 8 && word[3] == "COMMAND:" && \
			is_count(word[6]) && word[8] ~ /^(task|idle|softirq|interrupt)$/ ? \
			word[8] "," win_state[active_w] "," word[6] "," win_tgid[active_w] "," \
			win_cgroup[active_w] "," word[4] : "-") " "
	} else if (active_before == "" || n > 2 || length(active_stack) > 10000)
		return bad_line()
	else if (active_before == "-")
		return 1
	else {
		sub(/[+]0x.*/, "", word[1])
		active_stack = word[1] (n == 2 ? word[2] : "") \
			(active_stack == "" ? "" : ";") active_stack
	}
	win_samples[active_w] = active_before stack_number(active_stack == "" ? "-" : active_stack)
	return 1
}

function milliseconds_in_ns(text) {
	sub(/^[+]/, "", text)
	return sprintf("%.0f", text * 1e6)
}

# A window that a filter leaves out gives back its row, which is the last one.
function finish_open_window(	task_of_sample, n) {
	if (!active_w)
		return
	n = split(win_in[active_w], task_of_sample, " ")
	if (!is_wanted(win_cpu[active_w], win_kind[active_w], win_latency_ns[active_w], win_cgroup[active_w], "") ||
	    !is_wanted_comm(win_comm[active_w], task_of_sample, n)) {
		nr_filtered++
		nr_open--
		nr_rows--
	}
	active_w = 0
}

# COMMAND: sh PID: 126 LATENCY: 521+ms ...: KEY: VALUE, and keys of a newer module.
function active_window(word, n,	i, w, field) {
	finish_open_window()
	if (active_cpu == "" || n % 2)
		return bad_line()
	field["PID:"] = field["LATENCY:"] = field["COMMAND:"] = ""
	field["STATE:"] = "irq-off"
	field["BEGIN:"] = ""
	field["CGROUP:"] = field["TGID:"] = "0"
	field["PENDING:"] = "-"
	for (i = 1; i < n; i += 2)
		field[word[i]] = word[i + 1]
	if (!(field["PID:"] == "-" || is_count(field["PID:"])) || field["COMMAND:"] == "" ||
	    field["LATENCY:"] !~ /^(0|[1-9][0-9]*)([.][0-9]+)?[+]ms$/ ||
	    length(field["LATENCY:"]) > 20 || !is_state(field["STATE:"]) ||
	    !is_count(field["CGROUP:"]) || !is_count(field["TGID:"]) ||
	    !is_pending(field["PENDING:"]))
		return bad_line()

	nr_open++
	w = active_w = ++nr_rows
	active_before = active_stack = ""
	win_open[w] = 1
	win_begin_unseen[w] = field["BEGIN:"] == "unseen"
	win_kind[w] = field["STATE:"] == "irq-off" ? "hardirq" : "softirq"
	win_state[w] = field["STATE:"]
	win_cpu[w] = active_cpu
	win_comm[w] = field["COMMAND:"]
	win_pid[w] = field["PID:"]
	win_tgid[w] = field["TGID:"]
	win_cgroup[w] = field["CGROUP:"]
	win_pending[w] = field["PENDING:"]
	win_latency_ns[w] = milliseconds_in_ns(field["LATENCY:"]) + 0
	win_steal_ns[w] = 0
	win_nr_samples[w] = 0
	win_samples[w] = win_in[w] = win_stack[w] = win_seq[w] = win_end[w] = win_max_ns[w] = ""
	return 1
}

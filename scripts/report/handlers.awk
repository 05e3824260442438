# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The file handlers: what each CPU spent in interrupts, softirqs, and in functions that these call.
# mode=handlers prints a table, mode=handlers_json all rows. A report ends with the table. And what the
# kernel counts itself, at the begin and the end of a run ("stat.begin", "stat.end").
#
#	state=on on_ns=10002345678 lost=0 without=-
#	cpu=0 kind=softirq name=NET_RX count=3 total_ns=5000 max_ns=2000 max_end=1.000000000 log2_us=0,2,1
#
# Owns:
#	handlers_on_ns, handlers_lost, handlers_without	as in the file; 0: there are no handlers
#	h_*[h]			the words of row h = 1 ... nr_handlers; h_ns, h_end, h_buckets: total_ns, max_end, log2_us
#	handlers_cpu_ns[cpu]	time of interrupts and softirqs
#	t_*[key], line_key[1 ... nr_lines]	lines of the table: handlers of all CPUs with the same name, or
#				of one CPU
#	stat_before[cpu, i]	of stat.begin: ticks in interrupts (i is 1), and all ticks (2)
#	busiest_share, busiest_cpu	the CPU that spent the largest share of a run in interrupts

BEGIN {
	nr_handlers = nr_lines = handlers_on_ns = handlers_lost = 0
	handlers_without = "-"
	HANDLER_LINES = 40	# of the table, at most
	busiest_share = 0
	INTERRUPTS_SHARE = 0.2	# of a CPU's time: worth a look
	STAT_TICKS = 200	# of 10 ms: in less time, a share is chance
}

function parse_handler(line,	n, i, at, word, value) {
	n = split(line, word, " ")
	for (i = 1; i <= n; i++) {
		at = index(word[i], "=")
		value[substr(word[i], 1, at - 1)] = substr(word[i], at + 1)
	}
	if ("state" in value) {
		if (!is_count(value["on_ns"]) || !is_count(value["lost"]) || value["without"] !~ /^(-|[a-z0-9_,]+)$/)
			return bad_line()
		handlers_on_ns = value["on_ns"] + 0
		handlers_lost = value["lost"]
		handlers_without = value["without"]
		return
	}
	if (!is_count(value["cpu"]) || value["kind"] !~ /^[a-z]+$/ || !is_count(value["count"]) ||
	    !is_count(value["total_ns"]) || !is_count(value["max_ns"]) ||
	    value["max_end"] !~ /^[0-9]+[.][0-9]+$/ || length(value["max_end"]) > 30 ||
	    value["log2_us"] !~ /^(0|[1-9][0-9]*)(,(0|[1-9][0-9]*))*$/ ||
	    length(value["log2_us"]) > 500 || (value["kind"] == "irq" && !is_count(value["number"])))
		return bad_line()
	n = ++nr_handlers
	h_cpu[n] = value["cpu"]
	h_kind[n] = value["kind"]
	h_number[n] = value["number"]
	h_name[n] = replaced(value["name"], "\\x20", " ")
	h_function[n] = value["function"]
	h_count[n] = value["count"]
	h_ns[n] = value["total_ns"]
	h_max_ns[n] = value["max_ns"]
	h_end[n] = value["max_end"]
	h_buckets[n] = value["log2_us"]
}

# "cpu0 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ..."
function parse_stat(line,	n, i, cpu, word, ticks, all) {
	n = split(line, word, " ")
	cpu = substr(word[1], 4)
	if (word[1] !~ /^cpu[0-9]+$/ || n < 9)
		return
	for (i = 2; i <= 9; i++) {
		if (!is_count(word[i]))
			return bad_line()
		all += word[i]
	}
	ticks = word[7] + word[8]
	if (what == "stat.begin") {
		stat_before[cpu, 1] = ticks
		stat_before[cpu, 2] = all
	} else if ((cpu, 2) in stat_before && all - stat_before[cpu, 2] >= STAT_TICKS &&
		   ticks - stat_before[cpu, 1] > busiest_share * (all - stat_before[cpu, 2])) {
		busiest_share = (ticks - stat_before[cpu, 1]) / (all - stat_before[cpu, 2])
		busiest_cpu = cpu
	}
}

# Other rows are parts of these, or delays.
function is_outer_handler(h) {
	return h_kind[h] ~ /^(irq|vector|softirq)$/ || (h_kind[h] == "other" && h_name[h] == "interrupts")
}

# "irq 24 eth0: e1000_intr[e1000]", "softirq NET_RX", "timer estimation_timer[ip_vs]"
function handler_text(h) {
	return h_kind[h] (h_kind[h] == "irq" ? " " h_number[h] : "") (h_name[h] == "" ? "" : " " h_name[h]) \
		(h_function[h] == "" ? "" : (h_kind[h] == "irq" ? ": " : " ") h_function[h])
}

function share_text(ns) {
	return sprintf("%.1f %%", 100 * ns / handlers_on_ns)
}

function add_handler_lines(	h, key) {
	for (h = 1; h <= nr_handlers; h++) {
		key = handler_text(h) (each_cpu ? " " h_cpu[h] : "")
		if (h_kind[h] == "raised") {
			# Goes into the line of the softirq.
			sub(/^raised/, "softirq", key)
			if (!(key in t_waited_ns) || h_max_ns[h] - t_waited_ns[key] > 0)
				t_waited_ns[key] = h_max_ns[h] + 0
			continue
		}
		if (is_outer_handler(h))
			handlers_cpu_ns[h_cpu[h]] += h_ns[h] + 0
		if (!(key in t_text)) {
			t_text[key] = handler_text(h)
			line_key[++nr_lines] = key
			t_order[key] = nr_lines
			t_ns[key] = t_max_ns[key] = -1
			t_count[key] = 0
		}
		t_count[key] += h_count[h]
		if (h_ns[h] - t_ns[key] > 0) {
			t_ns[key] = h_ns[h] + 0
			t_cpu[key] = h_cpu[h]
		}
		if (h_max_ns[h] - t_max_ns[key] > 0) {
			t_max_ns[key] = h_max_ns[h] + 0
			t_end[key] = h_end[h]
		}
	}
	sort_by(line_key, nr_lines, t_ns, t_order)
}

function kind_inside(h) {
	if (h_kind[h] != "softirq")
		return h_name[h] ~ /timer/ ? "hrtimer" : ""
	return h_name[h] == "TIMER" ? "timer" : h_name[h] == "HRTIMER" ? "hrtimer" : h_name[h] == "NET_RX" ? "poll" : \
	       h_name[h] ~ /^(TASKLET|HI)$/ ? "tasklet" : ""
}

# The CPU that spent most, and in what: a function, if it took half of the interrupt or softirq that
# took most.
function handlers_answer(	cpu, most, h, outer, inner) {
	most = ""
	for (cpu in handlers_cpu_ns)
		if (most == "" || handlers_cpu_ns[cpu] > handlers_cpu_ns[most])
			most = cpu
	outer = inner = 0
	for (h = 1; h <= nr_handlers; h++)
		if (h_cpu[h] == most && is_outer_handler(h) && (!outer || h_ns[h] - h_ns[outer] > 0))
			outer = h
	for (h = 1; h <= nr_handlers; h++)
		if (h_cpu[h] == most && h_kind[h] == kind_inside(outer) && (!inner || h_ns[h] - h_ns[inner] > 0))
			inner = h
	if (!outer)
		return "No interrupt came in " duration(handlers_on_ns) "."
	if (inner && 2 * h_ns[inner] - h_ns[outer] >= 0)
		outer = inner
	return "CPU " most " spent " share_text(handlers_cpu_ns[most]) " of " duration(handlers_on_ns) \
		" in interrupts and softirqs; the largest part in " handler_text(outer) " (" share_text(h_ns[outer]) ")."
}

function print_handlers(	n, key, rate) {
	if (!handlers_on_ns) {
		print "Nothing was counted."
		return
	}
	add_handler_lines()
	print_text_line("", handlers_answer(), "    ")
	if (nr_lines)
		printf "\n  %7s  %4s  %8s  %-12s  %9s  %s\n", "SHARE", "CPU", "LONGEST", "ENDED AT", "CALLS/S", "HANDLER"
	for (n = 0; n < nr_lines && n < HANDLER_LINES; n++) {
		key = line_key[n + 1]
		if (n >= 5 && 1000 * t_ns[key] < handlers_on_ns && t_max_ns[key] < 1000000)
			break
		rate = t_count[key] * 1e9 / handlers_on_ns
		printf "  %7s  %4s  %8s  %-12s  %9s  %s%s\n", share_text(t_ns[key]), t_cpu[key],
		       microseconds(int(t_max_ns[key] / 1000)), substr(clock(t_end[key]), 12, 12),
		       (rate < 10 ? sprintf("%.1f", rate) : with_commas(sprintf("%.0f", rate))), t_text[key],
		       (key in t_waited_ns && t_waited_ns[key] >= 1000000 ? ", waited up to " duration(t_waited_ns[key]) : "")
	}
	if (nr_lines > n)
		print "  " nr_lines - n " more: --format json has all."
	print_text_line("\n", (each_cpu ? "" : "SHARE is for the CPU named; CALLS/S adds up all CPUs. ") \
		"The time of a function is also part of its interrupt or softirq.", "    ")
	if (handlers_lost + 0)
		print_text_line("", "Note: " handlers_lost " handlers were not counted: they ran inside of too many" \
			" others, or did not end.", "    ")
	if (handlers_without != "-")
		print_text_line("", "Not seen, as this kernel lacks or refuses these tracepoints: " replaced(handlers_without, ",", ", ") ".", "    ")
}

function print_json_handlers(	h) {
	printf "{\"on_ns\":%.0f,\"lost\":%s,\"without\":%s,\n\"handlers\":[", handlers_on_ns, handlers_lost,
	       json_list(handlers_without == "-" ? "" : handlers_without, ",")
	for (h = 1; h <= nr_handlers; h++)
		printf "%s\n{\"cpu\":%s,\"kind\":%s,\"number\":%s,\"name\":%s,\"function\":%s," \
		       "\"count\":%s,\"total_ns\":%s,\"max_ns\":%s,\"max_end_ns\":%s,\"log2_us\":[%s]}",
		       (h > 1 ? "," : ""), h_cpu[h], quoted(h_kind[h]), (h_kind[h] == "irq" ? h_number[h] : "null"),
		       string_or_null(h_name[h]), string_or_null(h_function[h]), h_count[h], h_ns[h], h_max_ns[h],
		       quoted(end_ns(h_end[h])), h_buckets[h]
	printf "\n]}"
}

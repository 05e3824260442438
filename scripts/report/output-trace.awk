# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# For other programs. mode=trace: Chrome trace events, for Perfetto and speedscope. A CPU is a process
# and a kind of window is its thread. A window is a slice; a sample is an instant with its stack. Times
# are in microseconds after the begin of the first window: since 1970 they would lose digits. Open
# windows are left out, as the module does not record when they began.
#
# mode=folded: input of flame graph tools, in microseconds. Each sample stands for the time around it.
# The stack at the end stands for a window that has no sample.

# Owns: nr_trace_events

BEGIN { nr_trace_events = 0 }

# Nanoseconds from base_s to the begin of window w, exactly. To busybox, a number with a leading 0 is
# octal.
function begin_ns(w,	at) {
	at = index(win_end[w], ".")
	return (substr(win_end[w], 1, at - 1) - base_s - 1) * 1e9 + \
	       ("1" substr(win_end[w] "000000000", at + 1, 9)) - win_latency_ns[w]
}

# Nanoseconds as microseconds, exactly.
function trace_time(ns,	us) {
	us = int(ns / 1000)
	return sprintf("%.0f.%03d", us, ns - us * 1000)
}

function print_trace_event(event) {
	printf "%s\n{%s}", (nr_trace_events++ ? "," : ""), event
}

function print_trace_names(	w, track, tid) {
	for (w = nr_open + 1; w <= nr_rows; w++) {
		tid = trace_tid(w)
		if (w in win_unwanted || (win_cpu[w], tid) in track)
			continue
		if (!(win_cpu[w] in track))
			print_trace_event("\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" win_cpu[w] \
				",\"tid\":0,\"args\":{\"name\":\"CPU " win_cpu[w] "\"}")
		track[win_cpu[w]] = track[win_cpu[w], tid] = 1
		print_trace_event("\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" win_cpu[w] ",\"tid\":" tid \
			",\"args\":{\"name\":" quoted(held(win_kind[w])) "}")
	}
}

function trace_tid(w) {
	return win_kind[w] == "hardirq" ? 1 : win_kind[w] == "softirq" ? 2 : 3
}

function print_trace_window(w, ts_ns,	i, n, offset_ns, sample, by, where) {
	where = ",\"pid\":" win_cpu[w] ",\"tid\":" trace_tid(w)
	print_trace_event("\"ph\":\"X\",\"name\":" quoted((c_is_named[win_c[w]] && !is_sure(win_c[w]) ? "probably " : "") c_function[win_c[w]]) ",\"cat\":" quoted(win_kind[w]) \
		where ",\"ts\":" trace_time(ts_ns) ",\"dur\":" trace_time(win_latency_ns[w]) \
		",\"args\":" json_window(w))
	n = samples_of(w, offset_ns, sample, by)
	for (i = 1; i <= n; i++)
		print_trace_event("\"ph\":\"i\",\"s\":\"t\",\"name\":" quoted(stack_frame[sample[i]]) \
			",\"cat\":\"sample\"" where ",\"ts\":" trace_time(ts_ns + offset_ns[i]) \
			",\"args\":{\"seq\":" win_seq[w] "," json_sampled(by[i]) ",\"stack\":" json_stack(sample[i]) "}")
}

function print_trace(	w, origin_ns, origin_s) {
	origin_ns = ""
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (!(w in win_unwanted) && (origin_ns == "" || begin_ns(w) < origin_ns))
			origin_ns = begin_ns(w)
	origin_s = int(origin_ns / 1e9)
	if (origin_s * 1e9 > origin_ns + 0)
		origin_s--
	printf "{\"displayTimeUnit\":\"ms\",\"metadata\":{%s,\"origin_ns\":\"%s\"},\n\"traceEvents\":[",
	       json_host(), (origin_ns == "" ? "0" : \
	       end_ns(sprintf("%.0f.%09d", base_s + origin_s, origin_ns - origin_s * 1e9)))
	print_trace_names()
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (!(w in win_unwanted))
			print_trace_window(w, begin_ns(w) - origin_ns)
	print "]}"
}

# Owns: folded_stack[1] ... folded_stack[nr_folded], folded_us[stack]

BEGIN { nr_folded = 0 }

function add_folded(stack, us) {
	if (!(stack in folded_us))
		folded_stack[++nr_folded] = stack
	folded_us[stack] += us
}

# A name with a semicolon is not two frames.
function folded_root(w, t) {
	return win_kind[w] ";" replaced(task_comm[t], ";", "\\x3b") ";"
}

function print_folded(	w, i, n, us, offset_ns, sample, by) {
	for (w = 1; w <= nr_rows; w++) {
		if (w in win_unwanted)
			continue
		# No task of this machine took the time, or the task is unknown.
		if (without_name(w) != "") {
			add_folded(without_name(w) == "unsampled" ? win_kind[w] ";[unsampled]" : \
				without_name(w) (without_name(w) == "stolen" ? ";hypervisor" : ""), win_latency_ns[w] / 1000)
			continue
		}
		n = samples_of(w, offset_ns, sample, by)
		if (!n && !is_open(w))
			add_folded(folded_root(w, win_task[w]) stack_text[win_stack[w]], win_latency_ns[w] / 1000)
		for (i = 1; i <= n; i++) {
			us = sample_span_ns(i, n, offset_ns, win_latency_ns[w]) / 1000
			if (us > 0)
				add_folded(folded_root(w, by[i]) stack_text[sample[i]], us)
		}
	}
	for (i = 1; i <= nr_folded; i++)
		printf "%s %.0f\n", folded_stack[i], folded_us[folded_stack[i]]
}

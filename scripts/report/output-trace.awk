# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=trace: Chrome trace events, for Perfetto and speedscope. A CPU is a process and a kind of
# window is its thread. A window is a slice; a sample is an instant with its stack. Times are in
# microseconds after the begin of the first window: as microseconds since 1970 they would lose
# digits. Open windows are left out, as the module does not record when they began.
#
# Owns: nr_trace_events, named_track[...]

BEGIN {
	nr_trace_events = 0
}

# Nanoseconds after base_s.
function begin_ns(w,	at) {
	at = index(win_end[w], ".")
	return (substr(win_end[w], 1, at - 1) - base_s) * 1e9 + \
	       substr(win_end[w] "000000000", at + 1, 9) - win_latency_ns[w]
}

# Nanoseconds as microseconds, exactly.
function trace_time(ns,	us) {
	us = int(ns / 1000)
	return sprintf("%.0f.%03d", us, ns - us * 1000)
}

function print_trace_event(event) {
	printf "%s\n{%s}", (nr_trace_events++ ? "," : ""), event
}

# The first event of a track comes after its name.
function name_track(what_is, pid, tid, name) {
	if (is_new(named_track, what_is " " pid " " tid))
		print_trace_event("\"ph\":\"M\",\"name\":\"" what_is "\",\"pid\":" pid ",\"tid\":" tid \
			",\"args\":{\"name\":" quoted(name) "}")
}

function print_trace_window(w, ts_ns,	i, n, offset_ns, stack, task, tid, where) {
	tid = win_kind[w] == "hardirq" ? 1 : 2
	name_track("process_name", win_cpu[w], 0, "CPU " win_cpu[w])
	name_track("thread_name", win_cpu[w], tid, held(win_kind[w]))
	where = ",\"pid\":" win_cpu[w] ",\"tid\":" tid
	print_trace_event("\"ph\":\"X\",\"name\":" quoted(own_culprit(w)) ",\"cat\":\"" win_kind[w] "\"" \
		where ",\"ts\":" trace_time(ts_ns) ",\"dur\":" trace_time(win_latency_ns[w]) \
		",\"args\":" json_window(w))
	n = samples_of(w, offset_ns, stack, task)
	for (i = 1; i <= n; i++)
		print_trace_event("\"ph\":\"i\",\"s\":\"t\",\"name\":" quoted(stack_frame[stack[i]]) \
			",\"cat\":\"sample\"" where ",\"ts\":" trace_time(ts_ns + offset_ns[i]) \
			",\"args\":{\"seq\":" win_seq[w] "," json_task(task[i]) \
			",\"stack\":" json_stack(stack[i]) "}")
}

function print_trace(	w, origin_ns, origin_s) {
	origin_ns = 0
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (w == nr_open + 1 || begin_ns(w) < origin_ns)
			origin_ns = begin_ns(w)
	# Rounded down, also before base_s.
	origin_s = int(origin_ns / 1e9) - (origin_ns < 0)
	printf "{\"displayTimeUnit\":\"ms\",\"metadata\":{%s,\"release\":%s,\"origin_ns\":\"%s\"},\n" \
		"\"traceEvents\":[", json_host(), quoted(release),
		end_ns(sprintf("%.0f.%09d", base_s + origin_s, origin_ns - origin_s * 1e9))
	for (w = nr_open + 1; w <= nr_rows; w++)
		print_trace_window(w, begin_ns(w) - origin_ns)
	print "]}"
}

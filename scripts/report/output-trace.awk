# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=trace: Chrome trace events, for Perfetto and speedscope. A CPU is a process and a kind of
# window is its thread. A window is a slice; a sample is an instant with its stack. Times are in
# microseconds after the begin of the first window: as microseconds since 1970 they would lose
# digits. Open windows are left out, as the module does not record when they began.

# Owns: nr_trace_events

BEGIN { nr_trace_events = 0 }

# Nanoseconds from base_s to the begin of window w, exactly.
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
	print_trace_event("\"ph\":\"X\",\"name\":" quoted(own_culprit(w)) ",\"cat\":" quoted(win_kind[w]) \
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

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=trace: Chrome trace events, for Perfetto and speedscope. A CPU is a process and a kind of
# window is its thread. A window is a slice; a sample is an instant with its stack. Times are in
# microseconds after the begin of the first window: as microseconds since 1970 they would lose
# digits. Open windows are left out, as the module does not record when they began.

# Owns: nr_trace_events

BEGIN {
	nr_trace_events = 0
}

# Seconds and nanoseconds of the begin of window w, in begin["s"] and begin["ns"].
function window_begin(w, begin,	at, latency_ns) {
	latency_ns = win_latency_ns[w]
	at = index(win_end[w], ".")
	begin["s"] = substr(win_end[w], 1, at - 1) - int(latency_ns / 1e9)
	begin["ns"] = substr(win_end[w] "000000000", at + 1, 9) - (latency_ns - int(latency_ns / 1e9) * 1e9)
	if (begin["ns"] < 0) {
		begin["s"]--
		begin["ns"] += 1e9
	}
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

function print_trace(	w, begin, origin) {
	origin["s"] = origin["ns"] = 0
	for (w = nr_open + 1; w <= nr_rows; w++) {
		window_begin(w, begin)
		if (w in win_unwanted)
			continue
		if (!origin["s"] || begin["s"] < origin["s"] || begin["s"] == origin["s"] && begin["ns"] < origin["ns"]) {
			origin["s"] = begin["s"]
			origin["ns"] = begin["ns"]
		}
	}
	printf "{\"displayTimeUnit\":\"ms\",\"metadata\":{%s,\"origin_ns\":\"%s\"},\n\"traceEvents\":[",
	       json_host(), end_ns(sprintf("%.0f.%09d", origin["s"], origin["ns"]))
	print_trace_names()
	for (w = nr_open + 1; w <= nr_rows; w++) {
		if (w in win_unwanted)
			continue
		window_begin(w, begin)
		print_trace_window(w, (begin["s"] - origin["s"]) * 1e9 + begin["ns"] - origin["ns"])
	}
	print "]}"
}

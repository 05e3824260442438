# SPDX-License-Identifier: GPL-2.0
#
# mode=ping: which replies to ping were slow, and which windows delayed them. If replies are missing,
# also all windows: a host that stands still sends no reply.

# Owns: nr_delayers; for windows i = 1 ... nr_delayers that may have delayed replies, in the order of records:
#	delayer[i], delayer_begin[i], delayer_end[i]	the window; seconds
#	last_end[i]	of windows 1 ... i
#	first_begin[i]	of windows i ... nr_delayers
# And of slow replies: slow_by[r], slow_held_ms[r] (not set: no window); nr_held, nr_untraced, how many of them windows
# explain, and came while this host was not traced; ping_line[1] ... ping_line[nr_ping_lines]

function find_delayers(	w, i) {
	i = 0
	for (w = nr_open + 1; w <= nr_rows; w++) {
		# A softirq stamps the reply: it does not wait for a task.
		if (win_kind[w] == "nosched" || w in win_unwanted)
			continue
		delayer[++i] = w
		delayer_end[i] = last_end[i] = win_end[w] + 0
		delayer_begin[i] = first_begin[i] = win_end[w] - win_max_ns[w] / 1e9
		if (i > 1 && last_end[i - 1] > last_end[i])
			last_end[i] = last_end[i - 1]
	}
	nr_delayers = i
	for (i--; i > 0; i--)
		if (first_begin[i + 1] < first_begin[i])
			first_begin[i] = first_begin[i + 1]
}

# The first window of which, or of one before it, the end is after "from", by bisection.
function first_delayer(from,	low, high, i) {
	low = 1
	high = nr_delayers + 1
	while (low < high) {
		i = int((low + high) / 2)
		if (last_end[i] > from)
			high = i
		else
			low = i + 1
	}
	return low
}

# For how long windows delayed reply r. Windows of several CPUs may overlap: each moment counts once.
# Sets by["w"], the one that did so longest, 0 for none, and by["windows"], how many did.
function held_ms(r, by,	from, to, n, starts, stops, longest, b, e, i, j, ms) {
	from = reply_at[r] - reply_ms[r] / 1e3
	to = reply_at[r]
	by["w"] = longest = n = 0
	for (i = first_delayer(from); i <= nr_delayers && first_begin[i] < to; i++) {
		b = delayer_begin[i] > from ? delayer_begin[i] : from
		e = delayer_end[i] < to ? delayer_end[i] : to
		if (e <= b)
			continue
		if (e - b > longest) {
			longest = e - b
			by["w"] = delayer[i]
		}
		for (j = n++; j > 0 && starts[j] > b; j--) {
			starts[j + 1] = starts[j]
			stops[j + 1] = stops[j]
		}
		starts[j + 1] = b
		stops[j + 1] = e
	}
	by["windows"] = n
	ms = 0
	for (i = 1; i <= n; i++) {
		if (starts[i] < from)
			starts[i] = from
		if (stops[i] > starts[i]) {
			ms += (stops[i] - starts[i]) * 1e3
			from = stops[i]
		}
	}
	return ms
}

# Whether the run, if this is one, was going on while reply r was waited for. The clock may have been set
# back during the run.
function was_traced(r) {
	return begun_at == "" || ended_at - begun_at < spent - 2 || \
	       reply_at[r] >= begun_at && reply_at[r] - reply_ms[r] / 1e3 <= ended_at + 1
}

# A reply that took longer is slow.
function slow_reply_ms() {
	return slow_ns == "" ? fastest_ms + 10 : slow_ns / 1e6
}

# Which windows delayed reply r.
function delayed_by(r, ms, by,	w) {
	w = by["w"]
	if (!w)
		return "at " clock(reply_text[r]) ": " (!was_traced(r) ? "this host was not traced then" : \
			"not explained by a window on this host" \
			(kind_windows["nosched"] ? " (delayed tasks do not count)" : ""))
	return "CPU " win_cpu[w] ", " held_in(w) " for " duration(win_latency_ns[w]) ": " named(win_c[w]) \
		(by["windows"] > 1 ? ", and " plural(by["windows"] - 1, "window") " more" : "") \
		(ms * 2 < reply_ms[r] ? " (less than half of it)" : "")
}

function print_ping() {
	if (nr_replies) {
		print_replies()
		if (!has_gap && ping_sent <= ping_received)
			return
		print "\nAs replies are missing, all windows:\n"
	}
	print_text()
}

# Sets slow_by[r] and slow_held_ms[r] of slow replies, and the lines above the table, ping_line[1] ...
function find_slow_replies(	r, ms, by, limit_ms, nr_slow, slow_ms, all_held_ms) {
	find_delayers()
	limit_ms = slow_reply_ms()
	nr_slow = nr_held = nr_untraced = slow_ms = all_held_ms = 0
	for (r = 1; r <= nr_replies; r++) {
		if (reply_ms[r] <= limit_ms)
			continue
		ms = held_ms(r, by)
		nr_slow++
		slow_by[r] = delayed_by(r, ms, by)
		if (by["w"])
			slow_held_ms[r] = ms
		nr_untraced += !by["w"] && !was_traced(r)
		slow_ms += reply_ms[r]
		# By chance they may touch.
		if (by["w"] && ms * 2 >= reply_ms[r]) {
			nr_held++
			all_held_ms += ms
		}
	}
	nr_ping_lines = 0
	ping_line[++nr_ping_lines] = sprintf("Of %d replies %d took longer than %.1f ms (the fastest: %.2f ms).",
		nr_replies, nr_slow, limit_ms, fastest_ms)
	if (ping_sent > ping_received)
		ping_line[++nr_ping_lines] = (ping_sent - ping_received == 1 ? "1 was" : ping_sent - ping_received " were") " lost."
	if (nr_slow)
		ping_line[++nr_ping_lines] = sprintf("Windows explain %d of these %d (%d %%), and %.0f of the %.0f ms that they took.",
			nr_held, nr_slow, nr_held * 100 / nr_slow, all_held_ms, slow_ms)
	return nr_slow
}

function print_replies(	r, i, nr_slow) {
	nr_slow = find_slow_replies()
	for (i = 1; i <= nr_ping_lines; i++)
		print ping_line[i]
	if (nr_slow)
		printf "\n%8s  %11s  %11s  %s\n", "icmp_seq", "took", "delayed", "by"
	for (r = 1; r <= nr_replies; r++)
		if (r in slow_by)
			printf "%8s  %8.1f ms  %11s  %s\n", reply_seq[r], reply_ms[r],
			       (r in slow_held_ms ? sprintf("%.1f ms", slow_held_ms[r]) : "-   "), slow_by[r]
	if (nr_untraced)
		print plural(nr_untraced, "slow reply", "slow replies") " came while this host was not traced."
	if (nr_windows && !nr_held)
		print plural(nr_windows, "window") " recorded, but no slow reply waited for one: see the report"
}

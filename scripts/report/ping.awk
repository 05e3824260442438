# SPDX-License-Identifier: GPL-2.0
#
# "pinglog": what ping -D has printed. Lines that are none of its replies are left alone. And mode=ping:
# which replies were slow, and which windows delayed them. If replies are missing, also all windows: a
# host that stands still sends no reply. All windows, too, if none of them explains a slow reply.
#
# Owns: nr_replies, reply_text[r] and reply_at[r] (seconds), reply_seq[r], reply_ms[r]; fastest_ms,
#	ping_sent, ping_received; has_gap (1: a reply before the last one is missing)
# Owns: delayer[1] ... delayer[nr_delayers], windows that may have delayed replies, by their begin;
#	delayer_begin[w], delayer_end[w], in seconds; longest_delayer_s
# And of slow replies: slow_by[r], slow_held_ms[r] and slow_window[r] (not set: no window); nr_held, nr_untraced, how many
#	windows explain, and how many came while this host was not traced; ping_line[1 ... nr_ping_lines]

BEGIN { nr_replies = ping_sent = ping_received = has_gap = 0 }

# [1795234202.123456] 64 bytes from 10.0.0.1: icmp_seq=7 ttl=64 time=0.061 ms
function parse_ping(line,	at, word, gap) {
	split(line, word, " ")
	# More digits could be infinite, which JSON has not. A duplicate ends with "(DUP!)".
	if (line !~ /\(DUP!\)/ && line ~ /^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms/ && length(word[1]) < 30 && \
	    match(line, /time=[0-9.]+ ms/) && RLENGTH < 30) {
		nr_replies++
		at = word[1]
		gsub(/[][]/, "", at)
		reply_text[nr_replies] = at
		reply_at[nr_replies] = at + 0
		match(line, /icmp_seq=[0-9]+/)
		reply_seq[nr_replies] = substr(line, RSTART + 9, RLENGTH - 9)
		match(line, /time=[0-9.]+/)
		reply_ms[nr_replies] = substr(line, RSTART + 5, RLENGTH - 5) + 0
		if (nr_replies == 1 || reply_ms[nr_replies] < fastest_ms)
			fastest_ms = reply_ms[nr_replies]
		# It has 16 bits. A reply that comes late is no gap.
		gap = nr_replies > 1 ? (reply_seq[nr_replies] - reply_seq[nr_replies - 1] + 65536) % 65536 : 1
		if (gap > 1 && gap < 32768)
			has_gap = 1
	} else if (line ~ / packets transmitted, /) {
		ping_sent = word[1] + 0
		ping_received = word[4] + 0
	}
}

function find_delayers(	w, minus_begin) {
	nr_delayers = longest_delayer_s = 0
	for (w = nr_open + 1; w <= nr_rows; w++) {
		# A softirq stamps the reply: it does not wait for a task.
		if (win_kind[w] == "nosched" || w in win_unwanted)
			continue
		delayer[++nr_delayers] = w
		delayer_end[w] = win_end[w] + 0
		delayer_begin[w] = win_end[w] - win_max_ns[w] / 1e9
		minus_begin[w] = -delayer_begin[w]
		if (delayer_end[w] - delayer_begin[w] > longest_delayer_s)
			longest_delayer_s = delayer_end[w] - delayer_begin[w]
	}
	sort_by(delayer, nr_delayers, minus_begin, delayer_end)
}

# The first window that began at this time or later, by bisection.
function first_delayer(begin,	low, high, i) {
	low = 1
	high = nr_delayers + 1
	while (low < high) {
		i = int((low + high) / 2)
		if (delayer_begin[delayer[i]] >= begin)
			high = i
		else
			low = i + 1
	}
	return low
}

# For how long windows delayed reply r. Windows of several CPUs may overlap: each moment counts once.
# Sets by["w"], the one that did so longest, 0 for none, and by["windows"], how many did.
function held_ms(r, by,	from, to, longest, i, w, begin, end, counted_to, ms) {
	from = counted_to = reply_at[r] - reply_ms[r] / 1e3
	to = reply_at[r]
	by["w"] = by["windows"] = longest = ms = 0
	i = first_delayer(from - longest_delayer_s)
	for (; i <= nr_delayers && delayer_begin[delayer[i]] < to; i++) {
		w = delayer[i]
		begin = delayer_begin[w] > from ? delayer_begin[w] : from
		end = delayer_end[w] < to ? delayer_end[w] : to
		if (end <= begin)
			continue
		by["windows"]++
		if (end - begin > longest || end - begin == longest && w < by["w"]) {
			longest = end - begin
			by["w"] = w
		}
		if (end > counted_to) {
			ms += (end - (begin > counted_to ? begin : counted_to)) * 1e3
			counted_to = end
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

function slow_reply_ms() {
	return slow_ns == "" ? fastest_ms + 10 : slow_ns / 1e6
}

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
		if (has_gap || ping_sent > ping_received)
			print "\nAs replies are missing, all windows:\n"
		else if (nr_windows && !nr_held)
			print "\nNo window explains a slow reply. All windows:\n"
		else
			return
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
		if (by["w"]) {
			slow_held_ms[r] = ms
			slow_window[r] = by["w"]
		}
		nr_untraced += !by["w"] && !was_traced(r)
		slow_ms += reply_ms[r]
		# A window may overlap a reply by chance.
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
}

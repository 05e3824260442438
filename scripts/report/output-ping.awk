# SPDX-License-Identifier: GPL-2.0
#
# mode=ping: which replies to ping were slow, and which windows delayed them. The input "pinglog" is
# what ping -D has printed. Lines that are no reply are ignored.
#
# Owns:
#	nr_replies, reply_text[r] and reply_at[r] (seconds), reply_seq[r], reply_ms[r], fastest_ms
#	ping_sent, ping_received

BEGIN {
	nr_replies = ping_sent = ping_received = 0
}

# [1795234202.123456] 64 bytes from 10.0.0.1: icmp_seq=7 ttl=64 time=0.061 ms
function parse_ping(line,	at, word) {
	split(line, word, " ")
	if (line ~ /^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms/) {
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
	} else if (line ~ / packets transmitted, /) {
		ping_sent = word[1] + 0
		ping_received = word[4] + 0
	}
}

# For how long windows delayed reply r. Windows of several CPUs may overlap, and each moment counts
# once: from the last window back, only the time before the windows so far is added. Sets by["w"],
# the window that delayed the reply longest (0: none did), and by["windows"], how many did.
function delayed_ms(r, by,	w, from, to, longest, covered, s) {
	by["w"] = by["windows"] = longest = s = 0
	covered = reply_at[r]
	for (w = nr_rows; w > nr_open; w--) {
		to = win_end[w] + 0
		from = to - win_max_ns[w] / 1e9
		if (from < reply_at[r] - reply_ms[r] / 1e3)
			from = reply_at[r] - reply_ms[r] / 1e3
		if (to > reply_at[r])
			to = reply_at[r]
		if (to <= from)
			continue
		by["windows"]++
		if (to - from > longest) {
			longest = to - from
			by["w"] = w
		}
		if (from < covered) {
			s += (to < covered ? to : covered) - from
			covered = from
		}
	}
	return s * 1e3
}

# A line of the table: reply r, and for how long which windows delayed it.
function reply_row(r, ms, by,	w) {
	w = by["w"]
	if (!w)
		return sprintf("%8s  %8.1f ms  %8s     at %s: not explained by a window on this host",
			       reply_seq[r], reply_ms[r], "-", clock(reply_text[r]))
	return sprintf("%8s  %8.1f ms  %8.1f ms  CPU %s, %s for %s: %s%s%s",
		       reply_seq[r], reply_ms[r], ms, win_cpu[w], held(win_kind[w]),
		       duration(win_latency_ns[w]), named(win_c[w]),
		       by["windows"] > 1 ? ", and " plural(by["windows"] - 1, "window") " more" : "",
		       ms * 2 < reply_ms[r] ? " (less than half of it)" : "")
}

function print_ping(	r, ms, by, limit_ms, nr_slow, nr_delayed, slow_ms, all_delayed_ms, rows, i, \
		lost) {
	if (!nr_replies) {
		print "There is no reply in this log. It has to be of ping -D, which prints the time."
		return
	}
	limit_ms = slow_ns == "" ? fastest_ms + 10 : slow_ns / 1e6
	nr_slow = nr_delayed = slow_ms = all_delayed_ms = 0
	for (r = 1; r <= nr_replies; r++) {
		if (reply_ms[r] <= limit_ms)
			continue
		ms = delayed_ms(r, by)
		rows[++nr_slow] = reply_row(r, ms, by)
		slow_ms += reply_ms[r]
		# By chance they may touch.
		if (by["w"] && ms * 2 >= reply_ms[r]) {
			nr_delayed++
			all_delayed_ms += ms
		}
	}
	printf "Of %d replies %d took longer than %.1f ms (the fastest: %.2f ms).\n",
	       nr_replies, nr_slow, limit_ms, fastest_ms
	lost = ping_sent - ping_received
	if (lost > 0)
		print lost (lost == 1 ? " was lost." : " were lost.")
	if (nr_slow) {
		printf "Windows explain %d of these %d (%d %%), and %.0f of the %.0f ms that they took.\n",
		       nr_delayed, nr_slow, nr_delayed * 100 / nr_slow, all_delayed_ms, slow_ms
		printf "\n%8s  %11s  %11s  %s\n", "icmp_seq", "took", "delayed", "by"
	}
	for (i = 1; i <= nr_slow; i++)
		print rows[i]
	if (nr_windows && !nr_delayed)
		print plural(nr_windows, "window") \
			" recorded, but no slow reply waited for one: trace-irqoff report --last"
}

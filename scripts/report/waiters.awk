# SPDX-License-Identifier: GPL-2.0
#
# Windows in which a look shows that the CPU waits, for a lock or for other CPUs; and times and
# looks of all windows, for waits.awk to find out for whom.
#
# Owns, by the number of a window: those that have ended in their order, then the open ones:
#	wt_line[n]	a word each: begin (earliest, latest), end, CPU, kind, and looks
#			"TIME:WHAT", WHAT being l (waits for a lock), c (for a call), - (neither)
#	wt_base		seconds that all times begin from; those of open windows begin from now
#	wt_begin[n], wt_since[n], wt_end[n], wt_cpu[n], wt_kind[n], wt_open[n]	the same unpacked
#	wt_nr[n], wt_at[n, i], wt_is[n, i]	its looks
#	wt_c[n]		its culprit, an index
#	nr_waiters, waiter[i]	numbers of those that waited. Their row in the table of windows is
#			"waiter" n, as their own is used again
#	wt_lock[n]	of one that waited and has ended: the number of the lock, or empty
#	known_wait[frame], known_looks[stacks]	as each is matched only once

BEGIN {
	nr_waiters = 0
	wt_base = ""
	NEVER = 1e30
}

# What the innermost frame that is no helper does.
function wait_of(stack,	frame, n, f) {
	for (n = split(stack, frame, ";"); n > 0; n--) {
		f = frame[n]
		if (!(f in known_wait))
			known_wait[f] = plain(f) ~ lock_frames ? "l" : plain(f) ~ call_frames ? "c" : \
				is_helper(f) ? "" : "-"
		if (known_wait[f] != "")
			return known_wait[f]
	}
	return "-"
}

# What each look of row w shows: "l l -".
function looks_of(w,	n, i, offset_ns, sample, text) {
	text = ""
	n = samples_of(w, offset_ns, sample)
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? " " : "") wait_of(sample[i])
	return text
}

function since_base(seconds,	at) {
	at = index(seconds, ".")
	if (wt_base == "")
		wt_base = substr(seconds, 1, at - 1) + 0
	return (substr(seconds, 1, at - 1) - wt_base) * 1e9 + ("0" substr(seconds, at)) * 1e9
}

# Window n in row w has been read, and has a culprit's name. Whether it waited.
function note_wait(n, w,	key, end, since, begin, i, nr, offset_ns, sample, shown, looks) {
	key = win_stacks[w]
	if (win_open[w])
		key = win_samples[w]
	if (!(key in known_looks))
		known_looks[key] = looks_of(w)
	end = win_open[w] ? 0 : since_base(win_end[w])
	since = end - win_latency_ns[w]
	begin = win_begin_unseen[w] ? -NEVER : win_open[w] ? since : end - win_max_ns[w]
	looks = ""
	nr = samples_of(w, offset_ns, sample)
	split(known_looks[key], shown, " ")
	for (i = 1; i <= nr; i++)
		looks = looks sprintf(" %.0f:%s", since + offset_ns[i], shown[i])
	wt_line[n] = sprintf("%.0f %.0f %.0f %s %s", begin, since, end, win_cpu[w], win_kind[w]) looks
	return known_looks[key] ~ /[lc]/ && (win_open[w] || !is_stolen(w))
}

# An ended window that waited: its place among the culprits is known when all have been read.
function keep_waiter(n, w,	to) {
	waiter[++nr_waiters] = n
	wt_lock[n] = win_lock[w]
	to = "waiter" n
	win_open[to] = 0
	win_begin_unseen[to] = win_begin_unseen[w]
	win_kind[to] = win_kind[w]
	win_state[to] = win_state[w]
	win_cpu[to] = win_cpu[w]
	win_end[to] = win_end[w]
	win_latency_ns[to] = win_latency_ns[w]
	win_comm[to] = win_comm[w]
	win_pid[to] = win_pid[w]
	win_cgroup[to] = win_cgroup[w]
	win_stack[to] = win_stack[w]
	win_stacks[to] = win_stacks[w]
	win_nr_samples[to] = win_nr_samples[w]
	win_culprit[to] = win_culprit[w]
	win_callers[to] = win_callers[w]
	win_context[to] = win_context[w]
}

function unpack(n,	word, nr, i, colon) {
	nr = split(wt_line[n], word, " ")
	wt_open[n] = n > nr_windows
	wt_begin[n] = word[1] + 0
	wt_since[n] = word[2] + 0
	wt_end[n] = wt_open[n] ? NEVER : word[3] + 0
	wt_cpu[n] = word[4]
	wt_kind[n] = word[5]
	wt_nr[n] = nr - 5
	for (i = 1; i <= wt_nr[n]; i++) {
		colon = index(word[i + 5], ":")
		wt_at[n, i] = substr(word[i + 5], 1, colon - 1) + 0
		wt_is[n, i] = substr(word[i + 5], colon + 1)
	}
}

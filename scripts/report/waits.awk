# SPDX-License-Identifier: GPL-2.0
#
# Who waits for whom? A look may show that a CPU waits: in the slow path of a lock, or for other
# CPUs to answer a call (an IPI). Such a window is the doing of somebody else, who is looked for
# here: the holder. The one that waited is the victim.
#
# What is known: the looks, which are points in time, the bounds of all windows, and mostly
# which lock somebody waits for, as a number. Not known is who holds it: a lock does not say,
# and the one that has it does not show it. So nothing is proven but that all of this was so at
# the same time, and the outputs say no more. It goes like this:
#
#  1. A holder has a window of another CPU, which was open (its latest bounds count) when a look
#     saw the victim wait. Its own looks around that moment do not say that it waited itself:
#     who holds a lock does not wait for it. To be late with the answer to a call, interrupts
#     have to be off, for whatever reason.
#  2. When the holder lets go, the victim goes on. So its window should end before the victim's
#     does; of those that do not, none is taken when one does. Who keeps a call waiting ends
#     before the caller for certain. Both bounds of both windows are allowed for.
#  3. One that was open in all of these looks is the holder. When there are two of that sort,
#     nobody can tell which: both are named. When there is none, as a lock was handed on from one
#     waiter to the next, it is who was open in most of them, unless another shared one of these.
#     When half of the looks have nobody at all, the holder was not seen.
#  4. What the victim did behind its last look is unknown: it may have waited on, or have got the
#     lock. It waited until the holder was done, at most. If there are others that waited, and are
#     done earlier than this one, they may have had the lock next, one after the other: so long
#     it waited as well, unless theirs is known to be another lock. The rest is its own, at most.
#  5. Where the rest is longer than the holder's window was (by more than a tenth, as such
#     times are not exact), the one that waited did the greater harm: it is a culprit by itself,
#     for the rest. Else it is a victim, and stands below its holder. Of CPUs that
#     all hold the lock for as long, one after the other, the first one is on top.
#  6. A holder that is a victim itself is not to blame: the one that it waited for is, and so on. Two
#     that waited for each other are both left as they are.
#
# A look shows where a CPU is. Who waits asleep, as in synchronize_rcu() or for a mutex, is on no
# CPU, and has no window.
#
# Owns, by the number of a window, as waiters.awk counts them:
#	wait_kind[n]	l or c, nothing: did not wait
#	wait_looks[n]	in how many looks
#	wait_nr[n], wait_holder[n, i]	its holders: none was seen, one, or one of these
#	wait_least_ns[n], wait_most_ns[n]	how long it waited for the holder
#	wait_rest_ns[n]	what is its own, at most
#	wait_victim[n]	1: it is
#	longest_window_ns, MAX_STEPS

# Whether window n could keep one waiting at that time that waits for a lock or a call: 2: it
# could, 1: it could if it had got the lock by then, for which it was seen to wait earlier.
function may_hold(n, at, is,	i, before, after) {
	if (at < wt_begin[n] || at > wt_end[n])
		return 0
	if (is == "c" && wt_kind[n] != "hardirq")
		return 0
	for (i = 1; i <= wt_nr[n] && wt_at[n, i] <= at; i++)
		;
	before = i > 1 ? wt_is[n, i - 1] : ""
	after = i <= wt_nr[n] ? wt_is[n, i] : ""
	# A wait that nobody saw the end of is still one.
	if (before ~ /[lc]/)
		return after == "-"
	return before == "-" && after ~ /[lc]/ ? 1 : after !~ /[lc]/ ? 2 : 0
}

# Whether n is done when v, which waited for it, is.
function ends_first(n, v) {
	return wt_open[n] || wt_end[n] <= wt_end[v] + wt_since[n] - wt_begin[n] + wt_since[v] - wt_begin[v]
}

# The candidates among windows from "from" on, in steps, for victim v, added to nr of them. Sets
# may[n, i]: whether n may have kept it waiting in look i, and most[i], the surest of these.
function look_for(v, from, step, may, most, cand, nr,	n, i, first, last, found) {
	first = last = 0
	for (i = 1; i <= wt_nr[v]; i++)
		if (wt_is[v, i] != "-") {
			last = wt_at[v, i]
			if (!first)
				first = last
		}
	for (n = from; n >= 1 && n <= nr_windows + nr_open; n += step) {
		if (wt_open[n] != wt_open[v])
			break
		# They come in the order of their ends, nearly.
		if (step < 0 && wt_end[n] < first - 2e9 ||
		    step > 0 && !wt_open[n] && wt_end[n] - longest_window_ns > last + 2e9)
			break
		if (wt_cpu[n] == wt_cpu[v] || wt_end[n] < first || wt_begin[n] > last)
			continue
		# Nobody has a lock in user space.
		if (wait_kind[v] == "l" && (n in wt_c) && c_rank[wt_c[n]] == RANK_UNKNOWN)
			continue
		found = 0
		for (i = 1; i <= wt_nr[v]; i++) {
			may[n, i] = wt_is[v, i] == "-" || wt_is[v, i] == "c" && !ends_first(n, v) ? 0 : \
				may_hold(n, wt_at[v, i], wt_is[v, i])
			if (may[n, i] > most[i])
				most[i] = may[n, i]
			found += may[n, i]
		}
		if (found)
			cand[++nr] = n
	}
	return nr
}

# Of candidates those that end before v, if there are any; how many.
function those_in_time(v, cand, nr,	i, left) {
	left = 0
	for (i = 1; i <= nr; i++)
		if (ends_first(cand[i], v))
			cand[++left] = cand[i]
	return left ? left : nr
}

function add_holder(v, n,	i) {
	for (i = ++wait_nr[v]; i > 1 && wait_holder[v, i - 1] > n; i--)
		wait_holder[v, i] = wait_holder[v, i - 1]
	wait_holder[v, i] = n
}

# For how long both were open at most.
function common_ns(a, b,	from, to) {
	from = wt_begin[a] > wt_begin[b] ? wt_begin[a] : wt_begin[b]
	to = wt_end[a] < wt_end[b] ? wt_end[a] : wt_end[b]
	return to - from
}

function find_holders(v,	may, most, cand, hits, nr, i, j, n, best, covered) {
	for (j = 1; j <= wt_nr[v]; j++)
		most[j] = 0
	nr = look_for(v, v - 1, -1, may, most, cand, 0)
	nr = look_for(v, v + 1, 1, may, most, cand, nr)
	nr = those_in_time(v, cand, nr)
	wait_nr[v] = best = covered = 0
	for (i = 1; i <= nr; i++) {
		n = cand[i]
		hits[n] = 0
		for (j = 1; j <= wt_nr[v]; j++)
			hits[n] += may[n, j] && may[n, j] == most[j]
		if (hits[n] == wait_looks[v])
			add_holder(v, n)
		if (!best || hits[n] > hits[best] ||
		    hits[n] == hits[best] && common_ns(n, v) > common_ns(best, v))
			best = n
	}
	if (wait_nr[v] || !best)
		return
	for (j = 1; j <= wt_nr[v]; j++)
		covered += most[j] > 0
	if (covered * 2 < wait_looks[v])
		return
	add_holder(v, best)
	for (i = 1; i <= nr; i++) {
		n = cand[i]
		for (j = 1; j <= wt_nr[v] && n != best; j++)
			if (may[n, j] && may[best, j] && may[n, j] == most[j] && may[best, j] == most[j]) {
				add_holder(v, n)
				break
			}
	}
}

# When all who waited for a lock, and were done before v, were done: whether they were seen to have
# got it or not.
function others_done(v, done,	i, n, latest) {
	latest = done
	for (i = 1; i <= nr_waiters; i++) {
		n = waiter[i]
		if (!wt_open[n] && wt_lock[n] != "" && wt_lock[v] != "" && wt_lock[n] != wt_lock[v])
			continue
		if (n != v && wt_cpu[n] != wt_cpu[v] && wait_kind[n] == "l" && wt_begin[n] < done &&
		    wt_end[n] > latest && wt_end[n] < wt_end[v])
			latest = wt_end[n]
	}
	return latest
}

# How long v waited for one holder, and what is left.
function measure_wait(v,	h, i, first, last, from, to) {
	h = wait_nr[v] ? wait_holder[v, 1] : 0
	first = last = 0
	for (i = 1; i <= wt_nr[v]; i++)
		if (wt_is[v, i] != "-") {
			if (!first)
				first = i
			last = i
		}
	wait_least_ns[v] = wt_at[v, last] - wt_at[v, first]
	if (wt_open[v])
		return
	from = first > 1 ? wt_at[v, first - 1] : wt_begin[v]
	to = last < wt_nr[v] ? wt_at[v, last + 1] : wt_end[v]
	if (h && wt_end[h] < to)
		to = wt_end[h]
	if (h && wt_begin[h] > from)
		from = wt_begin[h]
	if (from < -NEVER / 2)
		from = wt_since[v]
	wait_most_ns[v] = to > from ? to - from : 0
	if (last == wt_nr[v] && wt_is[v, last] == "l")
		to = others_done(v, to)
	wait_rest_ns[v] = wt_end[v] > to ? wt_end[v] - to : 0
	if (first > 1)
		wait_rest_ns[v] += from - wt_since[v]
}

function is_victim(v,	h) {
	if (!wait_nr[v])
		return 0
	if (wt_open[v] || wait_nr[v] > 1)
		return 1
	h = wait_holder[v, 1]
	return wait_rest_ns[v] <= (wt_end[h] - wt_begin[h]) * 1.1
}

# Who is to blame for v in the end: 0: nobody, as they waited for each other.
function root_of(v,	steps, n) {
	n = v
	for (steps = 0; (n in wait_victim) && wait_victim[n] && wait_nr[n] == 1; steps++) {
		if (steps > MAX_STEPS)
			return 0
		n = wait_holder[n, 1]
	}
	return n
}

# Number of a window that has ended, and its row.
function add_waiter(v, head,	w) {
	w = "waiter" v
	add_culprit(w, v, head ? wt_c[head] : 0)
	wt_c[v] = win_c[w]
	if (!kept_windows)
		win_c[nr_open + v] = win_c[w]
}

# END: all windows have been read.
function resolve_waits(	n, i, j, w, head) {
	longest_window_ns = 0
	MAX_STEPS = 1000
	for (w = 1; w <= nr_open; w++) {
		n = nr_windows + w
		if (note_wait(n, w))
			waiter[++nr_waiters] = n
	}
	if (!nr_waiters)
		return
	for (n = 1; n <= nr_windows + nr_open; n++) {
		unpack(n)
		if (!wt_open[n] && wt_end[n] - wt_since[n] > longest_window_ns)
			longest_window_ns = wt_end[n] - wt_since[n]
	}
	for (i = 1; i <= nr_waiters; i++) {
		n = waiter[i]
		wait_looks[n] = 0
		for (j = 1; j <= wt_nr[n]; j++)
			if (wt_is[n, j] != "-") {
				wait_looks[n]++
				wait_kind[n] = wt_is[n, j]
			}
	}
	for (i = 1; i <= nr_waiters; i++)
		find_holders(waiter[i])
	for (i = 1; i <= nr_waiters; i++) {
		measure_wait(waiter[i])
		wait_victim[waiter[i]] = is_victim(waiter[i])
	}
	# Whoever is not: their culprits are there when victims want to stand below them.
	for (i = 1; i <= nr_waiters; i++)
		if (!root_of(waiter[i]))
			wait_victim[waiter[i]] = 0
	for (i = 1; i <= nr_waiters; i++)
		if (!wait_victim[waiter[i]] && !wt_open[waiter[i]])
			add_waiter(waiter[i], 0)
	for (i = 1; i <= nr_waiters; i++) {
		n = waiter[i]
		if (!wait_victim[n] || wt_open[n])
			continue
		head = root_of(n)
		add_waiter(n, (head in wait_nr) && wait_nr[head] > 1 ? 0 : head)
	}
}

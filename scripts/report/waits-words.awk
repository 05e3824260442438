# SPDX-License-Identifier: GPL-2.0
#
# Who waited for whom, in words for people. Nothing is proven but that it was at the same time.

# "a lock", for people.
function awaited(kind) {
	return kind == "l" ? "for a lock" : "for other CPUs to answer a call"
}

function culprit_of_window(n) {
	return wt_open[n] ? win_culprit[n - nr_windows] : c_function[wt_c[n]]
}

function holder_named(h) {
	return "CPU " wt_cpu[h] " was in " culprit_of_window(h)
}

# Who waits for the same one has the same number.
function lock_of(n) {
	return !wt_open[n] && wait_kind[n] == "l" && wt_lock[n] != "" ? " (" wt_lock[n] ")" : ""
}

# What is to be said of window n, behind a semicolon: nothing when it did not wait.
function wait_words(n,	i, text) {
	if (!(n in wait_kind))
		return ""
	text = "waited " awaited(wait_kind[n]) lock_of(n) " in " wait_looks[n] " of " plural(wt_nr[n], "look")
	if (!wait_nr[n])
		return text ", and nobody was seen to keep it waiting"
	if (wait_nr[n] > 1)
		text = text ", while one or the other may have kept it waiting:"
	else
		text = text ", at the same time"
	for (i = 1; i <= wait_nr[n] && i <= 4; i++)
		text = text (i > 1 ? ", " : " ") holder_named(wait_holder[n, i])
	if (wait_nr[n] > 4)
		text = text " and " wait_nr[n] - 4 " more"
	return text
}

# Of culprit c, behind all else: whom it kept waiting, as far as can be told.
function held_up_others(c,	cpus) {
	if (c_victim_cpus[c] == "")
		return ""
	cpus = cpu_list(c_victim_cpus[c])
	return "; meanwhile " (cpus ~ / /  ? cpus : cpus_named(cpus)) " waited " \
		(length(c_victim_waits[c]) > 1 ? "for a lock, or for an answer to a call" : \
		 awaited(c_victim_waits[c]))
}

# Of a culprit whose windows are victims.
function victim_words(c,	text) {
	text = "waited " awaited(c_waits[c])
	if (c_under[c])
		text = text " while #" place_of[c_under[c]] " went on, " duration(c_wait_ns[c]) " at most"
	else
		text = text ": more than one other window was open meanwhile"
	if (c_under[c] && c_rest_ns[c] * 10 > c_total_ns[c])
		text = text "; the rest, " duration(c_rest_ns[c]) " at most, is its own"
	return text
}

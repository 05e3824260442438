# SPDX-License-Identifier: GPL-2.0
#
# What there is beside windows that have ended: CPUs that are not monitored, and open windows.
# mode=open prints open windows alone.

BEGIN {
	late_text = "not responding since tracing started; its interrupts are probably off"
}

# "CPU 3", "CPUs 0-3".
function cpus_named(list,	ranges) {
	ranges = cpu_ranges(list)
	return (ranges ~ /[,-]/ ? "CPUs " : "CPU ") ranges
}

# "CPU 3 (offline), CPUs 4-7 (isolated)"
function unmonitored(	i, text) {
	text = ""
	for (i = 1; i <= nr_reasons; i++)
		if (unmonitored_cpus[reason[i]] != "")
			text = text (text == "" ? "" : ", ") cpus_named(unmonitored_cpus[reason[i]]) " (" \
				(reason[i] == "excluded" ? "not in the file cpus" : \
				 reason[i] == "late" ? late_text : reason[i]) ")"
	return text
}

# Kind and culprit of the open window w. Windows with the same ones are printed as one.
function open_culprit(w) {
	return held(win_kind[w]) SUBSEP (win_nr_samples[w] ? own_culprit_in(w) : \
		"unknown (no stack sample)")
}

# The culprit goes after the separator.
function print_open(separator,	w, i, n, key, which, cpus, longest, part) {
	# Nothing more is known of these CPUs.
	if (nr_late)
		print "Still open: interrupts off on " cpus_named(unmonitored_cpus["late"]) \
			" since before tracing started: " late_text
	n = 0
	for (w = 1; w <= nr_open; w++) {
		key = open_culprit(w)
		if (!(key in cpus)) {
			which[++n] = key
			cpus[key] = ""
			longest[key] = w
		}
		cpus[key] = with_cpu(cpus[key], win_cpu[w])
		if (win_latency_ns[w] > win_latency_ns[longest[key]])
			longest[key] = w
	}
	for (i = 1; i <= n; i++) {
		split(which[i], part, SUBSEP)
		print "Still open: " part[1] " on " cpus_named(cpus[which[i]]) " for " \
			length_of(longest[which[i]]) ":" separator part[2]
	}
}

# The answer when no window has ended.
function print_nothing() {
	if (nr_open + nr_late)
		print "No window has ended yet."
	else if (missing_windows())
		print plural(missing_windows(), "window") " of " status_of("threshold") \
			" or more counted, but no record is left that can be read."
	else if (nr_filtered)
		print "Nothing found that matches the filter."
	else if (spent == "" && status_of("enabled") == "0")
		print "Nothing found, and tracing is off (trace-irqoff on)."
	else
		print "Nothing found" (!nr_unmonitored ? "" : monitored_cpus == "" ? " on any CPU" : \
			" on " cpus_named(monitored_cpus)) ": no window of " status_of("threshold") \
			" or more" (spent == "" ? "" : " in " spent " s") \
			(nr_unmonitored ? "; not monitored: " unmonitored() : "") "."
}

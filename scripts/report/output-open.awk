# SPDX-License-Identifier: GPL-2.0
#
# What there is beside windows that have ended: CPUs that are not monitored, and open windows.
# mode=open prints the latter alone.

function cpus_named(ranges) {
	return (ranges ~ /[,-]/ ? "CPUs " : "CPU ") ranges
}

function why_unmonitored(why) {
	return why == "excluded" ? "not in the file cpus" : \
	       why == "late" ? "not responding since tracing started; its interrupts are probably off" : why
}

# "CPU 3 (offline), CPUs 4-7 (isolated)"
function unmonitored(	i, text) {
	text = ""
	for (i = 1; i <= nr_unmonitored; i++)
		text = text (i > 1 ? ", " : "") cpus_named(cpu_ranges(unmonitored_cpus[i])) \
			" (" why_unmonitored(unmonitored_why[i]) ")"
	return text
}

function print_open(	w) {
	print_late()
	for (w = 1; w <= nr_open; w++)
		if (is_first_open(w))
			print "Still open: " open_windows(w, " ")
}

function print_late(	i) {
	for (i = 1; i <= nr_unmonitored && nr_late; i++)
		if (unmonitored_why[i] == "late")
			print "Still open: interrupts off on " cpus_named(cpu_ranges(unmonitored_cpus[i])) \
				" since before tracing started: " why_unmonitored("late")
}

function print_nothing(	where) {
	if (nr_open + nr_late)
		print "No window has ended yet."
	else if (!("threshold" in status))
		print "No window is recorded here, and without the file status nothing is known of what was traced."
	else if (nr_filtered)
		print "Nothing found that matches the filter."
	else if (missing_windows())
		print plural(missing_windows(), "window") " of " status_of("threshold") \
			" or more counted, but no record is left that can be read."
	else if (spent == "" && status_of("enabled") == "0")
		print "Nothing found, and tracing is off (trace-irqoff on)."
	else {
		where = nr_unmonitored ? " on " (monitored_cpus == "" ? "any CPU" : cpus_named(monitored_cpus)) : ""
		print "Nothing found" where ": no window of " status_of("threshold") " or more" \
			(spent == "" ? "" : " in " spent " s") \
			(nr_unmonitored ? "; not monitored: " unmonitored() : "") "."
		if (busiest_share >= INTERRUPTS_SHARE)
			print "CPU " busiest_cpu sprintf(" spent %d %%", 100 * busiest_share) \
				" of the time in interrupts and softirqs. In which: trace-irqoff handlers"
	}
}

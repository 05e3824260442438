# SPDX-License-Identifier: GPL-2.0
#
# The report: from the files of the module to one of its outputs. parse-*.awk check each line
# and fill tables, attribute.awk finds the culprit of each window, aggregate.awk sums up;
# output-*.awk only read what the others have made, and print.
#
# Input: what=FILE before each file, FILE being cgroups, host_cpus, stuck, metrics.before, status.before, status,
# histogram.before, histogram, active, records (in this order) or pinglog.
#
# Variables of the caller (awk -v), empty when they are not given (selftests/helper/parse has a list
# of them, and of the modes):
#	mode		the output: text, json, folded, live, lines, worst, metrics, stuck, before, open
#			or ping
#	base_seq	only records after this one
#	newest		for how many culprits the longest window is printed, with its stacks (text)
#	unloaded	seconds after which it was given up to load the module
#	spent		seconds that this run took; empty: all that the module has recorded
#	held_up		seconds for which the helper was held up before this run began; empty: was not
#	happened	windows that this run had, also those that are not recorded any more
#	now, instance	seconds since 1970; what tells one loading of the module from another (metrics)
#	slow		milliseconds from which on a reply is slow (ping)
#	last_to		file to write the last sequence number to (lines)
#
# Exit status: 3 when windows were found (ping: when they explain a reply), else 0.

# Owns: version, host, release
BEGIN {
	# Not by -v, which takes backslashes for its own.
	version = ENVIRON["REPORT_VERSION"]
	host = printable(ENVIRON["REPORT_HOST"])
	release = printable(ENVIRON["REPORT_RELEASE"])
}

# The input may be of another host, or of a file that somebody has changed.
# What came by way of Windows has a carriage return at the end of each line.
/[^ -~]/ {
	sub(/\r$/, "")
	$0 = printable($0)
}

what == "status" || what == "status.before" { parse_status($0); next }
what == "histogram" || what == "histogram.before" { parse_histogram($0); next }
what == "host_cpus" { parse_host_cpus($0); next }
what == "metrics.before" { parse_metrics_before($0); next }
what == "stuck" { parse_stuck($0); next }
what == "cgroups" { parse_cgroup($0); next }
what == "active" { parse_active($0); next }
what == "records" {
	if (parse_record($0))
		add_window(row_of(nr_windows))
	next
}
what == "pinglog" { parse_ping($0); next }

# Whether the output names culprits.
function with_culprits() {
	return mode !~ /^(folded|worst|metrics)$/
}

# A row of the table that is whole.
function add_window(w) {
	if (with_culprits())
		attribute(w)
	if (win_open[w])
		return
	add_kind(w)
	# Says who, as far as it is known by then.
	if (mode == "lines")
		print_line(w)
	else if (mode == "text" && newest)
		keep_longest(w)
	else if (mode == "json")
		keep_json_window(w)
}

# Owns: nr_found, row
END {
	# They stand before all records.
	for (row = 1; row <= nr_open; row++)
		add_window(row)
	if (with_culprits())
		sum_up()
	find_unwatched()
	nr_found = nr_windows + nr_open + nr_stuck + nr_late + (held_up != "") + missing_windows()
	if (mode == "json")
		print_json()
	else if (mode == "folded")
		print_folded()
	else if (mode == "live")
		print_live()
	else if (mode == "metrics")
		print_metrics()
	else if (mode == "ping")
		nr_found = print_ping()
	else if (mode == "stuck")
		print_stuck()
	else if (mode == "before")
		print_before()
	else if (mode == "open")
		print_open()
	else if (mode == "worst")
		print_worst()
	else if (mode == "lines")
		print_last_seq()
	else
		print_text()
	exit nr_found ? 3 : 0
}

# SPDX-License-Identifier: GPL-2.0
#
# The report: parse-*.awk check the lines of the module's files and fill tables, attribute.awk finds
# the culprit of each window, aggregate.awk sums up; output-*.awk only print what the others have made.
#
# Input: what=FILE before each file, in the order of EVIDENCE (src/environment.sh). Files without a
# rule below are ignored. Exit status: 3 when windows were found, 4 when no line could be read, else 0.
#
# Variables of the caller (awk -v), empty when they are not given:
#	mode		the output: see END
#	base_seq	only records after this one
#	top		for how many culprits the longest window is printed, with its stacks (text)
#	spent		seconds that this run took; empty: all that the module has recorded
#	begun_at, ended_at, data_end	of this run, of all records: seconds since 1970
#	from_log	1: the records were made from backtraces in a kernel log
#	happened	windows that this run had, with those whose records were overwritten
#	each_cpu	1: print a line for each CPU (handlers)
#	slow_ns		a reply that takes longer is slow (ping, page)
#	only_cpu, only_kind, only_pid, only_min_ns: filters, see filter.awk. Those with text from the user
#			are in the environment: REPORT_ONLY_COMM, _CGROUP (text in its path, or the ID),
#			_FUNCTION
#	since, until	windows that ended in this time: a time of day, or ns before data_end

# Owns: version, host, boot_id, release, kernel_version, hardware; INPUT_FILES, of which bad lines are reported;
# clock_set_back, newest_end of all windows
BEGIN {
	clock_set_back = newest_end = 0
	INPUT_FILES = "host_cpus status.before status histogram.before histogram cgroups active records handlers"
	# Not by -v, which interprets backslashes.
	version = ENVIRON["REPORT_VERSION"]
	host = printable(ENVIRON["REPORT_HOST"])
	boot_id = printable(ENVIRON["REPORT_BOOT_ID"])
	if ("REPORT_ONLY_COMM" in ENVIRON) {
		only_comm = ENVIRON["REPORT_ONLY_COMM"]
		only_cgroup = ENVIRON["REPORT_ONLY_CGROUP"]
		only_function = ENVIRON["REPORT_ONLY_FUNCTION"]
	}
	release = printable(ENVIRON["REPORT_RELEASE"])
	kernel_version = printable(ENVIRON["REPORT_KERNEL_VERSION"])
	hardware = printable(ENVIRON["REPORT_HARDWARE"])
}

# The input may be of another host, or of a file that was changed. A file that came from Windows has
# a carriage return at the end of each line.
/[^ -~]/ {
	sub(/\r$/, "")
	$0 = printable($0)
}

what == "records" {
	if (parse_record($0, 0))
		add_window(nr_rows)
	next
}
what == "status" || what == "status.before" { parse_status($0); next }
what == "histogram" || what == "histogram.before" { parse_histogram($0); next }
what == "host_cpus" { parse_host_cpus($0); next }
what == "cgroups" { parse_cgroup($0); next }
what == "suspects" { parse_suspect($0); next }
what == "functions" { parse_functions($0); next }
what == "active" || what == "open" && /^seq=0 / { parse_record($0, 1); next }
what ~ /^interrupts[.]/ { parse_interrupts($0); next }
what == "pinglog" { parse_ping($0); next }
what == "handlers" { parse_handler($0); next }
what ~ /^stat[.]/ { parse_stat($0); next }
what == "facts" { parse_fact($0); next }

function add_window(w) {
	if (is_open(w) || w in win_unwanted)
		return
	# An idle CPU may record a nosched window late.
	if (win_end[w] + 0 > newest_end)
		newest_end = win_end[w] + 0
	else if (win_kind[w] != "nosched" && win_end[w] + 1 < newest_end)
		clock_set_back = 1
	kind_windows[win_kind[w]]++
	if (is_storm(w))
		storm_cpu[win_cpu[w] + 0] = 1
}

END {
	# What went on in one window may tell what did in another one: so all are read first.
	for (row = 1; row <= nr_rows && mode !~ /^(folded|metrics)$/; row++)
		attribute(row)
	for (row = 1; row <= nr_open; row++)
		add_window(row)
	if (mode ~ /^(text|json|jsonl|lines|page|ping|suspects)$/) {
		sum_up()
		find_storms()
	}
	if (mode == "explain")
		exit print_explained() ? 3 : 0
	if ("records" in nr_bad && !nr_rows && !nr_filtered && !nr_status_keys)
		exit 4
	find_unmonitored()
	nr_found = nr_windows + nr_open + nr_late + missing_windows()
	if (mode == "json")
		print_json()
	else if (mode == "status") {
		print_json_status()
		print "}"
	} else if (mode == "page")
		print_page()
	else if (mode == "folded")
		print_folded()
	else if (mode == "suspects")
		print_suspects()
	else if (mode == "metrics")
		print_metrics()
	else if (mode == "ping")
		print_ping()
	else if (mode == "open")
		print_open()
	else if (mode == "handlers")
		print_handlers()
	else if (mode == "handlers_json") {
		print_json_handlers()
		print ""
	} else if (mode ~ /^(jsonl|lines)$/)
		print_ended_windows()
	else
		print_text()
	exit nr_found && mode !~ /^(handlers|status)/ ? 3 : 0
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff run: trace for a while, and report.

command_run() {
	need_root
	[ -z "$opt_output" ] || new_file "$opt_output" 077
	begin
	[ -z "$opt_output" ] || begin_collection
	wait_for_windows "$(whole_seconds "$opt_duration")" "$opt_windows" heartbeat
	finish
	# In a subshell: it may die, and the report is printed all the same.
	[ -z "$opt_output" ] || (collect_run "$opt_output") || finish_status=$ERROR
	print_run kept_report "$opt_format" top="$opt_top"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff run: trace for a while, and report.

command_run() {
	[ -n "$opt_seconds$opt_until" ] || opt_seconds=60
	need_root
	[ -z "$opt_out" ] || new_file "$opt_out" 077
	begin "$opt_period" "$opt_threshold"
	[ -z "$opt_out" ] || begin_collection
	wait_for_windows "$opt_seconds" "$opt_until" heartbeat
	finish
	# In a shell of its own, which may die: there is a report all the same.
	[ -z "$opt_out" ] || (collect_run "$opt_out") || finish_status=$ERROR
	print_run run_report "$opt_mode" newest="$opt_newest"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff run: trace for a while, and report.

command_run() {
	[ -n "$opt_seconds$opt_until" ] || opt_seconds=60
	begin "$opt_period" "$opt_threshold"
	wait_for_windows "$opt_seconds" "$opt_until" heartbeat
	finish
	report_run "$opt_mode" newest="$opt_newest"
}

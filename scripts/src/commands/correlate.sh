# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff correlate: windows beside the log of a ping.

command_correlate() {
	[ -n "$operand" ] || usage_error "correlate: which log (of ping -D)?"
	[ -r "$operand" ] || die "$operand cannot be read"
	make_tmp
	take_files "$opt_from"
	rm -f "$tmp/ping.err"
	cat "$operand" >"$tmp/pinglog"
	report_pings kept_report
}

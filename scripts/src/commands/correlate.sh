# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff correlate: windows beside the log of a ping.

command_correlate() {
	[ -r "$operand" ] || die "$operand cannot be read"
	make_tmp
	take_files "${opt_from:-$P}"
	rm -f "$tmp/ping.err"
	cat <"$operand" >"$tmp/pinglog"
	report_pings "$tmp" kept_report
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff correlate: show which slow replies in the log of a ping had to wait for this host.

command_correlate() {
	[ -r "$operand" ] || die "$operand cannot be read"
	[ ! -d "$operand" ] || die "$operand is a directory; give the log of ping -D"
	make_tmp
	take_files "${opt_from:-$P}"
	# An archive may be of a run of ping.
	rm -f "$tmp/ping.err"
	cat <"$operand" >"$tmp/pinglog"
	report_pings "$tmp"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff correlate: windows beside the log of a ping.

command_correlate() {
	[ -n "$operand" ] || usage_error "correlate: which log (of ping -D)?"
	[ -r "$operand" ] || die "$operand cannot be read"
	need_records "$opt_from"
	make_tmp
	keep_files "$opt_from"
	cat "$operand" >"$tmp/pinglog"
	grep -q '^\[[0-9.]*\] .* icmp_seq=' "$operand" ||
		die "$operand has no reply with a time: it has to be of ping -D"
	report "$tmp" ping slow="$opt_slow"
}

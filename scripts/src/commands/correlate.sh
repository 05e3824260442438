# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff correlate: show which slow replies in the log of a ping had to wait for this host.

# report_pings DIRECTORY: of the log in there. Fails with 3 when there are windows.
report_pings() {
	pings_status=0
	if ! grep -qE '^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms' "$1/pinglog"; then
		[ ! -s "$1/ping.err" ] || tr -cd '[:print:]\n' <"$1/ping.err" | head -n 5 >&2
		say "the log has no reply with a time: no reply came, or ping ran without -D" \
			"(busybox's ping has no -D: install iputils-ping)"
		# Without replies there is nothing to explain, but a run has windows.
		[ "$command" != correlate ] || exit $ERROR
		pings_status=$ERROR
	fi
	kept_report ping slow_ns="$opt_slow" top="$opt_top" || pings_status=$?
	return "$pings_status"
}

command_correlate() {
	[ -r "$operand" ] || die "$operand cannot be read"
	[ ! -d "$operand" ] || die "$operand is a directory; give the log of ping -D"
	make_tmp
	take_files "${opt_from:-$P}"
	[ "$nr_hosts" = 1 ] || die "$opt_from has windows of $nr_hosts hosts; give those of the host with the log"
	# An archive may be of a run of ping.
	rm -f "$tmp/ping.err"
	cat <"$operand" >"$tmp/pinglog"
	report_pings "$tmp"
}

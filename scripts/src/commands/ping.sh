# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff ping: trace while a ping runs, and show which slow replies had to wait for this host.

# ping_runs: instead of a heartbeat; the run ends when ping has ended
ping_runs() {
	kill -0 "$ping_pid" 2>/dev/null || stopped=ping
}

# report_pings DIRECTORY: of the log in there. Fails with 3 when there are windows.
report_pings() {
	pings_status=0
	if ! grep -qE '^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms' "$1/pinglog"; then
		[ ! -s "$1/ping.err" ] || tr -cd '[:print:]\n' <"$1/ping.err" | head -n 5 >&2
		# An unknown host, for example, has nothing to do with -D.
		if [ ! -s "$1/ping.err" ] || grep -q option "$1/ping.err"; then
			say "the log has no reply with a time: no reply came, or ping ran without -D" \
				"(busybox's ping has no -D: install iputils-ping)"
		fi
		# Without replies there is nothing to explain, but a run has windows.
		[ -z "$opt_ping" ] || exit $ERROR
		pings_status=$ERROR
	fi
	# The limit of a run of ping is not that of --ping.
	kept_report ping ${opt_ping:+"slow_ns=$opt_slow"} top="$opt_top" || pings_status=$?
	return "$pings_status"
}

command_ping() {
	command -v "$PING" >/dev/null || die "there is no ping on this host; install iputils-ping"

	begin
	# The unit of ping's -i is seconds.
	ping_us=$((opt_interval / 1000))
	# After kill -9 of this program, ping would go on for ever. Not every setpriv can prevent that.
	ping_dies="setpriv --pdeathsig KILL"
	$ping_dies true 2>/dev/null || ping_dies=
	$ping_dies "$PING" -D -i "$((ping_us / 1000000)).$(printf %06d $((ping_us % 1000000)))" \
		${opt_count:+-c "$opt_count"} -- "$operand" \
		>"$run_dir/pinglog" 2>"$run_dir/ping.err" 8>&- &
	ping_pid=$!
	say "pinging $operand; Ctrl-C ends it"
	wait_for_windows '' '' ping_runs
	kill -INT $ping_pid 2>/dev/null || :
	# The last window may go on, and softirqs may be pending after it.
	wait_seconds 1
	kill $ping_pid 2>/dev/null || :
	ping_status=0
	wait $ping_pid || ping_status=$?
	# 1: replies are missing.
	case $ping_status in
	0 | 1 | 130 | 143) ;;
	*) say "ping ended with status $ping_status" ;;
	esac
	finish
	print_run report_pings "$run_dir"
}

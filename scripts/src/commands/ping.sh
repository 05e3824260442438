# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff ping: trace while a ping runs, and say which slow replies were held by a window.

# Instead of a heartbeat: a ping that has ended ends the wait.
ping_runs() {
	kill -0 "$ping_pid" 2>/dev/null || stopped=ping
}

command_ping() {
	[ -n "$operand" ] || usage_error "ping: which host?"
	command -v "$PING" >/dev/null || die "there is no ping here: install iputils-ping"

	begin
	"$PING" -D -i "$opt_interval" ${opt_count:+-c "$opt_count"} "$operand" \
		>"$tmp/pinglog" 2>"$tmp/ping.err" &
	ping_pid=$!
	say "pinging $operand; Ctrl-C ends it"
	wait_for_windows '' '' ping_runs
	kill -INT $ping_pid 2>/dev/null || :
	# The last window may not have ended yet, nor softirqs have run after it.
	sleep 1 || :
	kill $ping_pid 2>/dev/null || :
	ping_status=0
	wait $ping_pid || ping_status=$?
	# 1: not all were answered.
	case $ping_status in
	0 | 1 | 130 | 143) ;;
	*) say "ping ended with status $ping_status" ;;
	esac
	finish
	print_run report_pings run_report
}

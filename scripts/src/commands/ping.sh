# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff ping: trace while a ping runs, and say which slow replies were held by a window.

command_ping() {
	[ -n "$operand" ] || usage_error "ping: which host?"
	command -v "$PING" >/dev/null || die "there is no ping here: install iputils-ping"

	begin "$opt_period" "$opt_threshold"
	"$PING" -D -i "$opt_interval" ${opt_count:+-c "$opt_count"} "$operand" \
		>"$tmp/pinglog" 2>"$tmp/ping.err" &
	ping_pid=$!
	say "pinging $operand; Ctrl-C ends it"
	while [ -z "$stopped" ] && kill -0 $ping_pid 2>/dev/null; do
		loaded || die "somebody else unloaded the module"
		sleep 1 &
		wait $! || :
	done
	kill -INT $ping_pid 2>/dev/null || :
	# The last window may not have ended yet, nor softirqs have run after it.
	sleep 1
	kill $ping_pid 2>/dev/null || :
	wait $ping_pid || :
	finish
	grep -q icmp_seq "$tmp/pinglog" || {
		cat "$tmp/ping.err" >&2
		die "ping got no reply, or knows no -D (busybox's does not: install iputils-ping)"
	}
	report_run ping slow="$opt_slow"
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff handlers: what each interrupt, softirq and function takes, counted for a while.

# Set while the module counts for this program.
counting=''

# How long a switch may take: the module waits until each CPU has taken an interrupt.
SWITCH_S=30

# put_handlers TEXT: fails until the module has done what the last write asked for
put_handlers() {
	[ ! -e "$P/handlers" ] || { echo "$1" >"$P/handlers"; } 2>/dev/null
}

# stop_counting: and drop what was counted
stop_counting() {
	[ -n "$counting" ] || return 0
	counting=
	if ! wait_until $SWITCH_S put_handlers 0 || ! wait_until $SWITCH_S put_handlers 0; then
		# Unloading would wait for as long.
		loaded_by_us=
		say "the module goes on counting handlers. To stop it: echo 0 >$P/handlers"
	fi
}

# counts: the module has started to count, or a signal has come
counts() {
	[ -n "$stopped" ] || { read_line "$P/handlers" && [ "${line#state=on }" != "$line" ]; }
}

command_handlers() {
	need_root
	note_signals
	make_tmp
	load_module
	read_line "$P/handlers" || die "the loaded module is older than this program: it cannot count" \
		"handlers. Unload it: trace-irqoff off -u"
	case $line in
	"state=off on_ns=0 "*) ;;
	*) die "another process counts handlers, or has left its counts ($line)." \
		"To read them: cat $P/handlers. To drop them: echo 0 >$P/handlers, twice" ;;
	esac
	counting=1
	wait_until $SWITCH_S put_handlers 1 || die "the module did not start to count in $SWITCH_S s: no memory, or another process" \
		"starts and stops it"
	wait_until $SWITCH_S counts || die "the module does not start to count: the kernel waits" \
		"for a CPU, which probably has interrupts off. Find out which: trace-irqoff run"
	[ -z "$stopped" ] || die "stopped before it counted"
	say "counting for $(time_text "$opt_duration")"
	wait_seconds "$(whole_seconds "$opt_duration")"
	cat "$P/handlers" >"$tmp/handlers" || die "cannot read $P/handlers"
	read_line "$tmp/handlers" || :
	[ "${line#state=on }" != "$line" ] || {
		# Another process may count now: do not stop that.
		counting=
		die "another process has stopped the counting, or has loaded the module again ($line). Try again"
	}
	stop_counting
	catch_signals
	name_host "$tmp"
	handlers_mode=handlers
	[ "$opt_format" != json ] || handlers_mode=handlers_json
	report "$tmp" $handlers_mode each_cpu="$opt_each_cpu"
}

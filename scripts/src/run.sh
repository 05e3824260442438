# SPDX-License-Identifier: GPL-2.0
#
# A run: the module is turned on with other settings for a while, and the host is afterwards as
# it was. begin(), wait_for_windows() or another wait, finish(), report_run().

# Seconds since boot: a clock that nobody sets.
uptime_s() {
	sed 's/\..*//' /proc/uptime
}

# begin PERIOD THRESHOLD. From here on signals only set "stopped".
begin() {
	need_root
	stopped=
	trap 'stopped=1' HUP INT QUIT PIPE TERM
	make_tmp
	take_lock
	change "$1" "$2" "$opt_load_timeout"
	[ -z "$load_waited_s" ] || end_without_module
	# Records of before are not ours.
	base_seq=$(tail -n 1 "$P/records" | sed 's/^seq=\([0-9]*\) .*/\1/')
	base_seq=${base_seq:-0}
	base_windows=$(all_windows)
	cat "$P/histogram" >"$tmp/histogram.before"
	cat "$P/status" >"$tmp/status.before"
	begun_s=$(uptime_s)
	turn_on
}

# The module is not there yet. What is known without it is reported all the same.
end_without_module() {
	trap '' HUP INT QUIT PIPE TERM
	finish_status=0
	restore || finish_status=$ERROR
	drop_lock
	catch_signals
	say "the kernel goes on loading the module; it is unloaded again as soon as that is done"
	report_status=0
	report "$tmp" "${opt_mode:-text}" unloaded="$load_waited_s" || report_status=$?
	[ "$finish_status$report_status" != 00 ] || finish_status=$ERROR
	[ "$finish_status" = 0 ] || exit "$finish_status"
	exit "$report_status"
}

# What was recorded since begin(), into $tmp, where report() looks for it; then all is
# restored. If that fails, it has been said, and there is a report all the same.
finish() {
	trap '' HUP INT QUIT PIPE TERM
	spent_s=$(($(uptime_s) - begun_s))
	happened=$(windows_so_far)
	keep_files "$P"
	finish_status=0
	restore || finish_status=$ERROR
	drop_lock
	catch_signals
}

# report_run MODE [VARIABLE=VALUE]...
report_run() {
	run_mode=$1
	shift
	report_status=0
	report "$tmp" "$run_mode" base_seq="$base_seq" happened="$happened" spent="$spent_s" "$@" ||
		report_status=$?
	[ "$finish_status" = 0 ] || exit "$finish_status"
	exit $report_status
}

# SPDX-License-Identifier: GPL-2.0
#
# A run: trace with the given settings for a while, then restore the host. begin(), wait_for_windows() or
# another wait, finish(), print_run().

# Since tracing was enabled, until what it recorded is kept.
recording=''
# What it recorded is in the module alone.
unkept=''
finish_status=0
# The signal that ends it.
stopped=''

# begin: with the settings of the options. From here on signals only set "stopped".
begin() {
	need_root
	for signal in HUP INT QUIT PIPE TERM; do
		# shellcheck disable=SC2064 # this one
		trap "stopped=$signal" $signal
	done
	make_tmp
	load_module "$(whole_seconds "$opt_load_timeout")"
	open_session
	find_settings
	new_run
	# Records of before are not ours.
	newest_seq "$P"
	base_seq=$newest_seq
	cat "$P/histogram" >"$run_dir/histogram.before"
	cat "$P/status" >"$run_dir/status.before"
	all_windows "$run_dir/status.before"
	read_uptime
	base_windows=$windows begun_s=$uptime_s recording=1
	set_in_session "enable=1 $new_settings" || {
		recording=
		die_refused
	}
}

# newest_seq DIRECTORY: sets newest_seq to the number of its last record
newest_seq() {
	newest_seq=$(tail -n 1 "$1/records") || :
	newest_seq=${newest_seq#seq=}
	newest_seq=${newest_seq%% *}
	newest_seq=${newest_seq:-0}
}

# end_recording: keep what was recorded since begin(), then let the kernel restore the settings
end_recording() {
	recording=
	trap '' HUP INT QUIT PIPE TERM
	read_uptime
	spent_s=$((uptime_s - begun_s))
	case $stopped in
	'' | INT | ping) ;;
	*) say "this run ends after $spent_s s: signal $stopped" ;;
	esac
	all_windows || :
	happened=$((windows - base_windows))
	if snapshot && describe_run "$command" "base_seq=$base_seq" \
		"spent=$spent_s" "happened=$happened" "slow_ns=${opt_slow:-}" "ended=$stopped"; then
		of_this_host "$run_dir" || :
		remove_old_runs
	else
		say "no room for what was recorded, in none of $RUNS, $RUNS_INSTEAD and $tmp"
		say "the module keeps it, and stays loaded: trace-irqoff report"
		unkept=1 finish_status=$ERROR
	fi
	# The archive is about this time, too.
	[ -z "$collection" ] || { keep_counters end && collect_module; } || :
	close_session
	[ -n "$unkept" ] || unload || finish_status=$ERROR
}

finish() {
	end_recording
	catch_signals
}

# print_run COMMAND...: the report
print_run() {
	print_status=0
	# In a shell of its own, which may die.
	("$@") || print_status=$?
	case $print_status in
	# Who has seen enough, "run | head", needs no message.
	0 | "$FOUND_WINDOWS" | 141) ;;
	*)
		[ -n "$unkept" ] || [ "$run_dir" = "$tmp" ] ||
			say "the data is saved; show it with: trace-irqoff report --last" ;;
	esac
	[ "$finish_status" = 0 ] || exit "$finish_status"
	exit $print_status
}

# run_report MODE [VARIABLE=VALUE]...: of the run that has ended
run_report() {
	run_mode=$1
	shift
	run_from=$run_dir
	[ -z "$unkept" ] || run_from=$P
	report "$run_from" "$run_mode" base_seq="$base_seq" spent="$spent_s" happened="$happened" "$@"
}

# run_numbers DIRECTORY "KEY|KEY...": as KEY=NUMBER, those that its file "run" has, which may have come
# from anywhere
run_numbers() {
	sed -nE "s/^($2)=([0-9]{1,18})$/&/p" "$1/run" 2>/dev/null || :
}

# kept_report MODE [VARIABLE=VALUE]...: of what is in $kept_in, as the run would have printed it
kept_report() {
	# shellcheck disable=SC2046 # no number has a blank
	report "$kept_in" "$@" $(run_numbers "$kept_in" "base_seq|happened|spent")
}

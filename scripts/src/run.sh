# SPDX-License-Identifier: GPL-2.0
#
# A run: trace with the given settings for a while, then restore the host. begin(),
# wait_for_windows() or another wait, finish(), print_run().

# Set from when tracing was enabled until the records are saved.
recording=''
# Set when the records could not be saved: only the module has them.
unkept=''
# The numbers of the run that has ended, for the report.
run_is=''
finish_status=0
# The signal that ends the run.
stopped=''

# begin: start tracing with the settings of the options. From here on, signals only set "stopped".
begin() {
	need_root
	note_signals
	make_tmp
	load_module
	open_session
	find_settings
	# The number of the last record before this run: before new_run() keeps what is counted. A window
	# that ends between is in the report, but not missing from it.
	base_seq=$(sed -n '$s/^seq=\([0-9]*\) .*/\1/p' "$P/records")
	base_seq=${base_seq:-0}
	new_run
	all_windows "$run_dir/status.before" || die "$P/status cannot be read. Try again"
	read_uptime
	base_windows=$windows begun_s=$uptime_s
	set_in_session "enable=1${new_settings:+ $new_settings}"
	recording=1
	# A new period has emptied the module's histograms.
	[ "${new_period:-$status_sampling_period}" = "$status_sampling_period" ] ||
		: >"$run_dir/histogram.before"
}

# end_recording: save what was recorded since begin(), then let the kernel restore the settings
end_recording() {
	recording=
	trap '' HUP INT QUIT PIPE TERM
	read_uptime
	spent_s=$((uptime_s - begun_s)) ended_at=$(date +%s)
	case $stopped in
	'' | INT | ping) ;;
	*) say "this run ends after $spent_s s: signal $stopped" ;;
	esac
	all_windows || :
	happened=$((windows - base_windows))
	run_is="base_seq=$base_seq spent=$spent_s happened=$happened begun_at=$begun_at ended_at=$ended_at slow_ns=$opt_slow"
	# shellcheck disable=SC2086 # words
	if snapshot && keep_interrupts end && describe_run "command=$command" $run_is \
		"ended=$stopped"; then
		of_this_host "$run_dir" || :
		remove_old_runs
		kept_in=$run_dir
	else
		say "cannot save the records: no room in $RUNS, $RUNS_INSTEAD and $tmp"
		say "the module stays loaded, and has them. Make room, then: trace-irqoff report"
		unkept=1 kept_in=$P finish_status=$ERROR
	fi
	# Before the session ends: the archive shows the settings of the run.
	[ -z "$collection" ] || { keep_counters end && collect_module; } || :
	close_session
	unload || finish_status=$ERROR
}

finish() {
	end_recording
	catch_signals
	# After the session, which it would prolong.
	# shellcheck disable=SC2086 # words
	[ -n "$unkept" ] || look_at_suspects "$run_dir" $run_is
}

# print_run COMMAND...: the report
print_run() {
	print_status=0
	# In a subshell: COMMAND may die.
	("$@") || print_status=$?
	case $print_status in
	0 | "$FOUND_WINDOWS") ;;
	*)
		[ -n "$unkept" ] || ! is_kept ||
			say "the data is saved; show it with: trace-irqoff report --last" ;;
	esac
	[ "$finish_status" = 0 ] || exit "$finish_status"
	exit $print_status
}

# run_numbers DIRECTORY "KEY|KEY...": print KEY=NUMBER from its file "run", which is not trusted
run_numbers() {
	sed -nE "s/^($2)=([0-9]{1,18})$/&/p" "$1/run" 2>/dev/null || :
}

# kept_report MODE [VARIABLE=VALUE]...: of what is in $kept_in, as the run would have printed it
kept_report() {
	kept_mode=$1
	shift
	[ "$kept_mode" != html ] || {
		print_page "$@"
		return
	}
	# shellcheck disable=SC2046,SC2086 # no number has a blank
	report "$kept_in" "$kept_mode" \
		${run_is:-$(run_numbers "$kept_in" "base_seq|happened|spent|begun_at|ended_at|slow_ns")} "$@"
}

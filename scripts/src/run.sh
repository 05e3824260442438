# SPDX-License-Identifier: GPL-2.0
#
# A run: the module is turned on with other settings for a while, and the host is afterwards as
# it was. begin(), wait_for_windows() or another wait, finish(), report_run().

# Since it is turned on, until what it saw is kept.
recording=''
# Set while there is nothing but the module to have it.
unkept=''

# A run that takes so long to begin was held up itself, and says so.
HELD_UP_S=10
held_up_s=''

# note_held_up SECONDS-OF-UPTIME: when this run began. A CPU with interrupts off holds up what runs
# or waits there, and that may be this program, which then sees too late that there was one.
note_held_up() {
	read_uptime
	held_up_s=$((uptime_s - $1))
	if [ -s "$tmp/stuck" ] || [ "$held_up_s" -lt $HELD_UP_S ]; then
		held_up_s=
	fi
}

# begin PERIOD THRESHOLD. From here on signals only set "stopped".
begin() {
	need_root
	stopped='' finish_status=0
	read_uptime
	entered_s=$uptime_s
	for signal in HUP INT QUIT PIPE TERM; do
		# shellcheck disable=SC2064 # this one
		trap "stopped=$signal" $signal
	done
	[ -n "$tmp" ] || make_tmp
	take_lock
	rescue_killed || die "make room for that first; \"trace-irqoff off\" gives it up"
	change "$1" "$2" "$opt_load_timeout"
	[ -z "$load_waited_s" ] || end_without_module
	note_held_up "$entered_s"
	# Records of before are not ours.
	newest_seq "$P"
	base_seq=$newest_seq
	cat "$P/histogram" >"$tmp/histogram.before"
	cat "$P/status" >"$tmp/status.before"
	all_windows "$tmp/status.before"
	read_uptime
	base_windows=$windows begun_s=$uptime_s begun_instance=$saved_instance
	mark_begun "$command" "$base_seq" "$begun_s" "$begun_instance"
	recording=1
	turn_on
}

# The module is not there yet. What is known without it is kept and reported as that of any run.
end_without_module() {
	trap '' HUP INT QUIT PIPE TERM
	base_seq=0
	: >"$tmp/records"
	host_cpus >"$tmp/host_cpus" || :
	if ! describe_run "$command" base_seq=0 "unloaded=$load_waited_s" "ended=$stopped" ||
		! keep_last; then
		say "what is known of it could not be kept"
	fi
	restore || finish_status=$ERROR
	drop_lock
	catch_signals
	say "the kernel goes on loading the module; it is unloaded again as soon as that is done"
	# If no CPU stood still, nobody knows what it waits for.
	[ -s "$tmp/stuck" ] || finish_status=$ERROR
	if [ -n "${opt_out:-}" ]; then
		begin_collection
		end_counters
		(collect_run "$opt_out") || finish_status=$ERROR
	fi
	print_run kept_report "${opt_mode:-text}"
}

# newest_seq DIRECTORY: sets newest_seq to the number of its last record
newest_seq() {
	newest_seq=$(tail -n 1 "$1/records") || :
	newest_seq=${newest_seq#seq=}
	newest_seq=${newest_seq%% *}
	newest_seq=${newest_seq:-0}
}

# still_there: whether the module that was turned on is. If not, we have what was seen last.
still_there() {
	loaded && module_instance && [ "$instance" = "$begun_instance" ]
}

# What was recorded since begin(), into $tmp, and from there to where it is kept. Of a module
# that is gone it is what was seen last.
end_recording() {
	recording=
	trap '' HUP INT QUIT PIPE TERM
	unkept=1
	read_uptime
	spent_s=$((uptime_s - begun_s))
	[ ! -s "$END" ] || stopped="$(cat "$END")"
	if ! still_there || ! { snapshot || tmp_elsewhere snapshot; }; then
		if still_there; then
			say "no room for what was recorded, neither in $tmp nor elsewhere"
			return 1
		fi
		stopped="somebody else unloaded the module; what it had a second before is kept"
		finish_status=$ERROR
		[ -e "$tmp/status" ] || cp "$tmp/status.before" "$tmp/status"
		[ -e "$tmp/records" ] || : >"$tmp/records"
	fi
	case $stopped in
	'' | INT | ping) ;;
	*" "*) say "this run ends after $spent_s s: $stopped" ;;
	*) say "this run ends after $spent_s s: signal $stopped" ;;
	esac
	# If that fails, as many as there were a second before.
	all_windows "$tmp/status" || :
	happened=$((windows - base_windows))
	of_this_host
	describe_run "$command" "base_seq=$base_seq" "spent=$spent_s" "happened=$happened" \
		"held_up=$held_up_s" "slow=${opt_slow:-}" "ended=$stopped" && keep_last || return 1
	unkept=
	rm -rf "$BEGUN"
}

# All is kept, then restored. If that fails, it has been said, and there is a report all the same.
finish() {
	end_recording || say "nothing but the module has it"
	# Of this time, and while the module is there; without room for it, the archive says so.
	[ -z "$collection" ] || { end_counters && collect_module; } || :
	restore_run
	catch_signals
}

# restore_run: not while only the module has what was recorded
restore_run() {
	[ -z "$unkept" ] || return 0
	restore || finish_status=$ERROR
	drop_lock
}

# print_run COMMAND...: the report. Once it is printed, the module need not have it any more.
print_run() {
	print_status=0
	# In a shell of its own, which may die.
	("$@") || print_status=$?
	case $print_status in
	0 | "$FOUND_WINDOWS")
		if [ -n "$unkept" ]; then
			unkept=
			rm -rf "$BEGUN"
			restore_run
		fi ;;
	*)
		# Who has seen enough, "run | head", needs no message.
		[ -n "$unkept" ] || [ -z "$kept_as" ] || [ "$print_status" = 141 ] ||
			say "\"$kept_as\" has it" ;;
	esac
	[ "$finish_status" = 0 ] || exit "$finish_status"
	exit $print_status
}

# run_report MODE [VARIABLE=VALUE]...: of the run that has ended
run_report() {
	run_mode=$1
	shift
	if [ -n "$unkept" ]; then
		report "$P" "$run_mode" base_seq="$base_seq" spent="$spent_s" held_up="$held_up_s" "$@"
	else
		kept_report "$run_mode" "$@"
	fi
}

# run_numbers "KEY|KEY...": as KEY=NUMBER, those that the file "run" in $tmp has, which may have
# come from anywhere
run_numbers() {
	sed -nE "s/^($1)=([0-9]{1,15}|[0-9]{0,7}[.][0-9]{0,7})$/&/p" "$tmp/run" 2>/dev/null || :
}

# kept_report MODE [VARIABLE=VALUE]...: of what is in $tmp, as the run would have printed it
kept_report() {
	# shellcheck disable=SC2046 # no number has a blank
	report "$tmp" "$@" $(run_numbers "base_seq|happened|spent|held_up|unloaded")
}

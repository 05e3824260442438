# SPDX-License-Identifier: GPL-2.0
#
# Changing settings. A run opens the file session of the module, as descriptor 8, and writes
# settings to it. Only one process can have it open. When it is closed, however the process ended,
# the kernel restores the settings. So no program that may outlive this one gets descriptor 8.
#
# "on" and "off" write the other files, which are busy while a session is open.

session_is_open=''
put_said=''

# die_busy: say why a session or a file of the module cannot be opened or written
die_busy() {
	need_loaded
	{ true >"$P/enable"; } 2>/dev/null || die "$P cannot be written: root needs CAP_SYS_ADMIN." \
		"A container may lack it: try it outside of the container"
	read_status || :
	case $status_session in
	'') die "the loaded module is older than this program: it has no sessions." \
		"Unload it: trace-irqoff off -u" ;;
	none) die "the module was busy${put_said:+: $put_said}. Try again" ;;
	"0 "*) die "a run is going on in another PID namespace, such as a container, or a program that" \
		"a run had started has outlived it. End that process: fuser $P/session" ;;
	*) die "a run is going on: process $status_session." \
		"Wait for it, or end it: trace-irqoff off --end-run" ;;
	esac
}

# open_session: or die
open_session() {
	# Without "command", a failing exec ends some shells at once.
	{ command exec 8>"$P/session"; } 2>/dev/null || die_busy
	session_is_open=1
}

close_session() {
	[ -n "$session_is_open" ] || return 0
	exec 8>&-
	session_is_open=
}

# put TEXT: one write to descriptor 8; fails and sets put_said: unlike printf, dd says why
put() {
	put_said=$(printf '%s' "$1" | dd bs=4096 2>&1 >&8) && return
	put_said=$(echo "$put_said" | sed -n '1s/.*: //p')
	return 1
}

# set_in_session "NAME=VALUE ...": all of these, or die
set_in_session() {
	put "$1" || die "the module refused \"$1\": $put_said. The limits are in: man trace-irqoff"
}

# change FILE TEXT: or die
change() {
	need_loaded
	put_said=
	{ put "$2" 8>"$P/$1"; } 2>/dev/null && return
	case $put_said in
	'' | *[Bb]usy*) die_busy ;;
	esac
	die "the module refused \"$2\" for $P/$1: $put_said"
}

# find_settings: set new_period, new_threshold and new_settings, what a session takes. A threshold that
# is too short lowers the period in force, and a period that is too long raises the threshold in force.
find_settings() {
	read_status || :
	if [ -n "$opt_threshold" ] && [ -z "$opt_period" ] &&
		parse_time "$status_sampling_period" &&
		[ "$opt_threshold" -lt $((2 * time_ns)) ]; then
		opt_period=$((opt_threshold / 2 - opt_threshold % 2000 / 2))
		say "sampling period lowered from $status_sampling_period to" \
			"$(time_text "$opt_period"), half of the threshold"
	elif [ -n "$opt_period" ] && [ -z "$opt_threshold" ] &&
		parse_time "$status_threshold" &&
		[ "$time_ns" -lt $((2 * opt_period)) ]; then
		opt_threshold=$((2 * opt_period))
		say "threshold raised from $status_threshold to" \
			"$(time_text "$opt_threshold"), twice the sampling period"
	fi
	new_period=$(setting_text "$opt_period")
	new_threshold=$(setting_text "$opt_threshold")
	new_settings=${new_period:+ sampling_period=$new_period}
	new_settings=$new_settings${new_threshold:+ threshold=$new_threshold}
	new_settings=$new_settings${opt_cpus:+ cpus=$opt_cpus}${opt_nosched:+ nosched=$opt_nosched}
	new_settings=${new_settings# }
}

END_RUN_LIMIT=60	# seconds: only unloading the module takes this long

# end_other_run: tell the process that has the session open to end, and wait until it has reported
end_other_run() {
	read_line "$P/session" || return 0
	end_session=$line
	case $end_session in
	none) return 0 ;;
	"0 "*) die_busy ;;
	esac
	say "a run is going on, process $end_session: telling it to end"
	kill -s TERM "${end_session%% *}" 2>/dev/null || :
	# After Ctrl-Z
	kill -s CONT "${end_session%% *}" 2>/dev/null || :
	end_left=$END_RUN_LIMIT
	while read_line "$P/session" && [ "$line" = "$end_session" ]; do
		[ $end_left -gt 0 ] ||
			die "process $end_session does not end. Try: kill -9 ${end_session%% *}"
		end_left=$((end_left - 1))
		sleep 1
	done
}

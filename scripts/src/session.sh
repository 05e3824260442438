# SPDX-License-Identifier: GPL-2.0
#
# Changing settings. A run does so in a session: the file session of the module, open as descriptor 8.
# Only one process can have it open, and the kernel restores the settings when it is closed, whatever
# ended the process. So a program that may live longer than we do gets no descriptor 8.
#
# "on" and "off" write the other files, which are busy while a session is open.

session_is_open=''

# die_busy: another process has the session open
die_busy() {
	read_status || :
	case $status_session in
	none | '') die "cannot change the settings of the module: ${put_said:-cannot open $P/session}" ;;
	"0 "*)
		say "a run is going on, in another PID namespace, such as a container; or a program that a run"
		die "had started has outlived it. End that process: fuser $P/session" ;;
	*) die "a run is going on: process $status_session." \
		"Wait for it, or end it: trace-irqoff off --end-run" ;;
	esac
}

# open_session: or dies. An old module has no such file, and nothing can be made in /proc.
open_session() {
	put_said=
	# Without "command", a failing exec ends some shells at once.
	{ command exec 8>"$P/session"; } 2>/dev/null || die_busy
	session_is_open=1
}

# set_in_session "NAME=VALUE ...": all of these, or none; fails and sets put_said. dd says why it was
# refused, and writes up to 4096 bytes at once.
set_in_session() {
	put_said=$(printf '%s' "$1" | dd bs=4096 2>&1 >&8) && return
	why_refused
	return 1
}

# find_settings: sets new_period and new_threshold to the texts of those that are given, the period being
# fitted to a short threshold; and new_settings to the words for a session
find_settings() {
	read_status || :
	new_period=$(setting_text "$opt_period")
	new_threshold=$(setting_text "$opt_threshold")
	if [ -z "$new_period" ] && [ -n "$new_threshold" ]; then
		fit_period "$status_sampling_period" "$new_threshold"
		new_period=$fitting_period
	fi
	new_settings=${new_period:+sampling_period=$new_period }
	new_settings=$new_settings${new_threshold:+threshold=$new_threshold }${opt_cpus:+cpus=$opt_cpus}
	new_settings=${new_settings% }
}

die_refused() {
	die "the module refused \"$new_settings\": $put_said"
}

close_session() {
	[ -n "$session_is_open" ] || return 0
	exec 8>&-
	session_is_open=
}

# put TEXT FILE: by one system call; fails and sets put_said
put() {
	put_said=$(printf '%s' "$1" | dd of="$P/$2" bs=4096 conv=notrunc 2>&1) && return
	why_refused
	return 1
}

# why_refused: of what dd said, only the reason
why_refused() {
	put_said=$(echo "$put_said" | sed -n 's/^dd: .*: //p' | tail -n 1)
}

# change WORDS TEXT FILE: or dies
change() {
	put "$2" "$3" && return
	case $put_said in
	*[Bb]usy*) die_busy ;;
	esac
	die "$1 $2 was refused: $put_said"
}

END_RUN_LIMIT=60	# seconds: restoring takes none but where the module is unloaded

# end_other_run: the process that has the session open reports, and ends
end_other_run() {
	read_status || return 0
	end_pid=${status_session%% *}
	case $end_pid in
	none | '') return 0 ;;
	0) die_busy ;;
	esac
	say "a run is going on, process $status_session: telling it to end"
	kill -s TERM "$end_pid" 2>/dev/null || :
	end_left=$END_RUN_LIMIT
	while read_status && [ "${status_session%% *}" = "$end_pid" ]; do
		[ $end_left -gt 0 ] || die "process $end_pid does not end; kill -9 $end_pid ends it"
		end_left=$((end_left - 1))
		sleep 1
	done
}

# SPDX-License-Identifier: GPL-2.0
#
# The module's settings: saved before they are changed, and restored at the end. Only the
# owner of the lock comes here.
#
# They are saved in $SAVED. When a run was killed, that file stays, and the next run restores
# from it what the killed one had found. It is written whole or not at all, and its last line
# tells so: a file that is incomplete restores nothing.

saved_instance='' saved_loaded='' saved_enabled='' saved_period='' saved_threshold=''
saved_nosched='' saved_complete=''

# read_saved FILE: sets all of these; fails when the file is incomplete. Of an older module, or by an
# older helper, it has no nosched.
read_saved() {
	read_values "$1" = saved instance loaded enabled period threshold nosched complete &&
		[ "$saved_complete" = 1 ] || return 1
	case $saved_loaded in
	0) ;;
	1)
		[ -n "$saved_instance" ] && [ -n "$saved_enabled" ] && [ -n "$saved_period" ] &&
			[ -n "$saved_threshold" ] ;;
	*) return 1 ;;
	esac
}

# Whether a run that was killed left the module changed. One that was loaded anew since has
# nothing of that run.
left_changed() {
	[ -e "$SAVED" ] || return 1
	read_saved "$SAVED" ||
		die "$SAVED: what a killed run saved there is incomplete." \
			"\"trace-irqoff on\" or \"off\" forgets it, and sets what you want"
	module_instance
	[ -z "$saved_instance" ] || [ "$saved_instance" = "$instance" ]
}

# write_saved KEY=VALUE...: and sets saved_KEY. It may be killed at any time.
write_saved() {
	{
		printf '%s\n' "$@" complete=1 >"$SAVED.new" && read_saved "$SAVED.new" &&
			mv -f "$SAVED.new" "$SAVED"
	} || die "the settings cannot be saved in $SAVED"
}

save_settings() {
	if loaded; then
		need_loaded
		module_instance
		read_period
		read_status || :
		write_saved "instance=$instance" loaded=1 "enabled=$status_enabled" \
			"period=$period" "threshold=$status_threshold" "nosched=$status_nosched"
	else
		# Which one it will be is not known yet.
		write_saved instance= loaded=0
	fi
}

# change PERIOD THRESHOLD NOSCHED [SECONDS]: of those that are not empty, the module being loaded if
# need be; see load_module() for when that is given up.
# However we end before forget_saved(), clean_up() restores what was saved. When the module is
# loaded, $saved_instance is the one that is changed.
change() {
	left_changed || save_settings
	load_module "${4:-}"
	[ -z "$load_waited_s" ] || return 0
	if [ -z "$saved_instance" ]; then
		module_instance
		write_saved "instance=$instance" loaded=0
	fi
	set_up "$1" "$2" "$3"
}

forget_saved() {
	rm -rf "$SAVED" "$SAVED.new" "$BEGUN" "$BEGUN.new"
}

restore() {
	read_saved "$SAVED" || {
		say "$SAVED is incomplete: nothing was restored from it"
		return 1
	}
	module_instance
	if [ -n "$saved_instance" ] && [ "$saved_instance" != "$instance" ]; then
		# Somebody else unloaded it, and may have loaded it anew: there is nothing of ours.
		:
	elif [ "$saved_loaded" = 0 ]; then
		restore_not_loaded || {
			say "the module could not be unloaded"
			return 1
		}
	elif loaded && ! restore_settings; then
		say "settings could not be put back: $put_said"
		return 1
	fi
	forget_saved
}

# While it is being loaded it cannot be unloaded: the loader does it then.
restore_not_loaded() {
	[ -z "$load_waited_s" ] || return 0
	! let_it_load || return 0
	! loaded || rmmod trace_irqoff
}

# Whoever calls this in a condition has no -e, so each step says what it depends on.
restore_settings() {
	read_period
	if [ "$saved_period" != "$period" ]; then
		put 0 enable || return 1
		put "$saved_period" sampling_period || return 1
	fi
	# That may have changed both of these.
	read_status || :
	if [ "$saved_threshold" != "$status_threshold" ]; then
		put "$saved_threshold" trace_latency || return 1
	fi
	if [ -n "$saved_nosched" ] && [ "$saved_nosched" != "$status_nosched" ]; then
		put "$saved_nosched" nosched || return 1
	fi
	[ "$saved_enabled" = "$status_enabled" ] || put "$saved_enabled" enable
}

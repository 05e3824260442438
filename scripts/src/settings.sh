# SPDX-License-Identifier: GPL-2.0
#
# The module's settings: saved before they are changed, and restored at the end. Only the
# owner of the lock comes here.
#
# They are saved in $SAVED. When a run was killed, that file stays, and the next run restores
# from it what the killed one had found. It is written whole or not at all, and its last line
# tells so: a file that is incomplete restores nothing.

# Tells one loading of the module from the next.
module_instance() {
	stat -c %i "/sys/module/trace_irqoff" 2>/dev/null || echo none
}

# saved KEY [FILE]
saved() {
	sed -n "s/^$1=//p" "${2:-$SAVED}"
}

# is_complete FILE
is_complete() {
	[ "$(tail -n 1 "$1" 2>/dev/null)" = complete=1 ] || return 1
	case $(saved loaded "$1") in
	0) return 0 ;;
	1) ;;
	*) return 1 ;;
	esac
	for saved_key in instance enabled period threshold; do
		[ -n "$(saved $saved_key "$1")" ] || return 1
	done
}

# Whether a run that was killed left the module changed. One that was loaded anew since has
# nothing of that run.
left_changed() {
	[ -e "$SAVED" ] || return 1
	is_complete "$SAVED" ||
		die "$SAVED: what a killed run saved there is incomplete." \
			"\"trace-irqoff on\" or \"off\" forgets it, and sets what you want"
	saved_instance=$(saved instance)
	[ -z "$saved_instance" ] || [ "$saved_instance" = "$(module_instance)" ]
}

# write_saved: stdin. It may be killed at any time.
write_saved() {
	{
		cat
		echo complete=1
	} >"$SAVED.new" && is_complete "$SAVED.new" && mv -f "$SAVED.new" "$SAVED"
}

save_settings() {
	if loaded; then
		need_loaded
		write_saved <<-EOT || die "the settings cannot be saved in $SAVED"
			instance=$(module_instance)
			loaded=1
			enabled=$(value enabled)
			period=$(cat "$P/sampling_period")
			threshold=$(value threshold)
		EOT
	else
		save_not_loaded ''
	fi
}

# save_not_loaded INSTANCE: empty while it is not loaded yet
save_not_loaded() {
	printf 'instance=%s\nloaded=0\n' "$1" | write_saved ||
		die "the settings cannot be saved in $SAVED"
}

# change PERIOD THRESHOLD [SECONDS]: of those that are not empty, the module being loaded if
# need be; see load_module() for when that is given up.
# However we end before forget_saved(), clean_up() restores what was saved.
change() {
	left_changed || save_settings
	load_module "${3:-}"
	[ -z "$load_waited_s" ] || return 0
	if [ "$(saved loaded)" = 0 ] && [ -z "$(saved instance)" ]; then
		save_not_loaded "$(module_instance)"
	fi
	set_up "$1" "$2"
}

forget_saved() {
	rm -rf "$SAVED" "$SAVED.new" "$BEGUN" "$BEGUN.new"
}

restore() {
	if ! is_complete "$SAVED"; then
		say "$SAVED is incomplete: nothing was restored from it"
		return 1
	elif [ -n "$(saved instance)" ] && [ "$(saved instance)" != "$(module_instance)" ]; then
		# Somebody else unloaded it, and may have loaded it anew: there is nothing of ours.
		:
	elif [ "$(saved loaded)" = 0 ]; then
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
	if [ "$(saved period)" != "$(cat "$P/sampling_period")" ]; then
		put 0 enable || return 1
		put "$(saved period)" sampling_period || return 1
	fi
	if [ "$(saved threshold)" != "$(value threshold)" ]; then
		put "$(saved threshold)" trace_latency || return 1
	fi
	put "$(saved enabled)" enable
}

# SPDX-License-Identifier: GPL-2.0
#
# A run that was killed has left the module as it was, with its records. Whoever has the lock
# next keeps what was recorded since that run began, before anything is restored or unloaded.

# mark_begun COMMAND BASE_SEQ BEGUN_S INSTANCE: before it is turned on, with status.before and
# histogram.before in $tmp. Without room for it in there, nobody will know.
mark_begun() {
	[ ! -e "$BEGUN.new" ] || rm -rf "$BEGUN.new"
	write_begun "$@" 2>/dev/null ||
		say "$BEGUN cannot be written: if this run is killed, nobody will know of it"
}

write_begun() {
	mkdir -m 700 "$BEGUN.new" &&
		cp "$tmp/status.before" "$tmp/histogram.before" "$BEGUN.new" &&
		printf '%s\n' "command=$1" "instance=$4" "base_seq=$2" "begun_s=$3" \
			>"$BEGUN.new/run" &&
		{ [ ! -e "$BEGUN" ] || rm -rf "$BEGUN"; } && mv "$BEGUN.new" "$BEGUN"
}

killed_command='' killed_instance='' killed_base_seq='' killed_begun_s=''

# rescue_killed: needs the lock, and make_tmp(). $BEGUN goes when all is restored.
rescue_killed() {
	[ -d "$BEGUN" ] || return 0
	rescue_failed=
	read_values "$BEGUN/run" = killed command instance base_seq begun_s || :
	module_instance
	if loaded && [ "$killed_instance" = "$instance" ]; then
		rescue_in=$tmp
		tmp=$tmp/killed
		mkdir "$tmp"
		if ! keep_killed; then
			say "what a run that was killed had recorded could not be kept"
			rescue_failed=1
		else
			# It still records: what comes from here on is for the next one.
			mv "$tmp/status" "$tmp/status.before"
			mv "$tmp/histogram" "$tmp/histogram.before"
			newest_seq "$tmp"
			read_uptime
			mark_begun "$killed_command" "$newest_seq" "$uptime_s" "$killed_instance"
		fi
		rm -rf "$tmp"
		tmp=$rescue_in
		[ -z "$rescue_failed" ]
	else
		rm -rf "$BEGUN"
	fi
}

keep_killed() {
	snapshot || return 1
	cp "$BEGUN/status.before" "$BEGUN/histogram.before" "$tmp" || return 1
	all_windows "$tmp/status.before" || return 1
	killed_windows=$windows
	all_windows "$tmp/status" || return 1
	killed_windows=$((windows - killed_windows))
	read_uptime
	if [ "$killed_windows" = 0 ] && ! grep -q COMMAND: "$tmp/active"; then
		return
	fi
	cgroups "$tmp" >"$tmp/cgroups" || return 1
	describe_run "$killed_command" "base_seq=$killed_base_seq" \
		"spent=$((uptime_s - killed_begun_s))" "happened=$killed_windows" \
		"ended=KILL" && keep_last || return 1
	say "a run was killed, and recorded windows until now ($killed_windows):" \
		"\"$kept_as\" has them"
}

# undo_killed: what it had set was for that run only. Settings become what it had found; where it
# had loaded the module, what they are when that is loaded. Whether it is on is left as it is.
undo_killed() {
	[ -e "$SAVED" ] && read_saved "$SAVED" && loaded || return 0
	module_instance
	[ -z "$saved_instance" ] || [ "$saved_instance" = "$instance" ] || return 0
	if [ "$saved_loaded" = 1 ]; then
		set_up "$saved_period" "$saved_threshold" "$saved_nosched"
	else
		reload_settings
		set_up "$opt_period" "$opt_threshold" "$opt_nosched"
	fi
}

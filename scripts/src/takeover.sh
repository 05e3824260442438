# SPDX-License-Identifier: GPL-2.0
#
# A run that was killed has left the module as it was, with its records. Whoever has the lock
# next keeps what was recorded since that run began, before anything is restored or unloaded.

# mark_begun: before it is turned on. Without room for it in there, nobody will know.
mark_begun() {
	rm -rf "$BEGUN" "$BEGUN.new"
	write_begun 2>/dev/null ||
		say "$BEGUN cannot be written: if this run is killed, nobody will know of it"
}

write_begun() {
	mkdir -m 700 "$BEGUN.new" &&
		cp "$tmp/status.before" "$tmp/histogram.before" "$BEGUN.new" &&
		printf '%s\n' "command=$command" "instance=$(module_instance)" \
			"base_seq=$base_seq" "begun_s=$begun_s" >"$BEGUN.new/run" &&
		mv "$BEGUN.new" "$BEGUN"
}

# begun KEY: of the run that was killed
begun() {
	saved "$1" "$BEGUN/run"
}

# rescue_killed: needs the lock, and make_tmp()
rescue_killed() {
	[ -d "$BEGUN" ] || return 0
	if loaded && [ "$(begun instance)" = "$(module_instance)" ]; then
		rescue_in=$tmp
		tmp=$tmp/killed
		mkdir "$tmp"
		keep_killed || say "what a run that was killed had recorded could not be kept"
		rm -rf "$tmp"
		tmp=$rescue_in
	fi
	rm -rf "$BEGUN"
}

keep_killed() {
	snapshot || return 1
	cp "$BEGUN/status.before" "$BEGUN/histogram.before" "$tmp" || return 1
	killed_windows=$(($(all_windows "$tmp/status") - $(all_windows "$tmp/status.before")))
	if [ "$killed_windows" = 0 ] && ! grep -q COMMAND: "$tmp/active"; then
		return
	fi
	cgroups "$tmp" >"$tmp/cgroups" || return 1
	describe_run "$(begun command)" "base_seq=$(begun base_seq)" \
		"spent=$(($(uptime_s) - $(begun begun_s)))" "happened=$killed_windows" \
		"ended=KILL" && keep_last || return 1
	say "a run was killed, and recorded windows until now ($killed_windows):" \
		"\"$kept_as\" has them"
}

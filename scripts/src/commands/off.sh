# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff off: tracing is turned off.

# What it has recorded all the time that it was loaded. Without windows there is nothing to keep.
keep_all() {
	snapshot || tmp_elsewhere snapshot || return 1
	if [ ! -s "$tmp/records" ] && ! grep -q COMMAND: "$tmp/active"; then
		return
	fi
	cgroups "$tmp" >"$tmp/cgroups" || :
	describe_run off "ended=off" && keep_last &&
		say "what it had recorded is kept: \"$kept_as\" shows it"
}

command_off() {
	need_root
	make_tmp
	[ -z "$opt_end_run" ] || end_other_run
	take_lock
	rescue_killed || :
	undo_killed
	forget_saved
	loaded || {
		say "the module is not loaded"
		return
	}
	put 0 enable || die "cannot turn it off: $put_said"
	[ -n "$opt_unload" ] || return 0
	keep_all || say "its records could not be kept, and are gone with it"
	rmmod trace_irqoff || die "the module could not be unloaded"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff off: stop tracing.

# keep_all: what the module has recorded since it was loaded, as if it was a run; nothing if there are no
# windows
keep_all() {
	if ! read_line "$P/records" && ! grep -q COMMAND: "$P/active"; then
		return 0
	fi
	make_tmp
	new_run
	snapshot && [ "$run_dir" != "$tmp" ] && describe_run off ended=off || return 1
	of_this_host "$run_dir" || :
	remove_old_runs
	say "its records are kept; show them with: trace-irqoff report --last"
}

command_off() {
	need_root
	[ -z "$opt_end_run" ] || ! loaded || end_other_run
	loaded || {
		say "the module is not loaded"
		return
	}
	change enable 0 enable
	[ -n "$opt_unload" ] || return 0
	keep_all || die "its records could not be kept, so it stays loaded. To drop them: trace-irqoff clear"
	rmmod trace_irqoff || die "the module could not be unloaded"
}

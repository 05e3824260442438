# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff off: stop tracing.

# Set while keep_all() saves: what clean_up() removes then is no run.
keeping=''

# keep_all: save all that the module has recorded like a run; nothing if there are no windows
keep_all() {
	if ! read_line "$P/records" && ! read_line "$P/active"; then
		return 0
	fi
	make_tmp
	keeping=1
	new_run
	# These are for the counts of a run.
	rm -f "$run_dir/histogram.before" "$run_dir/status.before" "$run_dir/interrupts.begin"
	snapshot && is_kept && describe_run command=off ended=off || return 1
	keeping=
	{ of_this_host "$run_dir" && look_at_suspects "$run_dir"; } || :
	remove_old_runs
	say "the records are kept; show them with: trace-irqoff report --last"
}

command_off() {
	need_root
	[ -z "$opt_end_run" ] || ! loaded || end_other_run
	loaded || {
		say "the module is not loaded"
		return
	}
	change enable 0
	[ -n "$opt_unload" ] || return 0
	keep_all || die "the records could not be kept, so the module stays loaded." \
		"To delete them: trace-irqoff clear"
	rmmod trace_irqoff ||
		die "the module could not be unloaded: a process has \"session\" open, polls a file, or" \
			"uses a trace event"
}

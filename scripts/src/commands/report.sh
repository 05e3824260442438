# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff report: what the module has recorded, or what has been kept of that.

# keep_last_dir: all of $last_dir, into $tmp
keep_last_dir() {
	# It may become last.1 at any time.
	(cd "$last_dir" && keep_files .)
}

# take_last N: the generation before the newest N, into $tmp. What a run that was killed has left
# is the newest one: nobody may have kept it yet.
take_last() {
	if [ -d "$BEGUN" ] && is_root && others_in_lock && [ -z "$others" ]; then
		take_lock
		rescue_killed || :
		drop_lock
	fi
	last_dir=$(generations | sed -n "$(($1 + 1))p")
	[ -n "$last_dir" ] || is_root || die "only root can read what runs have left in $STATE"
	[ -n "$last_dir" ] || die "there is no such run in $STATE or $STATE_INSTEAD"
	keep_last_dir || tmp_elsewhere keep_last_dir || die "$last_dir cannot be read"
	say "what a run saw that ended $(cat "$tmp/when")"
}

# As the run would have printed it.
command_report() {
	make_tmp
	[ -z "$opt_last_but" ] || opt_last=1
	if [ -n "$opt_last" ]; then
		take_last "${opt_last_but:-0}"
	else
		take_files "$opt_from"
	fi
	if [ -n "$opt_last" ] && [ "$opt_mode" = text ] && [ -e "$tmp/pinglog" ]; then
		opt_slow=$(run_numbers slow)
		opt_slow=${opt_slow#slow=}
		report_pings kept_report
	else
		kept_report "$opt_mode" newest="$opt_newest"
	fi
}

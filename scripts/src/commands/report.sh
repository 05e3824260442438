# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff report: what the module has recorded, or what a run has kept of it.

# take_run N: set kept_in to what the Nth newest run recorded
take_run() {
	need_root
	kept_in=$(runs | sed -n "$1s/^[^ ]* //p")
	[ -n "$kept_in" ] || die "there is no run $1 in $RUNS." \
		"To list the runs: trace-irqoff report --list; to make one: trace-irqoff run"
	[ -s "$kept_in/run" ] || die "run $1 goes on or was killed, and left no records." \
		"What the module has of it: trace-irqoff report"
}

# seconds_before NS: print the time NS before now, in seconds since 1970. In an archive or an earlier run,
# the time is counted back from the end of the last window.
seconds_before() {
	since=$(sed -n '$s/.* end=\([1-9][0-9]\{0,11\}\)[.].*/\1/p' "$kept_in/records")
	if [ -z "$opt_run$opt_from" ] || [ -z "$since" ]; then
		since=$(date +%s)
	fi
	since=$((since - $1 / 1000000000))
	[ "$since" -gt 0 ] || since=0
	echo "$since"
}

command_report() {
	[ -z "$opt_list" ] || {
		need_root
		list_runs
		return
	}
	make_tmp
	[ "$opt_from" = / ] || opt_from=${opt_from%/}
	[ -z "$opt_last" ] || opt_run=1
	if [ -n "$opt_run" ]; then
		take_run "$opt_run"
	else
		take_files "${opt_from:-$P}"
	fi
	only=$opt_cpu$opt_kind$opt_comm$opt_cgroup$opt_since$opt_min
	if [ -n "$opt_run" ] && [ "$opt_format$only" = text ] && [ -e "$kept_in/pinglog" ]; then
		opt_slow=$(run_numbers "$kept_in" slow_ns)
		opt_slow=${opt_slow#slow_ns=}
		report_pings "$kept_in" kept_report
	else
		only_since=
		[ -z "$opt_since" ] || only_since=$(seconds_before "$opt_since")
		kept_report "$opt_format" top="$opt_top" histogram="$opt_histogram" only_cpu="$opt_cpu" only_kind="$opt_kind" \
			only_since="$only_since" only_min_ns="$opt_min"
	fi
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff report: what the module has recorded, or what a run has kept of it.

# data_end: print when the data ends, in seconds since 1970, if --since or --until needs it: now, or for
# an archive or an earlier run, the end of its last window
data_end() {
	[ -n "$opt_since$opt_until" ] || return 0
	end_s=$(sed -nE 's/^.* end=([1-9][0-9]{0,10})[.].*/\1/p' "$kept_in/records" | sort -n | tail -n 1)
	if [ -z "$opt_run$operand" ] || [ -z "$end_s" ]; then
		end_s=$(date +%s)
	fi
	echo "$end_s"
}

# take_pings: put the log of --ping beside the other files of the report
take_pings() {
	[ -r "$opt_ping" ] || die "$opt_ping cannot be read"
	[ ! -d "$opt_ping" ] || die "$opt_ping is a directory; give the log of ping -D"
	[ "$nr_hosts" = 1 ] || die "$operand has windows of $nr_hosts hosts; give those of the host with the log"
	[ "$kept_in" = "$tmp" ] || take_files "$kept_in"
	# An earlier run may be one of ping.
	rm -f "$tmp/ping.err"
	cat <"$opt_ping" >"$tmp/pinglog"
}

report_one() {
	report_end=$(data_end)
	case $opt_since$opt_until in
	*[:-]*)
		[ ${#report_end} -gt 8 ] ||
			die "the windows have seconds after boot, and no dates: give a time before the last one, such as --since 10m" ;;
	esac
	kept_report "$opt_format" top="$opt_top" only_cpu="$opt_cpu" \
		only_kind="$opt_kind" only_pid="$opt_pid" data_end="$report_end" since="$opt_since" \
		until="$opt_until" only_min_ns="$opt_min"
}

command_report() {
	[ -z "$opt_list" ] || {
		need_root
		make_tmp
		list_runs
		return
	}
	make_tmp
	[ "$operand" = / ] || operand=${operand%/}
	if [ -n "$opt_run" ]; then
		take_run "$opt_run"
	else
		take_files "${operand:-$P}"
		# Without room, files are cut.
		need_room
	fi
	only=$opt_cpu$opt_kind$opt_comm$opt_pid$opt_cgroup$opt_function$opt_since$opt_until$opt_min
	[ -z "$opt_ping" ] || take_pings
	if [ -n "$opt_run$opt_ping" ] && [ "$opt_format$only" = text ] && [ -e "$kept_in/pinglog" ]; then
		report_pings "$kept_in"
		return
	fi
	[ "$nr_hosts" -gt 1 ] || {
		report_one
		return
	}
	[ "$opt_format" = text ] || if [ -e "$tmp/log-lines" ]; then
		die "--format $opt_format takes one boot of one host, and this log has $nr_hosts with lockups. Try:" \
			"journalctl -k -b -1 | trace-irqoff report - --format $opt_format"
	else
		die "--format $opt_format takes one boot of one host. Try:" \
			"jq -c 'select(.host == \"web-17\")' FILE | trace-irqoff report - --format $opt_format"
	fi
	host=0 status=0
	while [ $((host += 1)) -le "$nr_hosts" ]; do
		kept_in=$tmp/host.$host
		# The names may be forged. Not echo: dash would replace \033.
		printf '== %s, boot %s ==\n' "$(cat "$kept_in/host" 2>/dev/null || echo unknown)" \
			"$(cat "$kept_in/boot_id" 2>/dev/null || cat "$kept_in/boot" 2>/dev/null || echo unknown)" | tr -c '\n -~' '?'
		# In a subshell: it may die.
		host_status=0
		(report_one) || host_status=$?
		# Windows of the next host do not hide an error.
		[ "$status" = "$ERROR" ] || [ "$host_status" = 0 ] || status=$host_status
		echo
	done
	return $status
}

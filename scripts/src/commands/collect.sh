# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff collect: write an archive for an incident ticket, of what the module has or of a run that is kept.

command_collect() {
	make_tmp
	if [ -n "$opt_run" ]; then
		take_run "$opt_run"
		# Its own time and number: archives of several runs may be written in one second.
		collect_time=${kept_in##*/}
	else
		need_loaded
		collect_time=$(date -u +%Y%m%dT%H%M%SZ)
	fi
	if [ -z "$opt_output" ]; then
		read_host
		# Archives of many hosts, taken in the same second, come together in one directory.
		[ -n "$opt_redact" ] || opt_output=$(printf '%s-' "$host_name" | tr -c 'A-Za-z0-9.-' _)
		opt_output=trace-irqoff-$opt_output$collect_time.tar.gz
	fi
	new_file "$opt_output" 077
	if [ -n "$opt_run" ]; then
		new_collection "run-${kept_in##*/}"
		base_seq=$(run_numbers "$kept_in" base_seq)
		collect_kept "$kept_in" "${base_seq#base_seq=}"
	else
		begin_collection
		say "collecting for $(time_text "$opt_duration")"
		wait_seconds "$(whole_seconds "$opt_duration")"
		keep_counters end
		collect_module
		collect_host
	fi
	# Without room, files are cut or missing.
	need_room
	pack_collection "$opt_output"
	printf '%s\n' "$opt_output"
}

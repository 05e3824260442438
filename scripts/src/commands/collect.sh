# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff collect: write an archive for an incident ticket.

command_collect() {
	need_loaded
	make_tmp
	[ -n "$opt_output" ] || opt_output=trace-irqoff-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
	new_file "$opt_output" 077
	begin_collection
	say "collecting for $(time_text "$opt_duration")"
	wait_seconds "$(whole_seconds "$opt_duration")"
	keep_counters end
	collect_module
	collect_host
	pack_collection "$opt_output"
	printf '%s\n' "$opt_output"
}

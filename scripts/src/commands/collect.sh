# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff collect: all that an incident ticket needs, in one archive.

command_collect() {
	need_loaded
	make_tmp
	[ -n "$opt_out" ] || opt_out=trace-irqoff-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
	new_file "$opt_out" 077
	begin_collection
	say "collecting for $opt_seconds s"
	sleep "$opt_seconds"
	end_counters
	collect_module
	collect_host
	pack_collection "$opt_out" report "$collection"
	printf '%s\n' "$opt_out"
}

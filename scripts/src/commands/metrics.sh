# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff metrics: for Prometheus. The metrics themselves are made by the report's awk program.

# Records and counters that tell of the same windows.
keep_records() {
	keep_tries=5
	until cat "$P/status" >"$tmp/status" && cat "$P/records" >"$tmp/records" &&
		[ "$(grep '^windows_' "$P/status")" = "$(grep '^windows_' "$tmp/status")" ] ||
		[ $keep_tries = 0 ]; do
		keep_tries=$((keep_tries - 1))
	done
}

# Without the module there is that to say, and no more.
print_metrics() {
	echo "# HELP trace_irqoff_loaded Whether the module is loaded."
	echo "# TYPE trace_irqoff_loaded gauge"
	if loaded; then
		echo "trace_irqoff_loaded 1"
		need_loaded
		host_cpus >"$tmp/host_cpus"
		cat "$P/histogram" >"$tmp/histogram"
		cat "$P/active" >"$tmp/active"
		keep_records
		# What the hypervisor made is counted on from there.
		[ -z "$opt_out" ] || ! is_input "$opt_out" || cat "$opt_out" >"$tmp/metrics.before"
		report "$tmp" metrics now="$(date +%s)" \
			instance="$(module_instance | grep -x "[0-9]*")" || [ $? = $FOUND_WINDOWS ]
	else
		echo "trace_irqoff_loaded 0"
	fi
}

command_metrics() {
	need_root
	make_tmp
	print_metrics >"$tmp/metrics"
	if [ -z "$opt_out" ]; then
		cat "$tmp/metrics"
		return
	fi
	new_file "$opt_out"
	cat "$tmp/metrics" >"$unfinished" || die "cannot write $opt_out"
	finish_file "$opt_out" 644
}

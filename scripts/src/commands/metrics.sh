# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff metrics: for Prometheus. The metrics themselves are made by the report's awk program.

# Without the module there is that to say, and no more.
print_metrics() {
	echo "# HELP trace_irqoff_loaded Whether the module is loaded."
	echo "# TYPE trace_irqoff_loaded gauge"
	if loaded; then
		echo "trace_irqoff_loaded 1"
		need_loaded
		cat "$P/status" >"$tmp/status"
		cat "$P/histogram" >"$tmp/histogram"
		report "$tmp" metrics
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

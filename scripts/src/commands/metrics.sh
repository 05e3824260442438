# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff metrics: for Prometheus. The metrics themselves are made by the report's awk program.

read_counters() {
	for file in status histogram; do
		cat "$P/$file" >"$tmp/$file" || return 1
	done 2>/dev/null
}

# Without the module there is that to say, and no more. It may go while it is read.
print_metrics() {
	echo "# HELP trace_irqoff_loaded Whether the module is loaded."
	echo "# TYPE trace_irqoff_loaded gauge"
	if read_counters; then
		echo "trace_irqoff_loaded 1"
		report "$tmp" metrics
	elif loaded; then
		need_loaded
		die "its counters cannot be read"
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

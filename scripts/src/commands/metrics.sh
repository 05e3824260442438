# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff metrics: for Prometheus. The metrics themselves are made by the report's awk program.

# Records and counters that tell of the same windows, if that can be had; fails when the module has
# gone meanwhile.
read_counters() {
	read_tries=5
	while [ $read_tries -gt 0 ]; do
		read_tries=$((read_tries - 1))
		read_before=
		! all_windows || read_before=$windows
		snapshot || return 1
		! all_windows || [ "$windows" != "$read_before" ] || return 0
	done
}

# Without the module there is that to say, and no more. It may go while it is read, its files before
# their directory.
print_metrics() {
	echo "# HELP trace_irqoff_loaded Whether the module is loaded."
	echo "# TYPE trace_irqoff_loaded gauge"
	metrics_tries=10
	until read_counters; do
		loaded || {
			echo "trace_irqoff_loaded 0"
			return
		}
		metrics_tries=$((metrics_tries - 1))
		[ $metrics_tries -gt 0 ] || {
			need_loaded
			die "its counters cannot be read"
		}
		wait_a_moment
	done
	echo "trace_irqoff_loaded 1"
	host_cpus >"$tmp/host_cpus"
	# What the hypervisor made is counted on from there.
	[ -z "$opt_out" ] || ! is_input "$opt_out" || cat "$opt_out" >"$tmp/metrics.before"
	module_instance
	report "$tmp" metrics now="$(date +%s)" instance="${instance#none}" || [ $? = $FOUND_WINDOWS ]
}

command_metrics() {
	need_root
	make_tmp
	print_metrics >"$tmp/metrics"
	if [ -z "$opt_out" ]; then
		cat "$tmp/metrics"
		return
	fi
	new_file "$opt_out" 022
	cat "$tmp/metrics" >&5 || die "cannot write $opt_out"
	finish_file "$opt_out"
}

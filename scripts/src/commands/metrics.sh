# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff metrics: print metrics for Prometheus.

# print_loaded VALUE: and what is printed with the module and without it
print_loaded() {
	echo "# HELP trace_irqoff_loaded Whether the module is loaded."
	echo "# TYPE trace_irqoff_loaded gauge"
	echo "trace_irqoff_loaded $1"
	kernel_counts | awk '
		NR == 1 {
			print "# HELP trace_irqoff_kernel_reports_total Lockups and RCU stalls that the kernel reported since boot."
			print "# TYPE trace_irqoff_kernel_reports_total counter"
		}
		{ printf "trace_irqoff_kernel_reports_total{kind=\"%s\"} %s\n", $1, $2 }'
}

print_not_loaded() {
	print_loaded 0
	echo "# HELP trace_irqoff_module_found Whether there is a module for this kernel, while none is loaded."
	echo "# TYPE trace_irqoff_module_found gauge"
	metrics_found=0
	! find_module 2>/dev/null || metrics_found=1
	echo "trace_irqoff_module_found $metrics_found"
}

# print_metrics: the module may be unloaded meanwhile. The kernel may account stolen time after the end
# of its window: if a window counted until then, the counter would fall, which Prometheus takes for a
# restart. So wait until there is no new window.
print_metrics() {
	metrics_tries=10 windows=
	while :; do
		metrics_windows=$windows
		# Without the records, of which no metric is made. -f: the copies are read-only like the originals,
		# and a service is root without CAP_DAC_OVERRIDE.
		if cp -f "$P/histogram" "$P/active" "$P/status" "$tmp" 2>/dev/null && [ -s "$tmp/status" ]; then
			all_windows "$tmp/status" || windows=unknown
			[ "$windows" != "$metrics_windows" ] || break
			[ $metrics_tries -gt 1 ] || break
		else
			loaded || {
				print_not_loaded
				return
			}
			need_room
			[ $metrics_tries -gt 1 ] || {
				need_loaded
				die "the files in $P cannot be read"
			}
		fi
		metrics_tries=$((metrics_tries - 1))
		wait_a_moment
	done
	print_loaded 1
	host_cpus >"$tmp/host_cpus"
	name_host "$tmp"
	report "$tmp" metrics || [ $? = $FOUND_WINDOWS ]
}

command_metrics() {
	need_root
	make_tmp
	# In a subshell: it may die. It does not end after each write that fails.
	(print_metrics) >"$tmp/metrics" || {
		need_room
		exit $ERROR
	}
	need_room
	if [ -z "$opt_output" ]; then
		cat "$tmp/metrics"
		return
	fi
	new_file "$opt_output" 022
	cat "$tmp/metrics" >&5 || die "cannot write $opt_output"
	finish_file "$opt_output"
}

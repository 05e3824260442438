# SPDX-License-Identifier: GPL-2.0
#
# mode=metrics: for Prometheus. A new metric is a call of metric() or single() in print_metrics();
# what it prints of "status" is checked when its key is in is_counter() of parse-tables.awk. Its
# name goes into the numbers of selftests/helper/prometheus.

function metric(name, type, help) {
	print "# HELP trace_irqoff_" name " " help
	print "# TYPE trace_irqoff_" name " " type
}

# A module of another version may not have it.
function single(name, type, help, value) {
	if (value == "")
		return
	metric(name, type, help)
	printf "trace_irqoff_%s %s\n", name, value
}

function print_histogram(kind,	b, sum) {
	sum = 0
	# The last bucket is open.
	for (b = 0; b < 25; b++) {
		sum += in_bucket(kind, b)
		printf "trace_irqoff_latency_seconds_bucket{kind=\"%s\",le=\"%.9g\"} %.0f\n",
		       kind, exp2(b) / 1e6, sum
	}
	printf "trace_irqoff_latency_seconds_bucket{kind=\"%s\",le=\"+Inf\"} %.0f\n",
	       kind, histogram_count[kind]
	printf "trace_irqoff_latency_seconds_sum{kind=\"%s\"} %.6f\n", kind,
	       histogram_sum_us[kind] / 1e6
	printf "trace_irqoff_latency_seconds_count{kind=\"%s\"} %.0f\n", kind, histogram_count[kind]
}

# Windows that are open now and have reached the threshold; the longest one of any length.
function print_open_windows(	i, w, threshold_ns, count, longest_ns) {
	threshold_ns = in_seconds(status_of("threshold")) * 1e9
	for (w = 1; w <= nr_open; w++) {
		count[win_kind[w]] += win_latency_ns[w] >= threshold_ns
		if (win_latency_ns[w] > longest_ns[win_kind[w]] + 0)
			longest_ns[win_kind[w]] = win_latency_ns[w]
	}
	metric("open_windows", "gauge", "Windows of at least the threshold that have not ended.")
	for (i = 1; i <= nr_kinds; i++)
		printf "trace_irqoff_open_windows{kind=\"%s\"} %d\n", kind_name[i], count[kind_name[i]]
	metric("open_window_seconds", "gauge", "How long the longest window that has not ended has lasted, at least.")
	for (i = 1; i <= nr_kinds; i++)
		printf "trace_irqoff_open_window_seconds{kind=\"%s\"} %.6f\n", kind_name[i],
		       longest_ns[kind_name[i]] / 1e9
}

function print_unmonitored_cpus(	i, n, why, count, each) {
	n = split("offline isolated excluded late", why, " ")
	metric("cpus_not_monitored", "gauge", \
	       "CPUs that are not monitored, and why; late: not responding since tracing started.")
	for (i = 1; i <= nr_unmonitored; i++)
		count[unmonitored_why[i]] = split(unmonitored_cpus[i], each, ",")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_cpus_not_monitored{why=\"%s\"} %d\n", why[i], count[why[i]]
}

# A counter of "status" for each kind. With "less", stolen or paused windows are subtracted.
# Subtract the larger counter: a window may be both stolen and paused. Subtracting both could make the
# result fall, which Prometheus takes for a restart.
function print_windows(name, key, scale, format, less, help,	i, value, stolen, paused) {
	metric(name, "counter", help)
	for (i = 1; i <= nr_kinds; i++) {
		value = status_of("windows_" kind_name[i] key)
		# Prometheus would take 0 for a restart.
		if (value == "")
			continue
		if (less) {
			stolen = status_of("windows_" kind_name[i] "_stolen" key) + 0
			paused = status_of("windows_" kind_name[i] "_paused" key) + 0
			value -= stolen > paused ? stolen : paused
		}
		printf "trace_irqoff_%s{kind=\"%s\"} " format "\n", name, kind_name[i], value * scale
	}
}

function print_metrics(	i) {
	print_windows("windows_total", "", 1, "%.0f", 1, \
		      "Windows of at least the threshold, without the stolen or the paused ones, whichever are more.")
	print_windows("window_seconds_total", "_us", 1e-6, "%.6f", 1, "Time in these windows, a lower bound.")
	print_windows("stolen_windows_total", "_stolen", 1, "%.0f", 0, \
		      "Windows of which the hypervisor took at least half.")
	print_windows("stolen_window_seconds_total", "_stolen_us", 1e-6, "%.6f", 0, \
		      "Time in the stolen windows, a lower bound.")
	print_windows("paused_windows_total", "_paused", 1, "%.0f", 0, \
		      "Windows in which NMIs found that the CPU executed nothing.")
	print_windows("paused_window_seconds_total", "_paused_us", 1e-6, "%.6f", 0, \
		      "Time in the paused windows, a lower bound.")
	metric("latency_seconds", "histogram", \
	       "By how much ticks (hardirq), softirqs (softirq) and other tasks (nosched) were late.")
	for (i = 1; i <= nr_kinds; i++)
		print_histogram(kind_name[i])
	print_open_windows()
	print_unmonitored_cpus()
	single("nmi", "gauge", "Whether windows with interrupts off are sampled.", has_samples())
	single("records_overwritten_total", "counter", "Records that were overwritten by newer ones.",
	       status_of("records_overwritten"))
	single("records_lost_total", "counter", "Windows that left no record.",
	       status_of("records_lost"))
	single("enabled", "gauge", "Whether the module traces.", status_of("enabled"))
	single("threshold_seconds", "gauge", "Windows of at least this length are recorded.",
	       in_seconds(status_of("threshold")))
	single("sampling_period_seconds", "gauge", "The sampling period.",
	       in_seconds(status_of("sampling_period")))
	metric("build_info", "gauge", "Versions of the module and of the kernel.")
	printf "trace_irqoff_build_info{version=%s,kernel=%s} 1\n",
	       quoted(status_of("version")), quoted(release)
}

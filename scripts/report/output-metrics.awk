# SPDX-License-Identifier: GPL-2.0
#
# mode=metrics: for Prometheus. A new metric is a call of metric() or single() in print_metrics().

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

function print_metrics(	n, kinds, i) {
	n = split("hardirq softirq", kinds, " ")
	metric("windows_total", "counter", "Windows of the threshold and longer.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_windows_total{kind=\"%s\"} %.0f\n", kinds[i],
		       status_of("windows_" kinds[i]) + 0
	metric("window_seconds_total", "counter", "How long these windows lasted, at least.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_window_seconds_total{kind=\"%s\"} %.6f\n", kinds[i],
		       (status_of("windows_" kinds[i] "_us") + 0) / 1e6
	metric("latency_seconds", "histogram", \
	       "By how much ticks were late (hardirq), and softirqs behind them (softirq).")
	for (i = 1; i <= n; i++)
		print_histogram(kinds[i])
	single("records_overwritten_total", "counter", "Windows that made room for newer ones.",
	       status_of("records_overwritten"))
	single("records_lost_total", "counter", "Windows that no record was made of.",
	       status_of("records_lost"))
	single("parked_unseen_total", "counter", \
	       "How often an idle CPU took as long as the threshold to wake, unseen.",
	       status_of("parked_unseen"))
	single("enabled", "gauge", "Whether it traces.", status_of("enabled"))
	single("threshold_seconds", "gauge", "Windows of this length are recorded.",
	       in_seconds(status_of("threshold")))
	single("sampling_period_seconds", "gauge", "Shorter windows may go unseen.",
	       in_seconds(status_of("sampling_period")))
	metric("build_info", "gauge", "Versions of the module and of the kernel.")
	printf "trace_irqoff_build_info{version=%s,kernel=%s} 1\n",
	       quoted(status_of("version")), quoted(release)
}

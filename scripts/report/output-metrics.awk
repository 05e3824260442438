# SPDX-License-Identifier: GPL-2.0
#
# mode=metrics: for Prometheus. A new metric is a call of metric() or single() in print_metrics();
# what it prints of "status" is checked when its key is in is_counter() of parse-tables.awk. Its name
# goes into man/commands.8, and into the numbers of selftests/helper/prometheus.

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
function print_open_windows(n, kinds,	i, w, threshold_ns, count, longest_ns) {
	threshold_ns = in_seconds(status_of("threshold")) * 1e9
	for (i = 1; i <= n; i++)
		count[kinds[i]] = longest_ns[kinds[i]] = 0
	for (w = 1; w <= nr_open; w++) {
		if (win_latency_ns[w] + 0 >= threshold_ns)
			count[win_kind[w]]++
		if (win_latency_ns[w] + 0 > longest_ns[win_kind[w]])
			longest_ns[win_kind[w]] = win_latency_ns[w] + 0
	}
	metric("open_windows", "gauge", "Windows of the threshold and longer that have not ended.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_open_windows{kind=\"%s\"} %d\n", kinds[i], count[kinds[i]]
	metric("open_window_seconds", "gauge", "How long the longest window that has not ended lasts by now, at least.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_open_window_seconds{kind=\"%s\"} %.6f\n", kinds[i],
		       longest_ns[kinds[i]] / 1e9
}

function print_unwatched_cpus(	i, n, why, count, each) {
	n = split("offline isolated excluded late", why, " ")
	metric("cpus_not_watched", "gauge", "CPUs that are not watched, and why; late: told to begin, and takes no interrupts.")
	for (i = 1; i <= n; i++)
		count[why[i]] = 0
	for (i = 1; i <= nr_unwatched; i++)
		count[unwatched_why[i]] = split(unwatched_cpus[i], each, ",")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_cpus_not_watched{why=\"%s\"} %d\n", why[i], count[why[i]]
}

function print_metrics(	n, kinds, i) {
	n = split("hardirq softirq", kinds, " ")
	count_stolen()
	metric("windows_total", "counter", "Windows of the threshold and longer.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_windows_total{kind=\"%s\"} %.0f\n", kinds[i],
		       ours(status_of("windows_" kinds[i]), stolen_windows[kinds[i]],
			    unsettled_windows[kinds[i]])
	metric("window_seconds_total", "counter", "How long these windows lasted, at least.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_window_seconds_total{kind=\"%s\"} %.6f\n", kinds[i],
		       ours(status_of("windows_" kinds[i] "_us") * 1e3, stolen_ns[kinds[i]],
			    unsettled_ns[kinds[i]]) / 1e9
	metric("stolen_windows_total", "counter", "Windows that the hypervisor made; they are in no other counter.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_stolen_windows_total{kind=\"%s\"} %.0f\n", kinds[i],
		       stolen_windows[kinds[i]]
	metric("stolen_window_seconds_total", "counter", "How long these lasted.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_stolen_window_seconds_total{kind=\"%s\"} %.9f\n", kinds[i],
		       stolen_ns[kinds[i]] / 1e9
	single("module_instance", "gauge", "Another number means that the module was loaded anew.", \
	       instance)
	single("stolen_seq", "gauge", "The newest record that was looked at for that.", stolen_seq)
	metric("latency_seconds", "histogram", \
	       "By how much ticks were late (hardirq), and softirqs behind them (softirq).")
	for (i = 1; i <= n; i++)
		print_histogram(kinds[i])
	print_open_windows(n, kinds)
	print_unwatched_cpus()
	if ("nmi" in status)
		single("nmi", "gauge", "Whether there are looks into windows with interrupts off.",
		       has_looks())
	single("records_overwritten_total", "counter", "Windows that made room for newer ones.",
	       status_of("records_overwritten"))
	single("records_lost_total", "counter", "Windows that no record was made of.",
	       status_of("records_lost"))
	single("windows_unsampled_total", "counter", \
	       "Windows on idle CPUs that left no sample and no record.",
	       status_of("windows_unsampled"))
	single("enabled", "gauge", "Whether it traces.", status_of("enabled"))
	single("threshold_seconds", "gauge", "Windows of this length are recorded.",
	       in_seconds(status_of("threshold")))
	single("sampling_period_seconds", "gauge", "Shorter windows may go unseen.",
	       in_seconds(status_of("sampling_period")))
	metric("build_info", "gauge", "Versions of the module and of the kernel.")
	printf "trace_irqoff_build_info{version=%s,kernel=%s} 1\n",
	       quoted(status_of("version")), quoted(release)
}

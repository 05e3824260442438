# SPDX-License-Identifier: GPL-2.0
#
# A host has 80,000 IPVS services. Every two seconds estimation_timer() walks all of them in the
# TIMER softirq.
# Source: moby/libnetwork and kube-proxy reports of "estimation_timer". Up to 6.1; 6.2
# moved the estimators into kthreads.
#
# releases: 11 12

setup() {
	modprobe ip_vs || return
	awk 'BEGIN {
		for (i = 0; i < 80000; i++)
			printf "-A -t 10.%d.%d.%d:80 -s rr\n", int(i / 65536), int(i / 256) % 256, i % 256
	}' | ipvsadm -R
}

incident() {
	sleep 10
}

truth() {
	first_line "estimation_timer|ip_vs_read_estimator" "softirq handler" softirqs
	innocent call_timer_fn run_timer_softirq expire_timers __run_timers
	rows_at_most 2
}

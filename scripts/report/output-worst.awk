# SPDX-License-Identifier: GPL-2.0
#
# mode=worst: the longest window in a few words, for the line that a run prints meanwhile.

function print_worst() {
	if (worst_w)
		printf "%d ms %s on CPU %s\n", win_latency_ns[worst_w] / 1e6,
		       win_kind[worst_w], win_cpu[worst_w]
	else
		print ""
}

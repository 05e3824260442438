# SPDX-License-Identifier: GPL-2.0
#
# mode=folded: input of flame graph tools, in microseconds. Each sample stands for the time around
# it. The stack at the end stands for a window that has no sample.

function add_folded(folded, stack, us) {
	folded[stack] = (stack in folded ? folded[stack] : 0) + us
}

function print_folded(	w, i, n, us, root, offset_ns, sample, by, folded, stack) {
	for (w = 1; w <= nr_rows; w++) {
		# No task of this machine took the time, or the task is unknown.
		if (without_name(w) != "") {
			add_folded(folded, without_name(w) == "unsampled" ? win_kind[w] ";[unsampled]" : \
				without_name(w) ";hypervisor", win_latency_ns[w] / 1000)
			continue
		}
		# A name with a semicolon is not two frames.
		root = win_kind[w] ";" replaced(task_comm[win_task[w]], ";", "\\x3b")
		n = samples_of(w, offset_ns, sample, by)
		if (!n && !win_open[w])
			add_folded(folded, root ";" stack_text[win_stack[w]], win_latency_ns[w] / 1000)
		for (i = 1; i <= n; i++) {
			us = sample_span_ns(i, n, offset_ns, win_latency_ns[w]) / 1000
			if (us > 0)
				add_folded(folded, root ";" stack_text[sample[i]], us)
		}
	}
	for (stack in folded)
		printf "%s %.0f\n", stack, folded[stack]
}

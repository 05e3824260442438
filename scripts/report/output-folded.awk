# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=folded: input of flame graph tools, in microseconds. Each sample stands for the time around it.
# The stack at the end stands for a window that has no sample.
#
# Owns: folded_stack[1] ... folded_stack[nr_folded], folded_us[stack]

BEGIN { nr_folded = 0 }

function add_folded(stack, us) {
	if (!(stack in folded_us))
		folded_stack[++nr_folded] = stack
	folded_us[stack] += us
}

# A name with a semicolon is not two frames.
function folded_root(w, t) {
	return win_kind[w] ";" replaced(task_comm[t], ";", "\\x3b") ";"
}

function print_folded(	w, i, n, us, offset_ns, sample, by) {
	for (w = 1; w <= nr_rows; w++) {
		if (w in win_unwanted)
			continue
		# No task of this machine took the time, or the task is unknown.
		if (without_name(w) != "") {
			add_folded(without_name(w) == "unsampled" ? win_kind[w] ";[unsampled]" : \
				without_name(w) (without_name(w) == "stolen" ? ";hypervisor" : ""), win_latency_ns[w] / 1000)
			continue
		}
		n = samples_of(w, offset_ns, sample, by)
		if (!n && !is_open(w))
			add_folded(folded_root(w, win_task[w]) stack_text[win_stack[w]], win_latency_ns[w] / 1000)
		for (i = 1; i <= n; i++) {
			us = sample_span_ns(i, n, offset_ns, win_latency_ns[w]) / 1000
			if (us > 0)
				add_folded(folded_root(w, by[i]) stack_text[sample[i]], us)
		}
	}
	for (i = 1; i <= nr_folded; i++)
		printf "%s %.0f\n", folded_stack[i], folded_us[folded_stack[i]]
}

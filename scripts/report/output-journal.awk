# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=journal: an entry of systemd's journal for each window, as "logger --journald" takes it: a field
# a line, and an empty line behind each entry.

function print_entry(w,	t, why) {
	t = win_task[w]
	why = own_reason(w)
	print "MESSAGE=CPU " win_cpu[w] ", " held_in(w) " for " lasted(w) ": " own_culprit_in(w)
	print "MESSAGE_ID=1f0a3c1d8a6b4d4c9c0f6f6c2a5e7b90"
	print "PRIORITY=4"
	print "SYSLOG_IDENTIFIER=trace-irqoff"
	print "IRQOFF_SEQ=" win_seq[w]
	print "IRQOFF_KIND=" win_kind[w]
	print "IRQOFF_CPU=" win_cpu[w]
	print "IRQOFF_LATENCY_NS=" whole_number(win_latency_ns[w])
	print "IRQOFF_END=" clock(win_end[w])
	print (why == "" ? "IRQOFF_FUNCTION=" own_function(w) : "IRQOFF_REASON=" why)
	if (task_comm[t] != "-") {
		print "IRQOFF_COMM=" task_comm[t]
		print "IRQOFF_PID=" task_pid[t]
	}
	if (task_cgroup[t] in cgroup_path && cgroup_path[task_cgroup[t]] != "")
		print "IRQOFF_CGROUP=" cgroup_path[task_cgroup[t]]
	print ""
}

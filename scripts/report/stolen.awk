# SPDX-License-Identifier: GPL-2.0
#
# Windows that the hypervisor made: for half of the time or more it did not run the CPU. The
# module counts all windows alike, so for the metrics these are counted from its records, of
# which there are not all any more: each call goes on from where the one before stopped, which
# is in the file "metrics.before" that it wrote.
#
#	trace_irqoff_stolen_windows_total{kind="hardirq"} 3
#	trace_irqoff_stolen_seq 17
#	trace_irqoff_module_instance 4711
#
# Owns, by kind:
#	stolen_windows[], stolen_ns[]		from the first call on; stolen_seq: up to this record
#	unsettled_windows[], unsettled_ns[]	of which that cannot be said yet
#	instance_before		of the module that the file is about

BEGIN {
	stolen_seq = 0
	instance_before = ""
	forget_stolen()
}

function forget_stolen(	i) {
	for (i = 1; i <= nr_kinds; i++)
		stolen_windows[kinds[i]] = stolen_ns[kinds[i]] = unsettled_windows[kinds[i]] = \
			unsettled_ns[kinds[i]] = 0
}

function parse_metrics_before(line,	word, kind) {
	if (split(line, word, " ") != 2 || word[2] !~ /^[0-9]+([.][0-9]+)?$/ || is_too_long(word[2]))
		return 1
	kind = word[1] ~ /"softirq"/ ? "softirq" : word[1] ~ /"nosched"/ ? "nosched" : "hardirq"
	if (word[1] ~ /^trace_irqoff_stolen_windows_total\{/)
		stolen_windows[kind] = word[2] + 0
	else if (word[1] ~ /^trace_irqoff_stolen_window_seconds_total\{/)
		stolen_ns[kind] = word[2] * 1e9
	else if (word[1] == "trace_irqoff_module_instance")
		instance_before = word[2]
	else if (word[1] == "trace_irqoff_stolen_seq")
		stolen_seq = word[2] + 0
	return 1
}

# Whether there were more of them than the module has had: it has been loaded anew since.
function had_more_stolen(	i) {
	for (i = 1; i <= nr_kinds; i++)
		if (status_of("windows_" kinds[i]) + 0 < stolen_windows[kinds[i]])
			return 1
	return 0
}

# END. "now" is when the records were read: what was stolen is known a tick after the window.
function count_stolen(	w, kind, unsettled) {
	if (instance_before != "" && instance_before != instance || had_more_stolen()) {
		stolen_seq = 0
		forget_stolen()
	}
	unsettled = 0
	for (w = nr_open + 1; w <= nr_rows; w++) {
		if (win_seq[w] + 0 <= stolen_seq)
			continue
		kind = win_kind[w]
		# Those behind it have to wait, as they are numbered.
		if (unsettled || now != "" && win_end[w] + 0 > now - 1 && win_end[w] + 0 < now + 60) {
			unsettled = 1
			unsettled_windows[kind]++
			unsettled_ns[kind] += win_latency_ns[w]
			continue
		}
		stolen_seq = win_seq[w] + 0
		if (is_stolen(w)) {
			stolen_windows[kind]++
			stolen_ns[kind] += win_latency_ns[w]
		}
	}
}

# What is left of a counter of the module without these. Never less than nothing, should records
# have been written between two reads.
function ours(all, stolen, unsettled) {
	return all - stolen - unsettled > 0 ? all - stolen - unsettled : 0
}

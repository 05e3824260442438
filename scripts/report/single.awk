# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The culprit of a single window, in words, as far as it is known without other windows; and the words for
# windows without one.

BEGIN {
	nobody_text["paused"] = "(hypervisor, firmware or a device: the CPU or its timer did not run)"
	nobody_text["unsampled"] = "(an interrupt handler or softirqs on an idle CPU, not sampled)"
	nobody_text["undumped"] = "(the log has no backtrace of this CPU)"
	nobody_text["not-run"] = "(idle, in user space or switching: perhaps the hypervisor or a real-time task)"
	nobody_text["unknown"] = "(no sample: perhaps the hypervisor stopped the machine)"
	nobody_text["stopped"] = "(the hypervisor or firmware stopped this machine)"
	nobody_text["stolen"] = "(the hypervisor did not run this CPU)"
	nobody_text["handler"] = "(an interrupt handler or the hypervisor, not sampled)"
	nobody_text["crowd"] = "(one task after the other, while ksoftirqd waited)"
	nobody_text["entry_code"] = "(nothing but entry code was seen)"
	nobody_text["lock"] = "(waited for a lock; its holder is not known)"
	nobody_text["cpus"] = "(waited for another CPU, which is not recorded)"
	nobody_text["switch"] = "(a task that had just left the CPU, not sampled)"
	nobody_text["shared"] = "(ksoftirqd shared the CPU with other tasks)"
	nobody_text["self"] = "(a reader of this module's files)"
}

function lock_of(w) {
	return w in win_lock ? win_lock[w] : ""
}

# What a row says of window w, which has no culprit.
function without_culprit(w, why) {
	return why == "lock" && lock_of(w) != "" ? "(waited for the lock " lock_of(w) "; its holder is not known)" : nobody_text[why]
}

# Why window w alone names no function; or "".
function own_reason(w,	part, why) {
	if (split(win_paths[w], part, " ") && without_name(w) == "" && !path_impossible[part[1]] && waits_for(part, 1) == "lock")
		return "lock"
	why = why_unnamed(w)
	return why == "cpus" ? "" : reason(why)
}

function own_function(w,	p, n, frame, part) {
	split(win_paths[w], part, " ")
	p = part[1]
	n = split(path_frames[p], frame, ";")
	n = part[6] + 0 ? part[6] + 0 : part[2] > 0 ? part[2] : path_work[p] ? path_work[p] : path_weak[p] ? path_weak[p] : n
	return frame[n] != "-" ? frame[n] : "[unknown]"
}

# The task at the end of window w, with the cgroup that it was in for most of the time.
function window_task(w,	part, t) {
	split(win_paths[w], part, " ")
	t = part[4] + 0 && task_pid[part[4] + 0] == task_pid[win_task[w]] ? part[4] + 0 : win_task[w]
	return task(t) in_place(task_cgroup[t])
}

# What follows the culprit of window w: who ran, as in ", in task sh (PID 7)".
function run_by(w,	part) {
	split(win_paths[w], part, " ")
	return path_impossible[part[1]] || without_name(w) != "" ? "" : ", in " within(path_context[part[1]], task(part[4]))
}

function own_culprit_in(w,	why, part) {
	split(win_paths[w], part, " ")
	why = own_reason(w)
	return (why == "lock" ? "waits for " (lock_of(w) == "" ? "a lock" : "the lock " lock_of(w)) " in " own_function(w) : \
		why != "" ? nobody_text[why] : \
		(waits_for(part, 1) == "cpus" ? "waits for other CPUs in " : "") own_function(w)) run_by(w)
}

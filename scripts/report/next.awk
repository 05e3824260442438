# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The row "next": what to do now.

# About a culprit that has a function.
function next_of(c,	i, helps, is_older) {
	i = has_fix(c) ? 0 : cause_of(c)
	helps = i ? cause[i, "helps"] : ""
	if (helps != "" && !sub(/^~ */, "try: ", helps))
		helps = "this helped others: " helps
	is_older = i && !is_maybe[c] && cause[i, "fixed"] cause[i, "commit"] != ""
	if (helps != "" || is_older)
		return (is_older ? "update the kernel" (helps == "" ? "" : "; until then, ") : "") helps
	if (is_alone(c))
		return next_step("cpus")
	if (!is_sure(c) && from_log)
		return "trace this host if it goes on (trace-irqoff on): a log has few samples"
	if (!is_sure(c) && has_samples() && next_step("switch") != "")
		return next_step("switch")
	return next_for(c_function[c], c_context[c], c_pids[c] == 1 ? c_task[c] : 0)
}

# About a function that a task or a handler runs; t: the task, 0: there are several.
function next_for(name, context, t,	module) {
	if (name == "[user]")
		return "look at the priority of " (t ? "task " with_pid(t) ": chrt -p " task_pid[t] : "these tasks (chrt -p)")
	module = module_of(name)
	return (context == "task" ? "if you can, stop " (t ? "task " with_pid(t) : "these tasks") "; " : \
		context ~ /^(softirq|interrupt)$/ ? next_step("handler") "; " : "") \
		"send this report to the vendor of the kernel" (module == "" ? "" : " or of the module " substr(module, 2, length(module) - 2))
}

# What to do about windows without a function.
function next_step(why) {
	if (why == "cpus" && from_log)
		why = "undumped"
	return why == "lock" ? lower_threshold() "\"perf lock contention -ab sleep 10\" shows who takes the lock now" : \
		why == "cpus" ? (nr_unmonitored ? "trace all CPUs" : "trace again with a lower threshold (-t): the window of the CPU " \
			"that did not answer may be shorter than " status_of("threshold")) : \
		why == "stolen" ? "ask the operator of the hypervisor why it took the CPU; \"vmstat 1\" shows stolen time now (st)" : \
		why ~ /^(stopped|paused|unknown|not-run)$/ ? "ask the operator of the hypervisor what it did then; on bare metal, look for SMIs and devices that do not answer" : \
		why ~ /^(handler|unsampled)$/ ? "\"trace-irqoff handlers\" shows which handlers take long now" : \
		why ~ /^(crowd|shared)$/ ? "\"top -d 1\" shows the tasks that share these CPUs with ksoftirqd; \"trace-irqoff handlers\" shows which softirqs take long" : \
		why ~ /^(switch|entry_code)$/ ? (has_short_period() ? "" : "trace again with a shorter sampling period (-p 1ms): more samples") : \
		why == "undumped" ? "set kernel.softlockup_all_cpu_backtrace=1 and kernel.hardlockup_all_cpu_backtrace=1: the log then has a backtrace of each CPU" : ""
}

function has_short_period(	s) {
	s = in_seconds(status_of("sampling_period")) + 0
	return s && s <= 0.001
}

# About open window w; 0: a CPU that has not responded since tracing started.
function next_if_open(w,	c, part, t) {
	if (w && without_name(w) ~ /^(paused|stolen)$/)
		return next_step(without_name(w))
	c = w && own_reason(w) == "" && (SUBSEP own_function(w)) in culprit_index ? culprit_index[SUBSEP own_function(w)] : 0
	if (c && cause_of(c) && !has_fix(c))
		return next_of(c)
	# Below a handler, the task is innocent.
	split(w ? win_paths[w] : "", part, " ")
	t = w && win_kind[w] != "hardirq" && part[1] != "" && path_context[part[1]] == "task" && task_pid[win_task[w]] ? win_task[w] : 0
	if (t && own_function(w) == "[user]")
		return next_for("[user]", "task", t)
	return (t ? "if you can, stop task " with_pid(t) "; " : "") \
		"look again in ten seconds (trace-irqoff report): if nothing moves, make a crash dump (kdump) and reboot"
}

# If no window has ended, and none is open.
function next_if_nothing() {
	return nr_open + nr_late + nr_filtered + missing_windows() ? "" : \
		!("threshold" in status) ? (nr_log_facts || log_first != "" ? "trace this host (trace-irqoff on): windows of less than some seconds are in no log" : "") : \
		busiest_share >= INTERRUPTS_SHARE ? next_step("handler") : in_seconds(status_of("threshold")) <= 0.01 ? "" : \
		"if something still waits, trace with a lower threshold (-t 10ms) while it does"
}

# The holder's own windows may be too short to be recorded.
function lower_threshold() {
	return in_seconds(status_of("threshold")) <= 0.01 ? "" : \
		"trace again with -t 10ms: the holder's windows may be shorter than " status_of("threshold") "; "
}

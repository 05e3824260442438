# SPDX-License-Identifier: GPL-2.0
#
# Who is the culprit? What the samples of a window have in common, from the outermost frame on,
# ends in the function that took the time, or in something that it called each time. Where that
# much is common to all work, as the entry of a system call is, the sample that stands for the
# longest time decides. Helpers, which everybody calls, are cut off the inner end. Without
# samples there is only the stack at the end of the window.
#
# culprit_of() is a function of stacks alone, tested by selftests/helper/culprits.examples. Its
# tables of frames, common_frames, helper_frames, softirq_frames and interrupt_frames, are made
# of the file "frames".
#
# Owns:
#	plain_name[frame], known_common[frame], known_helper[frame], known_frame_context[frame]
#		as each frame is matched only once
#	win_culprit[w], win_callers[w] ("inner < outer"), win_context[w] (task, softirq,
#	interrupt; empty: nobody here)		columns of the table of windows
#	known_stacks[stacks], an index of nr_known, into known_culprit[i], known_callers[i],
#	known_context[i]	as the same stacks have the same culprit

BEGIN {
	nr_known = 0
}

# Without what the compiler made of the name, and without the module.
function plain(frame,	name) {
	if (!(frame in plain_name)) {
		name = frame
		sub(/\[[^]]*\]$/, "", name)
		if (name == "")
			name = frame
		sub(/\.(isra|constprop|part|cold|llvm).*$/, "", name)
		plain_name[frame] = name
	}
	return plain_name[frame]
}

function is_common(frame) {
	if (!(frame in known_common))
		known_common[frame] = plain(frame) ~ common_frames
	return known_common[frame]
}

function is_helper(frame) {
	if (!(frame in known_helper))
		known_helper[frame] = plain(frame) ~ helper_frames
	return known_helper[frame]
}

# The innermost of frame[1] to frame[n] that may be the culprit. 0: only common ones are left.
function innermost_work(frame, n) {
	while (n > 0 && is_helper(frame[n]))
		n--
	return n > 0 && !is_common(frame[n]) ? n : 0
}

# What it proves of the frames that it calls.
function frame_context(frame) {
	if (!(frame in known_frame_context))
		known_frame_context[frame] = plain(frame) ~ softirq_frames ? "softirq" : \
			plain(frame) ~ interrupt_frames ? "interrupt" : ""
	return known_frame_context[frame]
}

function context_of(frame, n, kind, state) {
	if (kind == "softirq" && state == "serving")
		return "softirq"
	for (; n > 0; n--)
		if (frame_context(frame[n]) != "")
			return known_frame_context[frame[n]]
	return "task"
}

# The name of the culprit of n samples, or of none and the stack at the end. Sets
# more["callers"], more["context"], and more["by_time"] when the offsets have decided.
function culprit_of(kind, state, n, offset_ns, sample, latency_ns, end_stack, more, \
		i, j, depth, common, longest, best, first, frame, name, callers) {
	best = longest = more["by_time"] = 0
	for (i = 1; i <= n; i++) {
		# A stack that could not be walked, or has nothing but entry code.
		depth = split(sample[i], frame, ";")
		if (!innermost_work(frame, depth))
			continue
		if (!longest)
			common = split(sample[i], first, ";")
		j = 1
		while (j <= common && j <= depth && first[j] == frame[j])
			j++
		common = j - 1
		if (!longest || sample_span_ns(i, n, offset_ns, latency_ns) > \
		    sample_span_ns(longest, n, offset_ns, latency_ns))
			longest = i
	}
	if (longest) {
		j = split(sample[longest], frame, ";")
		best = innermost_work(frame, common)
		if (!best) {
			more["by_time"] = 1
			best = innermost_work(frame, j)
		}
	} else if (n)
		best = split(sample[n], frame, ";")
	else {
		j = split(end_stack, frame, ";")
		best = innermost_work(frame, j)
		if (!best)
			best = j
	}

	callers = ""
	for (i = best - 1; i > 0; i--)
		callers = callers (callers == "" ? "" : " < ") frame[i]
	more["callers"] = callers
	more["context"] = context_of(frame, best, kind, state)
	name = best && frame[best] != "-" ? frame[best] : "[unknown]"
	# Nobody keeps interrupts off in user space, nor does an idle CPU.
	if (kind == "hardirq" && n && !longest && more["context"] == "task" && \
	    (name == "[user]" || callers ~ /(^| )do_idle( |$)/))
		name = "(unknown, seen in " (name == "[user]" ? "user space" : name) ")"
	return name
}

# Whether the hypervisor made it: for half of the time or more it did not run the CPU.
function is_stolen(w) {
	# Both are text.
	return win_steal_ns[w] * 2 >= win_latency_ns[w] + 0
}

# The culprit of row w of the table.
function attribute(w,	n, i, offset_ns, sample, key, more) {
	if (!win_open[w] && is_stolen(w)) {
		win_culprit[w] = "(the hypervisor did not run this CPU)"
		win_callers[w] = win_context[w] = ""
		return
	}
	if (!win_nr_samples[w] && win_open[w]) {
		win_culprit[w] = "nobody could look"
		win_callers[w] = win_context[w] = ""
		return
	}
	key = win_kind[w] " " win_state[w] (win_open[w] ? win_samples[w] : \
		win_nr_samples[w] ? win_stacks[w] : " " win_stack[w])
	if (!(key in known_stacks)) {
		n = samples_of(w, offset_ns, sample)
		i = ++nr_known
		known_culprit[i] = culprit_of(win_kind[w], win_state[w], n, offset_ns, sample,
			win_latency_ns[w], win_stack[w], more)
		known_callers[i] = more["callers"]
		known_context[i] = more["context"]
		# The same stacks at other times may stand for something else.
		if (!more["by_time"])
			known_stacks[key] = i
	} else
		i = known_stacks[key]
	win_culprit[w] = known_culprit[i]
	win_callers[w] = known_callers[i]
	win_context[w] = known_context[i]
}

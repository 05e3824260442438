# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The backtraces in a kernel log, which log.awk reads, as windows with samples.
#
# A backtrace after a watchdog's report is a dump. A dump of a CPU that the watchdog names is a sample. Dumps of
# other CPUs are samples only if a named CPU waits for another CPU. A dump of the idle loop, of user space or of
# a task that has just got the CPU shows no function that kept the CPU.
#
# Owns:
#	kept[n]			the complete dumps of this stall
#	dump_cpu[who], dump_...[who]	the incomplete dump of who, printk's caller
#	dump_begun[who]		0: only its header was read. 1: its body has begun. 2: so has its call trace
#	is_mixed[who]		its lines may be of another CPU
#	is_other[who]		it may be of a task that does not run
#	frame[who, i]		its frames, innermost first: "name"; "=name" from a register; ">" ends an interrupt's stack
#	open_...[cpu]		the window that the next stall of this CPU may extend

BEGIN {
	MAX_FRAMES = 60		# the report reads 64
	MAX_SAMPLES = 8
	MAX_DUMPS = 4096	# of one stall
	SAME_S = 75		# a stall that goes on is reported at least this often
	# Functions of the interrupt or NMI that prints a dump, and of the preemption of a task.
	printing = "^(dump_stack(_lvl)?|_*show_(stack|regs|trace)(_.*)?|(dump|unwind)_backtrace|walk_stackframe|" \
		"(arch_|nmi_)*trigger_.*backtrace|(nmi|ipi)_cpu_backtrace.*|rcu_dump_cpu_stacks|dump_cpu_task|_?sched_show_task|" \
		"_*print_(other_)?cpu_stall|check_cpu_stall|rcu_(check_callbacks|sched_clock_irq|check_gp_kthread.*|exp_handler)|" \
		"watchdog_(timer_fn|overflow_callback|hardlockup_.*)|v?panic|perf_event_nmi_handler|(default_)?do_nmi|nmi_handle|" \
		"preempt_schedule_irq)$"
	entering = "^(asm_(sys|common|call|exc_nmi).*|sysvec_.*|(smp_)?(trace_)?(apic_timer|reschedule|call_function.*)_interrupt.*|" \
		"((common|ret_from|retint)_int|retint_ker).*|do_IRQ|nmi|end_repeat_nmi|exc_nmi|(__)?el1h?_(64_)?(irq|fiq|interrupt).*|__irq_svc|" \
		"irqentry_exit|timer_interrupt|(decrementer|hardware_interrupt|performance_monitor)_common.*)$"
	softirq = "^((____|__)?do_softirq|handle_softirqs)$"
	waiting = "^(_raw_(spin|read|write)_lock.*|native_queued_.*|queued_.*|(kvm_wait|__pv_.*)|do_raw_.*_lock|smp_call_function.*|" \
		"on_each_cpu.*|(__)?csd_lock_wait.*|(native_)?flush_tlb_.*)$"
	idling = "^(default_idle.*|(native_|pv_native_|acpi_|arch_)?(safe_)?halt|mwait_idle.*|(acpi|intel|amd|poll|cpu_do|arch_cpu)_.*idle.*|" \
		"poll_idle|xen_(hypercall_sched_op|safe_halt)|psci_.*|cpuidle_.*|do_idle)$"
	nr_kept = nr_stalls = is_reader = 0
}

function read_stall(text,	name, rest, n) {
	if (text ~ /^(NMI backtrace for cpu|Task dump for CPU) [0-9]/) {
		begin_dump(number_after(text, "(cpu|CPU) "))
		if (text ~ /skipped: idling/) {
			dump_task[who] = "0 -"
			frame[who, ++nr_frames[who]] = "do_idle"
		}
	} else if (match(text, /^CPU: [0-9]+ (UID: [0-9]+ )?PID: [0-9]+ Comm: /)) {
		rest = substr(text, RLENGTH + 1)
		# CPUs that print at the same time: the registers may come first.
		if (!(who in dump_cpu) || dump_task[who] != "" || nr_frames[who] && dump_cpu[who] != number_after(text, "CPU: ")) {
			n = who in dump_cpu && !dump_begun[who] && dump_cpu[who] != number_after(text, "CPU: ")
			begin_dump(number_after(text, "CPU: "))
			if (n)
				mix()
		}
		set_release(text)
		sub(/ (Kdump: loaded|Not tainted|Tainted: ).*/, "", rest)
		dump_task[who] = number_after(text, "PID: ") " " word_of(rest)
	} else if (match(text, / +R[ 0-9]* *running task| +state:R /)) {
		# "name  R  running task  STACK PID PPID", "task:name  state:R ... pid:PID"
		name = substr(text, 1, RSTART - 1)
		rest = substr(text, RSTART + RLENGTH)
		sub(/^task:/, "", name)
		# A preempted reader of RCU has no CPU. A reader that runs prints its own backtrace.
		n = is_reader && !(who in dump_cpu)
		if (!(who in dump_cpu) || nr_frames[who])
			begin_dump(text ~ /on cpu +[0-9]/ ? number_after(text, "on cpu +") : detected_by)
		is_other[who] = n
		sub(/^ *on cpu +[0-9]+/, "", rest)
		dump_task[who] = (rest ~ / pid:/ ? number_after(rest, " pid: *") : number_after(rest, "^ *[0-9]+ +") + 0) " " word_of(name)
		# The thread of RCU waits for others.
		if (name ~ /^rcu_/)
			delete dump_cpu[who]
	} else if (text ~ /^(task:[^ ]|INFO: |Sending NMI|Last Breaking-Event-Address)| state:[A-Z] |kthread (stack dump:|starved)/) {
		end_dump()
		lone_cpu = ""
	} else if (text ~ /^(rcu:)?[ \t]*[0-9]+(-[.oO!?NdD0-9]*)?: \([0-9]/) {
		sub(/^(rcu:)?[ \t]*/, "", text)
		stall_cpu[text + 0] = 1
	} else if (text ~ /Tasks blocked on level-[0-9]/)
		is_reader = 1
	else if (text ~ /\(detected by [0-9]/)
		detected_by = number_after(text, "detected by ")
	else {
		# People leave out the line that names the CPU.
		if (lone_cpu != "" && !nr_kept && !(who in dump_cpu) && text ~ /^(E?R?IP: |pc : |PC is at |NIP \[|Call [Tt]race)/)
			begin_dump(lone_cpu)
		if (who in dump_cpu)
			read_frame(text)
	}
}

function begin_dump(cpu) {
	end_dump()
	dump_cpu[who] = cpu == "" ? 0 : cpu
	dump_task[who] = dump_irqs[who] = ""
	nr_frames[who] = dump_begun[who] = is_mixed[who] = is_other[who] = 0
	active_s = now_s
}

# CPUs print at the same time, without printk's caller: nothing says which line is of which CPU.
function mix() {
	is_mixed[who] = 1
	add_fact("also", "CPU " dump_cpu[who] " and others print at the same time", "which backtrace is whose is not known")
}

function read_frame(text,	name, is_register) {
	if (text ~ /^(Call [Tt]race|E?R?IP: |e?pc : |PC is at |NIP \[)/ && !dump_begun[who])
		dump_begun[who] = 1
	if (text ~ /^Call [Tt]race/ && dump_begun[who]++ > 1 && !is_mixed[who])
		mix()
	# Bit 9 says that interrupts are on. The first registers are those of the interrupted code.
	if (dump_irqs[who] == "" && match(text, /EFLAGS: *[0-9a-f]+/))
		dump_irqs[who] = substr(text, RSTART + RLENGTH - 3, 1) ~ /[2367abef]/ ? "on" : "off"
	while (match(text, /^<+\/?[A-Z#]+>+ */)) {
		if (text ~ /^<+(\/(IRQ|NMI|SOFTIRQ)|EO[IE])/)
			frame[who, ++nr_frames[who]] = ">"
		if (text ~ /^<\/TASK/)
			return end_dump()
		text = substr(text, RLENGTH + 1)
	}
	if (text ~ /^(RIP: (0033|e033)|pc : 0000[0-9a-f]*$)/) {
		name = nr_frames[who] ? frame[who, nr_frames[who]] : ">"
		if (name == ">" || name ~ entering)
			frame[who, ++nr_frames[who]] = "[user]"
		return end_dump()
	}
	# powerpc: "--- interrupt: 900 at work+0x1c/0x20", "[c00000000fff7a00] [c000000000123abc] work+0x1c/0x20"
	if (text ~ /^--- interrupt: /)
		frame[who, ++nr_frames[who]] = ">"
	is_register = sub(/^(E?R?IP: *([0-9a-f]+:)?|pc : *|PC is at |NIP )/, "", text)
	# 32-bit ARM: "[<80101a0c>] (__irq_svc) from [<80b2f268>] (work+0x1c/0x20)"
	if (match(text, / from (\[<[0-9a-f]+>\] )?\(?[A-Za-z_]/))
		text = substr(text, RSTART + 6)
	while (sub(/^\[<?[0-9a-f]+>?\] */, "", text) || sub(/^\(/, "", text))
		;
	# powerpc, big endian
	sub(/^[.]/, "", text)
	# With an offset, or with the line of source: "work (kernel/file.c:12)"
	if (nr_frames[who] >= 512 || text ~ /[(]unreliable[)]/ || text !~ /^[A-Za-z_][A-Za-z0-9_.$]*([+]0x[0-9a-f]+\/0x| \([^ ()]+:[0-9]+[ )])/)
		return
	# Nothing returns to the begin of a function: these are data.
	if (!is_register && text ~ /^[A-Za-z0-9_.$]+[+]0x0\//)
		return
	match(text, /^[A-Za-z0-9_.$]+/)
	name = substr(text, 1, RLENGTH)
	# Code that the compiler adds
	if (name ~ /^__(sanitizer_cov|asan)_/)
		return
	# Symbols at the address of this function
	if (name ~ /^(__softirqentry_text_start|_stext)$/)
		name = "__do_softirq"
	if (match(text, /\[[a-z][A-Za-z0-9_]+/))
		name = name substr(text, RSTART, RLENGTH) "]"
	# Of a task that runs, arm64 shows where it got the CPU, and what the stack has had below that since.
	if (name == "__switch_to" && !nr_frames[who])
		return
	# arm64 prints the instruction as register and as frame.
	if (nr_frames[who] != 1 || frame[who, 1] != "=" name)
		frame[who, ++nr_frames[who]] = (is_register ? "=" : "") name
	active_s = now_s
}

function plain_frame(name) {
	sub(/^=/, "", name)
	sub(/[.[].*/, "", name)
	return name
}

# The first frame behind those that printed the dump, and those of a softirq that has not called a handler
function first_frame(	i, n, seen, name, first) {
	n = nr_frames[who]
	first = 1
	for (i = 1; i <= n; i++) {
		name = plain_frame(frame[who, i])
		if (name ~ printing || i == first && name ~ softirq)
			seen = 1
		else if (seen && (name == ">" || name ~ entering || frame[who, i] ~ /^=/)) {
			while (i <= n && (frame[who, i] == ">" || plain_frame(frame[who, i]) ~ entering))
				i++
			first = i--
			seen = 0
		} else if (name ~ entering)
			break
	}
	return first
}

# Keep the dump as "CPU PID COMM CONTEXT IRQS WAITS STACK".
function end_dump(	i, n, stack, name, innermost, context, waits) {
	if (!(who in dump_cpu))
		return
	stack = innermost = ""
	if (dump_task[who] == "")
		dump_task[who] = dump_cpu[who] in soft_task ? soft_task[dump_cpu[who]] : "0 -"
	context = "task"
	n = waits = 0
	for (i = first_frame(); i <= nr_frames[who] && n < MAX_FRAMES; i++) {
		name = frame[who, i]
		if (name == ">")
			continue
		sub(/^=/, "", name)
		stack = name (n++ ? ";" : "") stack
		name = plain_frame(name)
		if (n == 1)
			innermost = name
		waits += n <= 5 && name ~ waiting
		if (context == "task" && n > 1 && (name ~ softirq || name ~ entering))
			context = name ~ softirq ? "softirq" : "interrupt"
	}
	if (context == "task" && dump_task[who] ~ /^0 /)
		context = innermost ~ idling ? "not-run" : "idle"
	if (stack ~ /^\[user\]$|;finish_task_switch[^;]*(;_raw_spin_unlock_irq)?$/)
		context = "not-run"
	# A task that prints while others are stuck, as that of sysrq-l, runs.
	if (innermost ~ /^dump_stack(_lvl)?$/ && !(dump_cpu[who] in stall_cpu))
		stack = ""
	if (is_other[who] && plain_frame(frame[who, 1]) !~ /^(_?sched_show_task|show_stack|dump_backtrace)$/)
		stack = ""
	if (!is_mixed[who] && stack !~ /^(ret_from_[a-z_]*)?$/ && nr_kept < MAX_DUMPS)
		kept[++nr_kept] = dump_cpu[who] " " dump_task[who] " " context " " \
			(dump_irqs[who] == "off") " " (waits > 0) " " stack
	delete dump_cpu[who]
}

function end_dumps(	caller) {
	for (caller in dump_cpu) {
		who = caller
		end_dump()
	}
}

function end_stall(	n, cpu, nr_named, waits, dumped, part) {
	end_dumps()
	nr_stalls += stall != ""
	waits = nr_named = 0
	for (cpu in stall_cpu)
		nr_named++
	for (n = 1; n <= nr_kept; n++) {
		split(kept[n], part, " ")
		if (!nr_named || part[1] in stall_cpu) {
			dumped[part[1]] = 1
			waits += part[6]
			add_window(part, 1)
		}
	}
	for (cpu in stall_cpu)
		if (cpu != "" && !(cpu in dumped)) {
			split(cpu " " (cpu in soft_task ? soft_task[cpu] : "0 -") " task 0 0", part, " ")
			add_window(part, 1)
		}
	for (n = 1; n <= nr_kept && waits; n++) {
		split(kept[n], part, " ")
		if (!(part[1] in dumped) && part[4] !~ /^(idle|not-run)$/)
			add_window(part, 0)
	}
	if (stall == "rcu" && !nr_named && !nr_kept)
		add_fact("also", stall_text, is_reader ? "a task was preempted while RCU waited for it: look for tasks of higher priority" : \
			"with neither a backtrace nor the number of a CPU")
	split("", stall_cpu)
	split("", soft_task)
	stall = detected_by = lone_cpu = ""
	nr_kept = is_reader = 0
}

# A dump is a sample of the window of its CPU: the window of the last stall, if that goes on, or a new one.
function add_window(part, is_named,	cpu, kind, key, ns, goes_on, is_near) {
	cpu = part[1]
	kind = stall == "hard" || !is_named && part[5] ? "hardirq irq-off" : part[4] == "softirq" ? "softirq serving" : "nosched stuck"
	if (part[4] == "not-run")
		part[7] = ""
	key = kind " " part[2] " " part[3]
	ns = stall_ns
	is_near = cpu in open_ns && open_nr[cpu] && stall_s >= open_s[cpu] && stall_s - open_s[cpu] <= SAME_S
	# Of a stall that goes on, a later report may have no backtrace.
	if (part[7] == "" && !(is_near && part[4] == "task" && open_key[cpu] == key)) {
		sub(/ .*/, part[4] == "not-run" ? " not-run" : " undumped", kind)
		key = kind " " part[2] " " part[3]
	}
	goes_on = cpu in open_ns && open_key[cpu] == key
	if (goes_on && open_stall[cpu] == nr_stalls)
		return
	# Two reports of one moment, as with hardlockup_all_cpu_backtrace, are one sample. Without times, now_s is 0.
	if (goes_on && is_near && stall_s && stall_s - open_s[cpu] < 0.1)
		part[7] = ""
	if (goes_on && is_near && open_nr[cpu] < MAX_SAMPLES)
		ns = open_ns[cpu] + (stall_s - open_s[cpu]) * 1000000000 + 1
	else {
		close_window(cpu)
		open_ns[cpu] = open_nr[cpu] = 0
		open_samples[cpu] = ""
	}
	open_ns[cpu] = ns > stall_ns ? ns : stall_ns
	open_s[cpu] = stall_s
	open_key[cpu] = key
	open_stall[cpu] = nr_stalls
	if (part[7] == "")
		return
	open_nr[cpu]++
	sub(/.* /, "", kind)
	open_samples[cpu] = open_samples[cpu] sprintf(" sample=%.0f:%s in=%s,%s,%d,%d,0,%s", open_ns[cpu], part[7], part[4], kind, \
		part[2], part[2], part[3])
}

function close_window(cpu,	part) {
	if (!(cpu in open_ns))
		return
	split(open_key[cpu], part, " ")
	printf "kind=%s cpu=%d end=%.6f latency_ns=%.0f max_ns=%.0f steal_ns=0 state=%s comm=%s pid=%d tgid=%d cgroup=0" \
		" pending=- stack=-%s\n", part[1], cpu, open_s[cpu], open_ns[cpu], open_ns[cpu], part[2], part[4], part[3], \
		part[3], open_samples[cpu] >(to "/dumps")
	delete open_ns[cpu]
}

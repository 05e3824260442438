# SPDX-License-Identifier: GPL-2.0
#
# culprits.awk: convert culprits.examples and culprits.cases, whose heads explain them, to files of
# the module. For the Nth example or case, write DIR/N.records, DIR/N.status and DIR/N.expected, and
# print N and its name.
#
# Variables: dir, examples (the name of the file with examples)

function expanded(stack) {
	gsub(/@arm64_syscall/, "el0t_64_sync;el0t_64_sync_handler;el0_svc;do_el0_svc;" \
		"el0_svc_common.constprop.0;invoke_syscall;__arm64_sys_write;ksys_write;vfs_write", stack)
	gsub(/@arm64_idle/, "__secondary_switched;secondary_start_kernel;cpu_startup_entry;" \
		"do_idle;default_idle_call", stack)
	gsub(/@arm64_irq/, "el1h_64_irq;el1h_64_irq_handler;el1_interrupt", stack)
	gsub(/@arm64_softirq/, "irq_exit_rcu;__irq_exit_rcu;do_softirq_own_stack;" \
		"call_on_irq_stack;____do_softirq;__do_softirq;handle_softirqs", stack)
	gsub(/@syscall/, "@;ksys_read;vfs_read;seq_read_iter", stack)
	gsub(/@idle/, "secondary_startup_64_no_verify;cpu_startup_entry;do_idle;default_idle_call", stack)
	gsub(/@timer/, "@tick;hrtimer_interrupt;__hrtimer_run_queues", stack)
	gsub(/@tick/, "asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt", stack)
	gsub(/@softirq/, "__irq_exit_rcu;handle_softirqs", stack)
	gsub(/@kthread/, "ret_from_fork_asm;ret_from_fork;kthread", stack)
	gsub(/@stopper/, "ret_from_fork_asm;ret_from_fork;kthread;cpu_stopper_thread;multi_cpu_stop", stack)
	gsub(/@worker/, "ret_from_fork_asm;ret_from_fork;kthread;worker_thread;process_one_work", stack)
	gsub(/@ksoftirqd/, "ret_from_fork;kthread;smpboot_thread_fn;run_ksoftirqd;handle_softirqs", stack)
	gsub(/@irq/, "asm_common_interrupt;common_interrupt", stack)
	gsub(/@slowpath/, "_raw_spin_lock_irq;native_queued_spin_lock_slowpath", stack)
	gsub(/@/, "entry_SYSCALL_64_after_hwframe;do_syscall_64", stack)
	# A long stack, from its Nth frame: the module has cut those outside of it.
	while (match(stack, /&[0-9]+/))
		stack = substr(stack, 1, RSTART - 1) frames_from(substr(stack, RSTART + 1, RLENGTH - 1)) \
			substr(stack, RSTART + RLENGTH)
	return stack
}

function frames_from(n,	text) {
	n += 0
	for (text = "fs" n; n < 40; text = text ";fs" ++n)
		;
	return text
}

# moved(text, stack): " moved=K,L lock=LOCK" of "K,L!LOCK", of which K and L are functions of the stack; or of
# "0", "-", or "K", which is also L
function moved(text, stack,	part, name) {
	if (text == "")
		return ""
	split(text, part, "!")
	split(part[1] "," part[1], name, ",")
	if (part[1] !~ /^[0-]$/)
		part[1] = number_of(name[1], stack) "," number_of(name[2], stack)
	return " moved=" part[1] (part[2] == "" ? "" : " lock=" part[2])
}

function number_of(name, stack,	i, n, frame) {
	n = split(stack, frame, ";")
	for (i = 1; i <= n && frame[i] != name; i++)
		;
	return i > n ? "<" : i
}

# begin(name): a new example or case
function begin(name) {
	close(dir "/" number ".expected")
	print ++number, name
}

# new_host(lines): no windows, and these lines of the file status
function new_host(lines) {
	nr_records = 0
	records = ""
	status = lines
}

# demand(line): the report must have this. All windows of the example or case are known.
function demand(line) {
	if (written != number) {
		printf "%s", records >(dir "/" number ".records")
		printf "%s", status >(dir "/" number ".status")
		close(dir "/" number ".records")
		close(dir "/" number ".status")
		written = number
	}
	print line >(dir "/" number ".expected")
}

# add_record(...): fields are "KEY=VALUE " between steal_ns and state
function add_record(cpu, end_ms, kind, state, ms, fields, comm, pid, stack, samples) {
	records = records sprintf("seq=%d kind=%s cpu=%d end=1795234%03d.%03d000000 latency_ns=%d000000",
		++nr_records, kind, cpu, 200 + int(end_ms / 1000), end_ms % 1000, ms) \
		sprintf(" max_ns=%d900000 %sstate=%s comm=%s pid=%s tgid=%s cgroup=1 pending=- stack=%s%s\n",
		ms, fields, state, comm, pid, pid, expanded(stack), samples)
}

# sample_of(text, state, comm, pid): text is OFFSET_MS[,CONTEXT[,COMM,PID,CGROUP]]:STACK[^MOVED]
function sample_of(text, state, comm, pid,	colon, part, n, stack, went_on) {
	colon = index(text, ":")
	n = split(substr(text, colon + 1), part, "^")
	stack = expanded(part[1])
	went_on = n > 1 ? moved(part[2], stack) : ""
	n = split(substr(text, 1, colon - 1), part, ",")
	return sprintf(" sample=%d000000:%s in=%s,%s,%s,%s,%s,%s%s", part[1], stack,
		n > 1 ? part[2] : "task", state, n > 2 ? part[4] : pid, n > 2 ? part[4] : pid,
		n > 2 ? part[5] : 1, n > 2 ? part[3] : comm, went_on)
}

# add_windows(line, n): the windows of a line, with the nth of its ends
function add_windows(line, n,	cpu, ends, text, column, word, i, j, nr_cpus, nr_samples, fields, sample, state, samples) {
	split(line, word, " ")
	nr_cpus = split(word[1], cpu, ",")
	split(word[2], ends, ",")
	for (i = 1; i <= nr_cpus; i++) {
		text = line
		gsub(/<cpu>/, cpu[i], text)
		gsub(/<n>/, n, text)
		split(text, column, / [|] /)
		fields = column[1] ~ / steal_ns=/ ? "" : "steal_ns=0 "
		for (j = split(column[1], word, " "); j > 6; j--)
			fields = fields word[j] " "
		state = word[3] in state_of ? state_of[word[3]] : word[3]
		samples = ""
		nr_samples = split(column[2] == "-" ? "" : column[2], sample, " ")
		for (j = 1; j <= nr_samples; j++)
			samples = samples sample_of(sample[j], state, word[5], word[6])
		add_record(cpu[i], ends[n], word[3] in kind_of ? kind_of[word[3]] : word[3], state, word[4], \
			fields, word[5], word[6], column[3], samples)
	}
}

# add_waiting(): add the windows of the lines that have waited for more lines with as many ends
function add_waiting(	n, i) {
	for (n = 1; n <= nr_ends; n++)
		for (i = 1; i <= nr_waiting; i++)
			add_windows(waiting[i], n)
	nr_waiting = nr_ends = 0
}

BEGIN {
	kind_of["irq-on"] = kind_of["paused"] = "hardirq"
	kind_of["unsampled"] = "softirq"
	kind_of["no-resched"] = "nosched"
	state_of["hardirq"] = "irq-off"
	state_of["softirq"] = "ksoftirqd"
	state_of["nosched"] = "preempt-off"
}

/^#/ || /^$/ { next }

# KIND STATE LATENCY_MS | SAMPLE ... | STACK AT THE END | CULPRIT | CONTEXT | WHY
FILENAME == examples {
	split($0, column, / +[|] +/)
	split(column[1], word, " ")
	samples = ""
	n = split(column[2] == "-" ? "" : column[2], sample, " ")
	for (i = 1; i <= n; i++)
		samples = samples (sample[i] ~ /^[0-9]+,/ ? sample_of(sample[i], word[2], "sh", 7) : \
			sprintf(" sample=%d000000:%s", sample[i], expanded(substr(sample[i], index(sample[i], ":") + 1))))
	begin(column[6])
	# Without a list of CPUs, the report does not guess whether all of them were stopped.
	new_host("")
	add_record(0, 2000, word[1], word[2], word[3], "steal_ns=0 ", "sh", 7, column[3], samples)
	demand("culprit: " column[4] " | " column[5])
	next
}

/^(case|more): / {
	begin(substr($0, 7))
	if (/^case/)
		new_host("cpus: 0-3\nnmi: on\nthreshold: 10ms\nsampling_period: 5ms\n")
	next
}

{ sub(/^\t/, "") }

/^status: / {
	status = status substr($0, 9) "\n"
	next
}

/^(golden|text|no text|nowhere|jsonl): |^[*>] |^[.][.][.]$/ {
	add_waiting()
	demand($0)
	next
}

# CPUS END_MS,... KIND MS COMM PID [KEY=VALUE]... | SAMPLE ... | STACK AT THE END
{
	n = split($2, ends, ",")
	if (n != nr_ends)
		add_waiting()
	nr_ends = n
	waiting[++nr_waiting] = $0
	if (n == 1)
		add_waiting()
}

BEGIN {
	# Not by -v, which takes backslashes for its own.
	version = ENVIRON["REPORT_VERSION"]
	host = printable(ENVIRON["REPORT_HOST"])
	release = printable(ENVIRON["REPORT_RELEASE"])
	last_seq = base_seq
	# Frames that anything may be called by; where they are all there is, nothing is known.
	anybody = "^(entry_.*|do_syscall_64|x64_sys_call|(ksys|vfs)_.*|__(x64|se|do)_sys_.*|" \
		"do_idle|cpu_startup_entry|start_secondary|secondary_startup.*|" \
		"common_startup_64|x86_64_start.*|start_kernel|rest_init|cpuidle_.*|" \
		"call_cpuidle|default_idle.*|(arch|native|acpi|intel|amd)_.*(idle|halt|mwait).*|" \
		"acpi_idle.*|mwait_idle.*|poll_idle|ret_from_fork.*|kthread|worker_thread|" \
		"process_one_work|process_scheduled_works|smpboot_thread_fn|run_ksoftirqd|" \
		"run_timersd|run_ktimerd|proc_reg_.*|seq_read.*|asm_.*|sysvec_.*|" \
		"(__)?common_interrupt|call_on_.*stack|(__)?irq_exit.*|invoke_softirq|" \
		"(__)?do_softirq.*|handle_softirqs|run_timer_softirq|run_timer_base|" \
		"__run_timers|call_timer_fn|expire_timers|hrtimer_run_softirq|hrtimer_interrupt|" \
		"__hrtimer_run_queues|__sysvec_.*|local_apic_timer_interrupt|" \
		"(__)?handle_irq.*|handle_(edge|fasteoi|level)_irq|generic_handle_.*|" \
		"net_rx_action|__napi_poll.*|tasklet_(hi_)?action.*|process_backlog|" \
		"rcu_core.*|rcu_do_batch|do_fault|handle_mm_fault|__handle_mm_fault|" \
		"exc_.*|do_user_addr_fault|\\[user\\]|\\[unknown\\])$"
	# Frames that are called by anybody and are no work of their own.
	helper = "^(_raw_.*|(__)?raw_spin_.*|.*_unlock_irq.*|.*_unlock_bh|rt_spin_.*|" \
		"queued_.*|native_queued_.*|pv_.*|__pv_.*|native_.*|(__)?local_bh_.*|" \
		"(arch_)?local_irq_.*|trace_hardirqs_.*|lockdep_.*|lock_(acquire|release).*|" \
		"irqentry_.*|exit_to_user.*|syscall_.*|(__)?preempt_.*|(__)?cond_resched.*|" \
		"ktime_get.*|read_tsc|sched_clock.*|timekeeping_.*|delay_.*|__delay|" \
		"(__)?(const_)?udelay|__ndelay|(__)?mem(cpy|set|move|cmp|chr).*|str[a-z]*|" \
		"(clear|copy)_page.*|rep_.*|copy_(to|from)_user.*|_copy_.*|(__)?rcu_read_.*|" \
		"rb_.*|(_)?find_.*_bit.*|(__pi_)?__x86_.*|[a-z_]*_return_thunk|srso_.*safe_ret|" \
		"__asan_.*|kasan_.*|(__)?kcsan_.*|check_.*bytes.*|" \
		"asm_.*|sysvec_.*|__sysvec_.*|clockevents_.*|lapic_.*|kvm_clock.*|" \
		"__sanitizer.*|cpu_relax|debug_.*|do_raw_.*)$"
	handler = "^(asm_sysvec_.*|asm_common_interrupt|common_interrupt|sysvec_.*|" \
		"hrtimer_interrupt|(__)?handle_irq_event.*)$"
	softirq = "^((__)?do_softirq|handle_softirqs|__do_softirq_own_stack)$"
	nr_windows = 0
}

# Of a host that is named on it, or of a file that somebody may have changed.
{ $0 = printable($0) }

what == "status" || what == "status.before" {
	status_at = index($0, ": ")
	status_key = substr($0, 1, status_at - 1)
	if (what == "status")
		status[status_key] = substr($0, status_at + 2)
	else
		status_before[status_key] = substr($0, status_at + 2)
	next
}

# cpu: 0 kind: hardirq count: 7 sum_us: 30 max_us: 12
# (rows) FROM -> TO : COUNT |bar|
what == "histogram.before" || what == "histogram" {
	sign = what == "histogram" ? 1 : -1
	if ($1 == "cpu:") {
		kind = $4
		counts[kind] += sign * $6
		sums_us[kind] += sign * $8
		if (sign < 0 && $10 > worst_us_before[kind])
			worst_us_before[kind] = $10
		if (sign > 0 && $10 > worst_us[kind])
			worst_us[kind] = $10
	} else if ($2 == "->") {
		bucket = log2($3 + 1)
		buckets[kind, bucket] += sign * $5
		if (bucket > last_bucket)
			last_bucket = bucket
	}
	next
}

# "ID" alone is one that was looked for, and is not there any more.
what == "cgroups" {
	cgroup_path[$1] = substr($0, length($1) + 2)
	next
}

# As trace_latency prints windows. COMMAND: sh PID: 126 LATENCY: 521+ms STATE: irq-off ...
what == "active" && $1 == "cpu:" {
	open_cpu = $2
	next
}

what == "active" && $1 == "COMMAND:" {
	o = ++nr_open
	for (i = 1; i < NF; i += 2)
		open[o, $i] = $(i + 1)
	open[o, "cpu"] = open_cpu
	open[o, "looks"] = 0
	next
}

what == "active" && $1 == "AT:" {
	at = $2
	open[o, "looks"]++
	open[o, "at", open[o, "looks"]] = at * 1e6
	next
}

what == "active" && NF {
	sub(/[+]0x.*/, "", $1)
	key = o SUBSEP "stack" SUBSEP open[o, "looks"]
	open[key] = $1 $2 (open[key] == "" ? "" : ";") open[key]
	next
}

what == "records" {
	if (!parse($0))
		nr_cut++
	else if (field["seq"] + 0 > base_seq + 0) {
		last_seq = field["seq"]
		window()
	}
}

END {
	for (i = 1; i <= nr_open; i++)
		take_open(i)
	if (mode == "json")
		print_json()
	else if (mode == "folded")
		print_folded()
	else if (mode == "live")
		print_live()
	else if (mode == "metrics")
		print_metrics()
	else if (mode == "ping")
		print_replies()
	else if (mode == "worst")
		print worst_text
	else if (mode == "lines")
		print last_seq >last_to
	else
		print_text()
	exit nr_windows || nr_open ? 3 : 0
}

# What is no printable character could be anything to a terminal.
function printable(text,	done, i, c) {
	if (text !~ /[^ -~]/)
		return text
	if (!("\n" in escape))
		for (i = 0; i < 256; i++)
			escape[sprintf("%c", i)] = sprintf("\\x%02x", i)
	done = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		done = done (c ~ /[ -~]/ ? c : c in escape ? escape[c] : "?")
	}
	return done
}

function log2(value,	bits) {
	for (bits = 0; value > 1; bits++)
		value /= 2
	return bits
}

# busybox may have no operator for it.
function exp2(bits,	value) {
	for (value = 1; bits > 0; bits--)
		value *= 2
	return value
}

# A line of records: sets field, nr_looks, look and look_at. 0, if it is not a whole one.
function parse(record,	i, n, at, key, text, word) {
	nr_looks = 0
	split("", field)
	n = split(record, word, " ")
	for (i = 1; i <= n; i++) {
		at = index(word[i], "=")
		key = substr(word[i], 1, at - 1)
		text = substr(word[i], at + 1)
		if (key == "sample") {
			at = index(text, ":")
			look_at[++nr_looks] = substr(text, 1, at - 1) + 0
			look[nr_looks] = substr(text, at + 1)
		} else
			field[key] = text
	}
	latency = field["latency_ns"] + 0
	kind = field["kind"]
	return "stack" in field && "pending" in field
}

# An open window, as if it were a record.
function take_open(o,	i) {
	split("", field)
	field["kind"] = kind = open[o, "STATE:"] ~ /^(irq-off)?$/ ? "hardirq" : "softirq"
	field["state"] = open[o, "STATE:"]
	latency = open[o, "LATENCY:"] * 1e6
	nr_looks = open[o, "looks"]
	for (i = 1; i <= nr_looks; i++) {
		look_at[i] = open[o, "at", i]
		look[i] = open[o, "stack", i]
	}
	culprit = "nobody could look"
	if (nr_looks)
		find_culprit()
	open_text[o] = sprintf("%s on CPU %s for %s so far:%s%s%s", held(kind), open[o, "cpu"],
		duration(latency), mode == "live" ? "\n      " : " ", culprit,
		nr_looks ? ", in " within(culprit_context, \
			task(open[o, "COMMAND:"], open[o, "PID:"])) : "")
	open_json[o] = sprintf("{\"cpu\":%s,\"kind\":%s,\"latency_ns\":%.0f,\"comm\":%s," \
		"\"pid\":%s,\"culprit\":%s}", open[o, "cpu"], quoted(kind), latency,
		quoted(open[o, "COMMAND:"]), open[o, "PID:"] ~ /^[0-9]+$/ ? open[o, "PID:"] : "null",
		quoted(culprit))
}

# A window into all tables.
function window(	id, c, stolen) {
	nr_windows++
	kind_windows[kind]++
	if (latency > kind_worst[kind])
		kind_worst[kind] = latency

	if (mode == "folded") {
		fold()
		return
	}
	if (mode == "worst") {
		if (latency > worst)
			worst_text = sprintf("%d ms %s on CPU %s", latency / 1e6, kind, field["cpu"])
		worst = latency > worst ? latency : worst
		return
	}

	find_culprit()
	stolen = field["steal_ns"] * 2 >= latency
	if (stolen) {
		culprit = "(the host did not run this CPU)"
		culprit_chain = culprit_context = ""
	}

	# In a task it matters which; on top of one it does not. Of kernel threads there is one
	# a CPU, or many that share the work: kworker/3:1 and kworker/u8:2 are kworker, and the
	# idle task swapper/3 is swapper.
	id = kind SUBSEP culprit SUBSEP culprit_context
	name = field["comm"]
	if (culprit_context == "task") {
		if (field["pid"] == "0" || (nr_looks ? look[1] : field["stack"]) ~ /^ret_from_fork/)
			sub(/\/.*/, "", name)
		id = id SUBSEP name SUBSEP field["cgroup"] SUBSEP (field["pid"] == "0")
	}
	if (!(id in known)) {
		known[id] = ++nr_culprits
		c = nr_culprits
		c_kind[c] = kind
		c_function[c] = culprit
		c_context[c] = culprit_context
		c_chain[c] = culprit_chain
		c_name[c] = name
		c_cgroup[c] = field["cgroup"]
		c_looks[c] = 0
	}
	c = known[id]
	c_windows[c]++
	c_ns[c] += latency
	c_looks[c] += nr_looks
	if (latency > c_worst[c])
		c_worst[c] = latency
	c_pid[c] = field["pid"]
	c_comm[c] = field["comm"]
	if (!((c, field["pid"]) in seen_pid)) {
		seen_pid[c, field["pid"]] = 1
		c_pids[c]++
	}
	if (!((c, field["comm"]) in seen_comm)) {
		seen_comm[c, field["comm"]] = 1
		c_comms[c]++
	}
	if (!((c, field["cpu"]) in seen_cpu)) {
		seen_cpu[c, field["cpu"]] = 1
		c_nr_cpus[c]++
		c_cpus[c] = c_cpus[c] (c_cpus[c] == "" ? "" : ",") field["cpu"]
	}

	if (mode == "json")
		json_window()
	else if (mode == "lines")
		print_line(c)
	else if (mode == "ping")
		keep_window(c)
	line[nr_windows] = $0
}

# Frames without what the compiler made of their name, and without their module.
function plain(frame) {
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

function is_anybody(frame) {
	if (!(frame in of_anybody))
		of_anybody[frame] = plain(frame) ~ anybody
	return of_anybody[frame]
}

function is_helper(frame) {
	if (!(frame in of_helper))
		of_helper[frame] = plain(frame) ~ helper
	return of_helper[frame]
}

# From outside in, frame[1] to frame[n]: cut the helpers off its end.
function work_of(n) {
	while (n > 0 && is_helper(frame[n]))
		n--
	return n > 0 && !is_anybody(frame[n]) ? n : 0
}

# How long look i stands for.
function look_span(i) {
	return (i < nr_looks ? look_at[i + 1] : latency) - (i > 1 ? look_at[i] : 0)
}

# Sets culprit, culprit_chain (who called it) and culprit_context.
function find_culprit(	key, i, j, n, common, longest, best, first, by_time) {
	key = kind " " field["state"] " "
	for (i = 1; i <= nr_looks; i++)
		key = key look[i] " "
	if (!nr_looks)
		key = key field["stack"]
	if (key in found_culprit) {
		culprit = found_culprit[key]
		culprit_chain = found_chain[key]
		culprit_context = found_context[key]
		return
	}

	best = longest = 0
	for (i = 1; i <= nr_looks; i++) {
		# A stack could not be walked, or is of nothing but entry code.
		if (!work_of(split(look[i], frame, ";")))
			continue
		if (!longest)
			common = split(look[i], first, ";")
		for (j = 1; j <= common && first[j] == frame[j]; j++)
			;
		common = j - 1
		if (!longest || look_span(i) > look_span(longest))
			longest = i
	}
	if (longest) {
		split(look[longest], frame, ";")
		best = work_of(common)
		by_time = !best
		if (!best)
			best = work_of(split(look[longest], frame, ";"))
	} else if (nr_looks) {
		best = split(look[nr_looks], frame, ";")
	} else {
		n = split(field["stack"], frame, ";")
		best = work_of(n)
		if (!best)
			best = n
	}

	culprit = frame[best]
	culprit_chain = ""
	culprit_context = "task"
	for (i = best - 1; i > 0; i--)
		culprit_chain = culprit_chain (culprit_chain == "" ? "" : " < ") frame[i]
	for (i = best; i > 0; i--) {
		if (plain(frame[i]) ~ softirq)
			culprit_context = "softirq"
		else if (plain(frame[i]) ~ handler)
			culprit_context = "interrupt"
		else
			continue
		break
	}
	if (field["kind"] == "softirq" && field["state"] == "serving")
		culprit_context = "softirq"
	if (culprit == "")
		culprit = "[unknown]"
	# Nobody keeps interrupts off in user space, nor an idle CPU.
	if (kind == "hardirq" && nr_looks && !longest && culprit_context == "task" && \
	    (culprit == "[user]" || culprit_chain ~ /(^| )do_idle( |$)/))
		culprit = "(unknown, seen in " (culprit == "[user]" ? "user space" : culprit) ")"
	# The same stacks at other times may stand for something else.
	if (by_time)
		return
	found_culprit[key] = culprit
	found_chain[key] = culprit_chain
	found_context[key] = culprit_context
}

# A list of numbers with commas, in order.
function sorted(list,	n, number, i, j, x, text) {
	n = split(list, number, ",")
	for (i = 2; i <= n; i++) {
		x = number[i] + 0
		for (j = i - 1; j > 0 && number[j] + 0 > x; j--)
			number[j + 1] = number[j]
		number[j + 1] = x
	}
	text = number[1]
	for (i = 2; i <= n; i++)
		text = text "," number[i]
	return text
}

# The same for people: "0-3,8". How many there are, where that would be too much to read.
function cpu_list(list,	n, number, i, text) {
	n = split(sorted(list), number, ",")
	text = number[1]
	for (i = 2; i <= n; i++)
		if (number[i] != number[i - 1] + 1)
			text = text "," number[i]
		else if (i == n || number[i + 1] != number[i] + 1)
			text = text "-" number[i]
	return length(text) > 9 ? n " CPUs" : text
}

# Sets order[1] to order[nr_culprits]: those who held most first. There may be one a record.
function rank(	gap, i, j, c) {
	for (i = 1; i <= nr_culprits; i++)
		order[i] = i
	for (gap = nr_culprits; gap > 1; ) {
		gap = gap > 4 ? int(gap / 2.3) : 1
		for (i = gap + 1; i <= nr_culprits; i++) {
			c = order[i]
			for (j = i - gap; j > 0 && c_ns[order[j]] < c_ns[c]; j -= gap)
				order[j + gap] = order[j]
			order[j + gap] = c
		}
	}
}

function duration(ns) {
	ns += 0		# a number, wherever it came from
	if (ns < 10000000)
		return sprintf("%.2f ms", ns / 1e6)
	if (ns < 1000000000)
		return sprintf("%d ms", ns / 1e6)
	if (ns < 100000000000)
		return sprintf("%.2f s", ns / 1e9)
	return sprintf("%d s", ns / 1e9)
}

# The upper bound of a window: not less than it is.
function duration_up(ns) {
	ns += 0
	return duration(ns < 10000000 ? ns + 9999 : ns < 1000000000 ? ns + 999999 : ns + 9999999)
}

function microseconds(us) {
	return us < 1000 ? us " us" : duration(us * 1000)
}

# Of "1795285513.087952663", as the kernel prints it in trace_latency: UTC.
function clock(end,	s, days, y, m, d, era, doe, yoe, doy, mp) {
	s = int(end)
	days = int(s / 86400) + 719468
	s %= 86400
	era = int(days / 146097)
	doe = days - era * 146097
	yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
	doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100))
	mp = int((5 * doy + 2) / 153)
	d = doy - int((153 * mp + 2) / 5) + 1
	m = mp < 10 ? mp + 3 : mp - 9
	y = yoe + era * 400 + (m <= 2)
	return sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%sZ", y, m, d,
		       int(s / 3600), int(s % 3600 / 60), s % 60,
		       substr(end, index(end, ".") + 1, 6))
}

# What awks make of backslashes in gsub() differs.
function replaced(text, what, by,	at, done) {
	done = ""
	while (at = index(text, what)) {
		done = done substr(text, 1, at - 1) by
		text = substr(text, at + length(what))
	}
	return done text
}

function plural(n, word) {
	return n " " word (n == 1 ? "" : "s")
}

# What a cgroup path tells of Kubernetes and containers.
function place(cgroup,	path, pod, container) {
	if (cgroup == 1)
		return "cgroup 1 (/)"
	if (!(cgroup in cgroup_path))
		return "cgroup " cgroup
	path = cgroup_path[cgroup]
	if (path == "")
		return "cgroup " cgroup " (gone)"
	if (match(path, /pod[0-9a-f][0-9a-f_-]*[0-9a-f]/)) {
		pod = substr(path, RSTART + 3, RLENGTH - 3)
		gsub(/_/, "-", pod)
	}
	if (match(path, /[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*(\.scope)?$/))
		container = substr(path, RSTART, 12)
	return "cgroup " path (pod == "" ? "" : ", pod " pod) \
		(container == "" ? "" : ", container " container)
}

function who(c,	last) {
	last = c_comm[c] " (PID " c_pid[c] ")"
	if (c_context[c] != "task")
		return within(c_context[c], c_comms[c] == 1 ? task(c_comm[c], c_pid[c]) : \
			c_comms[c] " tasks, last " last)
	if (c_comms[c] > 1)
		return c_pid[c] == "0" ? "the idle task of " plural(c_nr_cpus[c], "CPU") : \
			"task " c_name[c] "/... (" plural(c_pids[c], "PID") ", last " last ")"
	return c_pids[c] == 1 ? task(c_comm[c], c_pid[c]) : \
		"task " c_comm[c] " (" c_pids[c] " PIDs, last " c_pid[c] ")"
}

# PID 0 is what a CPU has when it has nothing to do: swapper/3.
function task(comm, pid) {
	return (pid == "0" ? "the idle task " : "task ") comm " (PID " pid ")"
}

function within(context, tasks) {
	return context == "task" ? tasks : context == "" ? "no task of this host" : \
	       (context == "softirq" ? "a softirq" : "an interrupt") " handler, on top of " tasks
}

function held(kind) {
	return kind == "hardirq" ? "interrupts off" : "softirqs held up"
}

function why_held(state) {
	return state == "serving" ? "a handler was running" : \
	       state == "bh-off" ? "they were disabled" : \
	       state == "ksoftirqd" ? "they were left to ksoftirqd, which could not run" : state
}

function print_frames(stack, indent,	frame, n) {
	for (n = split(stack, frame, ";"); n > 0; n--)
		print indent frame[n]
}

function print_window(record,	i) {
	parse(record)
	printf "  %s  CPU %s  %s for %s to %s", clock(field["end"]), field["cpu"],
	       held(field["kind"]), duration(field["latency_ns"]),
	       duration_up(field["max_ns"])
	if (field["kind"] == "softirq")
		printf ": %s", why_held(field["state"])
	if (field["pending"] != "-")
		printf "; softirqs that waited: %s", field["pending"]
	if (field["steal_ns"] > 0)
		printf "; %s of it stolen by the host", duration(field["steal_ns"])
	printf "\n    %s, %s\n", task(field["comm"], field["pid"]), place(field["cgroup"])
	for (i = 1; i <= nr_looks; i++) {
		printf "    after %s:", duration(look_at[i])
		if (i > 1 && look[i] == look[i - 1])
			print " the same"
		else {
			print ""
			print_frames(look[i], "      ")
		}
	}
	print "    at the end:"
	print_frames(field["stack"], "      ")
	print ""
}

# Lines of 100 columns at most.
function print_wrapped(text,	at) {
	while (length(text) > 100) {
		for (at = 100; at > 20 && substr(text, at, 3) != " < "; at--)
			;
		if (at == 20)
			break
		print substr(text, 1, at + 1)
		text = "          " substr(text, at + 3)
	}
	print text
}

function print_culprits(most,	i, c) {
	printf "  # %9s %9s %8s  %-16s %-9s %s\n", "total", "worst", "windows", "what",
	       "CPUs", "function"
	for (i = 1; i <= nr_culprits && i <= most; i++) {
		c = order[i]
		printf "%3d %9s %9s %8d  %-16s %-9s %s\n", i, duration(c_ns[c]),
		       duration(c_worst[c]), c_windows[c], held(c_kind[c]), cpu_list(c_cpus[c]),
		       c_function[c]
		print "      " who(c) \
			(c_context[c] == "task" ? ", " place(c_cgroup[c]) : "")
		if (c_chain[c] != "")
			print_wrapped("      called by " c_chain[c])
		if (c_function[c] ~ /^\(unknown/)
			print "      nobody keeps interrupts off there: did the host not run this CPU, or the firmware stop it?"
		else if (c_context[c] != "" && !c_looks[c])
			print "      no look inside: this is only where it ended"
	}
	if (nr_culprits > most)
		printf "    and %d more\n", nr_culprits - most
}

function print_distribution(	first, b) {
	for (first = 0; first <= last_bucket; first++)
		if (buckets["hardirq", first] || buckets["softirq", first])
			break
	if (first > last_bucket)
		return
	print "\nLatencies of all CPUs, short ones too:\n"
	printf "  %24s %16s %16s\n", "", held("hardirq"), held("softirq")
	for (b = first; b <= last_bucket; b++)
		if (buckets["hardirq", b] || buckets["softirq", b])
			printf "  %10s to %10s %16.0f %16.0f\n",
			       microseconds(b ? exp2(b - 1) : 0),
			       microseconds(exp2(b)), buckets["hardirq", b],
			       buckets["softirq", b]
}

# What a counter of "status" says of this run, or of all the time.
function counted(key) {
	return status[key] - status_before[key]
}

function print_notes(	older) {
	if (status["enabled"] == "0")
		print "Note: tracing is off (trace-irqoff on)."
	if (status["nmi"] ~ /^off/)
		print "Note: no looks into windows with interrupts off, nmi: " status["nmi"] "."
	older = happened == "" ? status["records_overwritten"] : \
		happened - nr_windows - counted("records_lost")
	if (older > 0)
		print "Note: " plural(older, "older window") " had to make room for these."
	if (counted("records_lost") > 0)
		print "Note: " plural(counted("records_lost"), "window") " had no room at all."
	if (counted("parked_unseen") > 0)
		print "Note: " counted("parked_unseen") \
			" times an idle CPU took long to wake, and nobody saw why (load with park=0)."
	if (nr_cut)
		print "Note: " plural(nr_cut, "line") " of the records could not be read."
}

function print_text(	i, c) {
	rank()
	for (i = 1; i <= nr_open; i++)
		print "Still open: " open_text[i]
	if (nr_windows) {
		c = order[1]
		printf "Culprit: %s, in %s: %s, %s, worst %s, %s in all\n",
		       c_function[c], who(c), held(c_kind[c]),
		       plural(c_windows[c], "window"), duration(c_worst[c]),
		       duration(c_ns[c])
	} else if (nr_open)
		print "No window has ended yet."
	else if (spent == "" && status["enabled"] == "0")
		print "Nothing found, and tracing is off (trace-irqoff on)."
	else
		print "Nothing found: no window of " status["threshold"] " or more" \
			(spent == "" ? "" : " in " spent " s") "."
	printf "\n%s, Linux %s", host, release
	if ("threshold" in status)
		printf ": threshold %s, period %s, CPUs %s", status["threshold"],
		       status["sampling_period"], status["cpus"]
	print spent == "" ? "" : ", " spent " s"
	print_notes()
	if (nr_windows) {
		printf "%s: %s with interrupts off, %s of softirqs held up\n\n",
		       plural(nr_windows, "window"), kind_windows["hardirq"] + 0,
		       kind_windows["softirq"] + 0
		print "By time held:\n"
		print_culprits(20)
	}
	print_distribution()
	if (nr_windows) {
		print "\nNewest windows, stacks from the inside out:\n"
		for (i = nr_windows; i > 0 && i > nr_windows - newest; i--)
			print_window(line[i])
	}
}

# The screen of "top": two lines each, for 80 columns. What is open comes first, as it is what
# one cannot wait for.
function print_live(	i, c) {
	rank()
	for (i = 1; i <= nr_open; i++)
		print "OPEN: " open_text[i]
	if (!nr_windows) {
		print "no windows so far"
		return
	}
	print plural(nr_windows, "window") kind_worst_of("hardirq") kind_worst_of("softirq")
	for (i = 1; i <= nr_culprits; i++) {
		c = order[i]
		printf "\n%3d  %s, in %s\n", i, c_function[c], who(c)
		printf "     %s, %s, worst %s, %s in all, CPU %s\n", held(c_kind[c]),
		       plural(c_windows[c], "window"), duration(c_worst[c]),
		       duration(c_ns[c]), cpu_list(c_cpus[c])
	}
}

function kind_worst_of(kind) {
	return kind_windows[kind] ? sprintf("; %s: %d, worst %s", held(kind), kind_windows[kind],
		duration(kind_worst[kind])) : ""
}

function print_line(c) {
	printf "%s CPU %s %s for %s: %s, in %s\n", clock(field["end"]), field["cpu"],
	       held(kind), duration(field["latency_ns"]), c_function[c], who(c)
}

# Flame graphs, in microseconds: each look stands for the time up to the next one.
function fold(	i, us, root) {
	# A name with a semicolon is not two frames.
	root = kind ";" replaced(field["comm"], ";", "\\x3b")
	if (!nr_looks)
		folded[root ";" field["stack"]] += latency / 1000
	for (i = 1; i <= nr_looks; i++) {
		us = look_span(i) / 1000
		if (us > 0)
			folded[root ";" look[i]] += us
	}
}

function print_folded(	stack) {
	for (stack in folded)
		printf "%s %.0f\n", stack, folded[stack]
}

# Prometheus

function metric(name, type, help) {
	print "# HELP trace_irqoff_" name " " help
	print "# TYPE trace_irqoff_" name " " type
}

# A module of another version may not have it.
function single(name, type, help, value) {
	if (value == "")
		return
	metric(name, type, help)
	printf "trace_irqoff_%s %s\n", name, value
}

# As "50ms", "500us" or "3600s": in seconds.
function in_seconds(setting) {
	return setting == "" ? "" : setting ~ /us$/ ? setting / 1e6 : setting ~ /ms$/ ? setting / 1e3 : setting + 0
}

function print_histogram(kind,	b, sum) {
	sum = 0
	# The last bucket is open.
	for (b = 0; b < 25; b++) {
		sum += buckets[kind, b]
		printf "trace_irqoff_latency_seconds_bucket{kind=\"%s\",le=\"%.9g\"} %.0f\n",
		       kind, exp2(b) / 1e6, sum
	}
	printf "trace_irqoff_latency_seconds_bucket{kind=\"%s\",le=\"+Inf\"} %.0f\n",
	       kind, counts[kind]
	printf "trace_irqoff_latency_seconds_sum{kind=\"%s\"} %.6f\n", kind,
	       sums_us[kind] / 1e6
	printf "trace_irqoff_latency_seconds_count{kind=\"%s\"} %.0f\n", kind, counts[kind]
}

function print_metrics(	n, kinds, i) {
	n = split("hardirq softirq", kinds, " ")
	metric("windows_total", "counter", "Windows of the threshold and longer.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_windows_total{kind=\"%s\"} %.0f\n", kinds[i],
		       status["windows_" kinds[i]]
	metric("window_seconds_total", "counter", "How long these windows lasted, at least.")
	for (i = 1; i <= n; i++)
		printf "trace_irqoff_window_seconds_total{kind=\"%s\"} %.6f\n", kinds[i],
		       status["windows_" kinds[i] "_us"] / 1e6
	metric("latency_seconds", "histogram", \
	       "By how much ticks were late (hardirq), and softirqs behind them (softirq).")
	for (i = 1; i <= n; i++)
		print_histogram(kinds[i])
	single("records_overwritten_total", "counter", "Windows that made room for newer ones.",
	       status["records_overwritten"])
	single("records_lost_total", "counter", "Windows that no record was made of.",
	       status["records_lost"])
	single("parked_unseen_total", "counter", \
	       "How often an idle CPU took as long as the threshold to wake, unseen.",
	       status["parked_unseen"])
	single("enabled", "gauge", "Whether it traces.", status["enabled"])
	single("threshold_seconds", "gauge", "Windows of this length are recorded.",
	       in_seconds(status["threshold"]))
	single("sampling_period_seconds", "gauge", "Shorter windows may go unseen.",
	       in_seconds(status["sampling_period"]))
	metric("build_info", "gauge", "Versions of the module and of the kernel.")
	printf "trace_irqoff_build_info{version=\"%s\",kernel=\"%s\"} 1\n",
	       status["version"], release
}

# Replies to ping

# [1795234202.123456] 64 bytes from 10.0.0.1: icmp_seq=7 ttl=64 time=0.061 ms
what == "pinglog" && /^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms/ {
	nr_replies++
	at = $1
	gsub(/[][]/, "", at)
	reply_text[nr_replies] = at
	reply_at[nr_replies] = at + 0
	match($0, /icmp_seq=[0-9]+/)
	reply_seq[nr_replies] = substr($0, RSTART + 9, RLENGTH - 9)
	match($0, /time=[0-9.]+/)
	reply_ms[nr_replies] = substr($0, RSTART + 5, RLENGTH - 5) + 0
	next
}

what == "pinglog" && / packets transmitted, / {
	sent_said = $1
	received_said = $4
}

function keep_window(c) {
	window_end[nr_windows] = field["end"] + 0
	window_begin[nr_windows] = window_end[nr_windows] - field["max_ns"] / 1e9
	window_culprit[nr_windows] = c
	window_latency[nr_windows] = latency
	window_cpu[nr_windows] = field["cpu"]
	window_kind[nr_windows] = kind
}

# For how long windows held a reply; sets held_by, the one that did so longest, and nr_holders.
# Windows of several CPUs may overlap.
function held_ms(r,	from, to, i, n, begin, end, longest, b, e, j, ms) {
	from = reply_at[r] - reply_ms[r] / 1e3
	to = reply_at[r]
	held_by = longest = n = 0
	for (i = 1; i <= nr_windows; i++) {
		b = window_begin[i] > from ? window_begin[i] : from
		e = window_end[i] < to ? window_end[i] : to
		if (e <= b)
			continue
		if (e - b > longest) {
			longest = e - b
			held_by = i
		}
		for (j = n++; j > 0 && begin[j] > b; j--) {
			begin[j + 1] = begin[j]
			end[j + 1] = end[j]
		}
		begin[j + 1] = b
		end[j + 1] = e
	}
	nr_holders = n
	ms = 0
	for (i = 1; i <= n; i++) {
		if (begin[i] < from)
			begin[i] = from
		if (end[i] > begin[i]) {
			ms += (end[i] - begin[i]) * 1e3
			from = end[i]
		}
	}
	return ms
}

function print_replies(	r, w, c, ms, fastest, limit, nr_slow, nr_held, slow_ms, all_held_ms, rows, i) {
	fastest = reply_ms[1]
	for (r = 2; r <= nr_replies; r++)
		if (reply_ms[r] < fastest)
			fastest = reply_ms[r]
	limit = slow != "" ? slow + 0 : fastest + 10
	for (r = 1; r <= nr_replies; r++) {
		if (reply_ms[r] <= limit)
			continue
		nr_slow++
		slow_ms += reply_ms[r]
		ms = held_ms(r)
		w = held_by
		if (!w) {
			rows[nr_slow] = sprintf("%8s  %8.1f ms  %8s     at %s: no window of ours",
				reply_seq[r], reply_ms[r], "-", clock(reply_text[r]))
			continue
		}
		c = window_culprit[w]
		rows[nr_slow] = sprintf("%8s  %8.1f ms  %8.1f ms  CPU %s, %s for %s: %s, in %s%s%s",
			reply_seq[r], reply_ms[r], ms, window_cpu[w], held(window_kind[w]),
			duration(window_latency[w]), c_function[c], who(c),
			nr_holders > 1 ? ", and " plural(nr_holders - 1, "window") " more" : "",
			ms * 2 < reply_ms[r] ? " (less than half of it)" : "")
		# By chance they may touch.
		if (ms * 2 >= reply_ms[r]) {
			nr_held++
			all_held_ms += ms
		}
	}
	if (!nr_replies) {
		print "There is no reply in this log. It has to be of ping -D, which prints the time."
		return
	}
	printf "Of %d replies %d took longer than %.1f ms (the fastest: %.2f ms).\n",
	       nr_replies, nr_slow, limit, fastest
	if (sent_said > received_said)
		printf "%d were lost.\n", sent_said - received_said
	if (nr_slow)
		printf "Windows explain %d of these %d (%d %%), and %.0f of the %.0f ms that they took.\n",
		       nr_held, nr_slow, nr_held * 100 / nr_slow, all_held_ms, slow_ms
	if (nr_slow)
		printf "\n%8s  %11s  %11s  %s\n", "icmp_seq", "took", "held for", "by"
	for (i = 1; i <= nr_slow; i++)
		print rows[i]
	# It ends with 3 when replies are explained.
	nr_windows = nr_held
	nr_open = 0
}

# JSON

function quoted(text) {
	text = printable(text)
	return "\"" replaced(replaced(text, "\\", "\\\\"), "\"", "\\\"") "\""
}

# Outermost first, as a list.
function json_stack(stack,	frame, n, i, text) {
	n = split(stack, frame, ";")
	text = "["
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") quoted(frame[i])
	return text "]"
}

function json_window(	i, looks) {
	looks = ""
	for (i = 1; i <= nr_looks; i++)
		looks = looks (i > 1 ? "," : "") sprintf("{\"after_ns\":%.0f,\"stack\":%s}",
			look_at[i], json_stack(look[i]))
	json[nr_windows] = sprintf("{\"seq\":%s,\"kind\":%s,\"cpu\":%s,\"end\":%s,\"time\":%s," \
		"\"latency_ns\":%s,\"max_ns\":%s,\"steal_ns\":%s,\"state\":%s,",
		field["seq"], quoted(kind), field["cpu"], field["end"],
		quoted(clock(field["end"])), field["latency_ns"], field["max_ns"],
		field["steal_ns"], quoted(field["state"])) \
		sprintf("\"comm\":%s,\"pid\":%s,\"tgid\":%s,\"cgroup\":%s,\"pending\":%s," \
		"\"culprit\":%s,\"stack\":%s,\"looks\":[%s]}", quoted(field["comm"]),
		field["pid"], field["tgid"], field["cgroup"], quoted(field["pending"]),
		quoted(culprit), json_stack(field["stack"]), looks)
}

function json_histogram(kind,	b, text, comma) {
	text = ""
	comma = ""
	for (b = 0; b <= last_bucket; b++)
		if (buckets[kind, b]) {
			text = text comma sprintf("{\"below_us\":%.0f,\"count\":%.0f}",
				exp2(b), buckets[kind, b])
			comma = ","
		}
	# The longest of all the time may not be one of this run.
	return sprintf("{\"count\":%.0f,\"sum_us\":%.0f,\"max_us\":%s,\"buckets\":[%s]}",
		       counts[kind], sums_us[kind], worst_us[kind] + 0 == worst_us_before[kind] + 0 && \
		       spent != "" ? "null" : sprintf("%.0f", worst_us[kind]), text)
}

function print_json(	i, c, key, comma) {
	rank()
	printf "{\"helper\":%s,\"host\":%s,\"release\":%s,\"status\":{", quoted(version),
	       quoted(host), quoted(release)
	comma = ""
	for (key in status) {
		printf "%s%s:%s", comma, quoted(key), quoted(status[key])
		comma = ","
	}
	printf "},\n\"seconds\":%s,\"windows\":%d,\"culprits\":[", spent == "" ? "null" : spent,
	       nr_windows
	for (i = 1; i <= nr_culprits; i++) {
		c = order[i]
		printf "%s\n{\"function\":%s,\"kind\":%s,\"context\":%s,\"comm\":%s,\"pid\":%s,",
		       (i > 1 ? "," : ""), quoted(c_function[c]), quoted(c_kind[c]),
		       quoted(c_context[c]), quoted(c_comm[c]), c_pid[c]
		printf "\"cgroup\":%s,\"cgroup_path\":%s,\"windows\":%d,\"worst_ns\":%.0f,",
		       c_cgroup[c], quoted(cgroup_path[c_cgroup[c]]), c_windows[c], c_worst[c]
		printf "\"total_ns\":%.0f,\"cpus\":[%s],\"looks\":%d}", c_ns[c], sorted(c_cpus[c]),
		       c_looks[c]
	}
	printf "],\n\"open\":["
	for (i = 1; i <= nr_open; i++)
		printf "%s\n%s", (i > 1 ? "," : ""), open_json[i]
	printf "],\n\"histograms\":{\"hardirq\":%s,\"softirq\":%s},\n\"records\":[",
	       json_histogram("hardirq"), json_histogram("softirq")
	for (i = 1; i <= nr_windows; i++)
		printf "%s\n%s", (i > 1 ? "," : ""), json[i]
	print "]}"
}

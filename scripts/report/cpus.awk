# SPDX-License-Identifier: GPL-2.0
#
# Lists of CPUs: "host_cpus", as in /sys/devices/system/cpu, and lists anywhere else. And
# which CPUs of the host were not monitored, and why: a window on them is not found.
#
#	present: 0-7
#	online: 0-6
#
# Owns: host_cpus[key]; monitored_cpus ("0-2"); nr_late, late CPUs without an open window; and
#	unmonitored_cpus[i] ("3,5"), unmonitored_why[i], i = 1 ... nr_unmonitored: offline, isolated,
#		excluded (neither, but not among "cpus"), late (no interrupt since tracing started)

BEGIN {
	MAX_CPUS = 8192		# more than any kernel has
	host_cpus["present"] = host_cpus["online"] = host_cpus["isolated"] = host_cpus["nohz_full"] = ""
	nr_unmonitored = nr_late = 0
	monitored_cpus = ""
}

function parse_host_cpus(line,	at, set) {
	at = index(line, ":")
	if (at < 2)
		return bad_line()
	# Some kernels say "(null)" for none.
	host_cpus[substr(line, 1, at - 1)] = read_cpus(substr(line, at + 2), set) < 0 ? "" : \
		substr(line, at + 2)
}

# The CPUs of a list, "0-3,8" or "none", as keys of set. How many; -1 when it is no list.
function read_cpus(list, set,	n, i, cpu, part, ends, count) {
	split("", set)
	if (list == "" || list == "none")
		return 0
	count = 0
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		if (part[i] !~ /^[0-9]+(-[0-9]+)?$/ || length(part[i]) > 11)
			return -1
		if (split(part[i], ends, "-") == 1)
			ends[2] = ends[1]
		if (ends[2] + 0 >= MAX_CPUS)
			return -1
		for (cpu = ends[1] + 0; cpu <= ends[2] + 0; cpu++)
			if (!(cpu in set)) {
				set[cpu] = 1
				count++
			}
	}
	return count
}

function add_unmonitored(cpu, why,	i) {
	for (i = 1; i <= nr_unmonitored && unmonitored_why[i] != why; i++)
		;
	if (i > nr_unmonitored) {
		nr_unmonitored = i
		unmonitored_why[i] = why
		unmonitored_cpus[i] = ""
	}
	unmonitored_cpus[i] = unmonitored_cpus[i] (unmonitored_cpus[i] == "" ? "" : ",") cpu
}

function find_unmonitored(	cpu, present, online, isolated, nohz, cpus, late, w, is_open_on) {
	if (!("cpus" in status) || read_cpus(status["cpus"], cpus) < 0)
		return
	if (read_cpus(host_cpus["online"], online) <= 0)
		read_cpus(status["cpus"], online)
	if (read_cpus(host_cpus["present"], present) <= 0)
		read_cpus(status["cpus"], present)
	read_cpus(host_cpus["isolated"], isolated)
	read_cpus(host_cpus["nohz_full"], nohz)
	read_cpus(status_of("cpus_late"), late)
	for (w = 1; w <= nr_open; w++)
		is_open_on[win_cpu[w] + 0] = 1
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (cpu in online && !(cpu in cpus))
			add_unmonitored(cpu, cpu in isolated || cpu in nohz ? "isolated" : "excluded")
		else if (cpu in late) {
			add_unmonitored(cpu, "late")
			nr_late += !(cpu in is_open_on)
		} else if (cpu in present && !(cpu in online))
			add_unmonitored(cpu, "offline")
		else if (cpu in cpus && cpu in online)
			monitored_cpus = monitored_cpus (monitored_cpus == "" ? "" : ",") cpu
	monitored_cpus = cpu_ranges(monitored_cpus)
}

function cpus_named(ranges) {
	return (ranges ~ /[,-]/ ? "CPUs " : "CPU ") ranges
}

function why_unmonitored(why) {
	return why == "excluded" ? "not in the file cpus" : \
	       why == "late" ? "not responding since tracing started; its interrupts are probably off" : why
}

# "CPU 3 (offline), CPUs 4-7 (isolated)"
function unmonitored(	i, text) {
	text = ""
	for (i = 1; i <= nr_unmonitored; i++)
		text = text (i > 1 ? ", " : "") cpus_named(cpu_ranges(unmonitored_cpus[i])) \
			" (" why_unmonitored(unmonitored_why[i]) ")"
	return text
}

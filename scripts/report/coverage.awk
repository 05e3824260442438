# SPDX-License-Identifier: GPL-2.0
#
# Which CPUs of the host are not monitored, and why: "nothing found" says nothing about them. The
# input "host_cpus" has lists of CPUs, as in /sys/devices/system/cpu:
#
#	present: 0-7
#	online: 0-6
#
# Owns:
#	host_cpus[key]		these lists
#	reason[i]		why a CPU is not monitored: offline; isolated; excluded (neither, but not
#				in "cpus"); late (no interrupt since tracing was started)
#	nr_reasons, unmonitored_cpus[reason] ("3,5", or "")
#	monitored_cpus		the others, "0-2"
#	nr_unmonitored, nr_late	how many; late: without those that have a window in "active"

BEGIN {
	# More than any kernel has.
	MAX_CPUS = 8192
	split("", host_cpus)
	nr_unmonitored = nr_late = 0
	monitored_cpus = ""
	nr_reasons = split("offline isolated excluded late", reason, " ")
	for (reason_i = 1; reason_i <= nr_reasons; reason_i++)
		unmonitored_cpus[reason[reason_i]] = ""
}

function parse_host_cpus(line,	at) {
	at = index(line, ":")
	if (at < 2)
		bad_line(what)
	else
		host_cpus[substr(line, 1, at - 1)] = substr(line " ", at + 2)
}

# The CPUs of a list, "0-3,8" or "none", as keys of set. How many; -1 when it is no list.
function read_cpus(list, set,	n, i, cpu, part, ends, count) {
	split("", set)
	gsub(/ /, "", list)
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
			count += is_new(set, cpu)
	}
	return count
}

function with_cpu(list, cpu) {
	return list (list == "" ? "" : ",") cpu
}

function has_open_window(cpu,	w) {
	for (w = 1; w <= nr_open; w++)
		if (win_cpu[w] + 0 == cpu)
			return 1
	return 0
}

# Some kernels say "(null)" for none.
function read_host_cpus(key, set) {
	return read_cpus(key in host_cpus ? host_cpus[key] : "", set)
}

# END: all has been read.
function find_unmonitored(	cpu, why, present, online, isolated, nohz, cpus, late) {
	if (!("cpus" in status) || read_cpus(status["cpus"], cpus) < 0)
		return
	if (read_host_cpus("online", online) <= 0)
		read_cpus(status["cpus"], online)
	read_host_cpus("present", present)
	read_host_cpus("isolated", isolated)
	read_host_cpus("nohz_full", nohz)
	read_cpus(status_of("cpus_late"), late)
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		why = ""
		if (cpu in online && !(cpu in cpus))
			why = cpu in isolated || cpu in nohz ? "isolated" : "excluded"
		else if (cpu in late) {
			why = "late"
			nr_late += !has_open_window(cpu)
		} else if (cpu in present && !(cpu in online))
			why = "offline"
		else if (cpu in online)
			monitored_cpus = with_cpu(monitored_cpus, cpu)
		if (why != "") {
			nr_unmonitored++
			unmonitored_cpus[why] = with_cpu(unmonitored_cpus[why], cpu)
		}
	}
}

# SPDX-License-Identifier: GPL-2.0
#
# Which CPUs of the host were not monitored, and why: that nothing was found says nothing of them.
#
# Owns:
#	nr_unmonitored, unmonitored_cpus[i] ("3,5"), unmonitored_why[i], groups of such CPUs:
#		offline, isolated, excluded (neither, but not among "cpus"), late (tracing was
#		started, and the CPU has taken no interrupt since)
#	monitored_cpus		the others, "0-2"
#	nr_late			late ones that are no open window of "active"

BEGIN {
	nr_unmonitored = nr_late = 0
	monitored_cpus = ""
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

function add_late(cpu,	w) {
	add_unmonitored(cpu, "late")
	for (w = 1; w <= nr_open; w++)
		if (win_cpu[w] + 0 == cpu)
			return
	nr_late++
}

# END: all has been read.
function find_unmonitored(	cpu, present, online, isolated, nohz, cpus, late) {
	if (!("cpus" in status) || read_cpus(status["cpus"], cpus) < 0)
		return
	if (read_cpus("online" in host_cpus ? host_cpus["online"] : "", online) <= 0)
		read_cpus(status["cpus"], online)
	if (read_cpus("present" in host_cpus ? host_cpus["present"] : "", present) <= 0)
		read_cpus(status["cpus"], present)
	read_cpus("isolated" in host_cpus ? host_cpus["isolated"] : "", isolated)
	read_cpus("nohz_full" in host_cpus ? host_cpus["nohz_full"] : "", nohz)
	read_cpus(status_of("cpus_late"), late)
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (cpu in online && !(cpu in cpus))
			add_unmonitored(cpu, cpu in isolated || cpu in nohz ? "isolated" : "excluded")
		else if (cpu in late)
			add_late(cpu)
		else if (cpu in present && !(cpu in online))
			add_unmonitored(cpu, "offline")
		else if (cpu in cpus && cpu in online)
			monitored_cpus = monitored_cpus (monitored_cpus == "" ? "" : ",") cpu
	monitored_cpus = monitored_cpus == "" ? "" : cpu_ranges(monitored_cpus)
}

# SPDX-License-Identifier: GPL-2.0
#
# "host_cpus": lists of CPUs of this host, as in /sys/devices/system/cpu; and lists of CPUs
# anywhere else.
#
#	present: 0-7
#	online: 0-6
#
# Owns: host_cpus[key]

# More than any kernel has.
BEGIN { MAX_CPUS = 8192 }

function parse_host_cpus(line,	at, set) {
	at = index(line, ":")
	if (at < 2)
		return bad_line()
	# Some kernels say "(null)" for none.
	host_cpus[substr(line, 1, at - 1)] = read_cpus(substr(line, at + 2), set) < 0 ? "" : \
		substr(line, at + 2)
	return 1
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

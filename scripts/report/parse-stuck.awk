# SPDX-License-Identifier: GPL-2.0
#
# "stuck": CPUs that took no interrupts while the module was not loaded yet, see stuck.awk of
# the helper. LIST is PID:NAME,PID:NAME, "-" for none, "?" when nobody looked:
#
#	cpu=1 latency_ns=11300000000 open=0 tasks=107:sh,32:kworker/1:1
#
# Owns: nr_stuck, stuck_cpu[i], stuck_ns[i], stuck_open[i], stuck_tasks[i]

BEGIN { nr_stuck = 0 }

function parse_stuck(line,	word, n) {
	n = split(line, word, " ")
	if (n != 4 || line !~ /^cpu=[0-9]+ latency_ns=[0-9]+ open=[01] tasks=/ ||
	    !is_count(substr(word[1], 5)) || !is_count(substr(word[2], 12)) ||
	    word[4] !~ /^tasks=([-?]|(0|[1-9][0-9]*):[^,]+(,(0|[1-9][0-9]*):[^,]+)*)$/)
		return bad_line()
	nr_stuck++
	stuck_cpu[nr_stuck] = substr(word[1], 5)
	stuck_ns[nr_stuck] = substr(word[2], 12)
	stuck_open[nr_stuck] = substr(word[3], 6) + 0
	stuck_tasks[nr_stuck] = substr(word[4], 7)
	return 1
}

# The tasks of stuck CPU i as pid[1] ..., name[1] ...; how many.
function stuck_tasks_of(i, pid, name,	n, j, task_of, colon) {
	if (stuck_tasks[i] ~ /^[-?]$/)
		return 0
	n = split(stuck_tasks[i], task_of, ",")
	for (j = 1; j <= n; j++) {
		colon = index(task_of[j], ":")
		pid[j] = substr(task_of[j], 1, colon - 1)
		name[j] = substr(task_of[j], colon + 1)
	}
	return n
}

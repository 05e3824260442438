# SPDX-License-Identifier: GPL-2.0
#
# stuck.awk: finds CPUs that take no interrupts, from readings some time apart. Takes what it
# printed of the reading before (none at first: /dev/null) and a reading, see take_reading() in
# stuck.sh, and prints what it knows by then:
#
#	uptime=CS			of the reading; CS are hundredths of a second since boot
#	cpu=N since=CS tasks=LIST counts=...	each CPU: since then no count of it has changed
#	stuck cpu=N latency_ns=NS open=0|1 tasks=LIST	a CPU that stood still for a second
#
# The last of these also go, without the first word, to the file that the variable stuck names. Exits
# with 3 when one of them is open.
#
# While interrupts are off, nothing of a CPU is counted: neither an interrupt nor a tick of
# time, be it user, system or idle time. Time of an idle CPU grows without any interrupt.
#
# LIST is PID:NAME,PID:NAME: tasks that were running or waiting there in all readings since
# then; "?" when no reading had tasks, and "-" when there are none.

# NMIs arrive all the same, and these lines have other columns.
function is_of_interest(name) {
	return name !~ /^(NMI|PMI|MCE|RTR|ERR|MIS):$/
}

# A task names itself: nothing in it may end the name, or the line.
function plain_name(text,	i, c, done) {
	done = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		done = done (c ~ /[!-~]/ && c != "," ? c : c == "," ? "\\x2c" : \
			c == " " ? "\\x20" : "?")
	}
	return done == "" ? "?" : done
}

# PID (NAME) STATE ... where NAME may have anything in it: fields count from its last bracket.
function add_task(line,	at, rest, field, name) {
	at = match(line, /\)[^)]*$/)
	split(substr(line, at + 2), field, " ")
	had_tasks = 1
	if (field[1] != "R")
		return
	name = substr(line, index(line, "(") + 1)
	name = substr(name, 1, match(name, /\)[^)]*$/) - 1)
	tasks[field[37]] = tasks[field[37]] (tasks[field[37]] == "" ? "" : ",") \
		substr(line, 1, index(line, " ") - 1) ":" plain_name(name)
}

# Those of list a that are in list b. None: while the tasks were read it moved on, and b, which
# was read before, is what there is.
function in_both(a, b,	n, task, i, both) {
	if (a == "?" || b == "?")
		return a == "?" ? b : a
	both = ""
	n = split(a, task, ",")
	for (i = 1; i <= n; i++)
		if (index("," b ",", "," task[i] ","))
			both = both (both == "" ? "" : ",") task[i]
	return both == "" ? b : both
}

function tasks_on(cpu) {
	return !had_tasks ? "?" : tasks[cpu] == "" ? "-" : tasks[cpu]
}

function print_stuck(cpu, from, to, open, list) {
	if (to - from >= 100)
		tell_stuck(sprintf("stuck cpu=%d latency_ns=%.0f open=%d tasks=%s", cpu,
			(to - from) * 1e7, open, list))
}

function tell_stuck(line) {
	print line
	print substr(line, 7) >stuck
	if (line ~ / open=1 /)
		is_open = 1
}

# Also when nothing is stuck the file is there.
BEGIN { printf "" >stuck }

FNR == 1 { file++ }

file == 1 && /^uptime=/ { uptime_before = substr($0, 8) + 0 }
# One that is over stays so; one that is open is told anew.
file == 1 && /^stuck .* open=0 / { tell_stuck($0) }
file == 1 && /^cpu=/ {
	cpu = substr($1, 5)
	since[cpu] = substr($2, 7) + 0
	tasks_before[cpu] = substr($3, 7)
	counts_before[cpu] = substr($0, index($0, " counts=") + 8)
}
file == 1 { next }

/^uptime / { uptime = int($2 * 100 + 0.5) }
/^cpu[0-9]+ / {
	cpu = substr($1, 4) + 0
	order[++nr_cpus] = cpu
	counts[cpu] = $0
}
/^ *CPU[0-9]+/ {
	for (i = 1; i <= NF; i++)
		column[i + 1] = substr($i, 4) + 0
	nr_columns = NF
}
/^ *[^ ]+: / && nr_columns && is_of_interest($1) {
	for (i = 2; i <= nr_columns + 1; i++)
		if ($i != "0")
			counts[column[i]] = counts[column[i]] " " $1 $i
}
/^[0-9]+ \(/ { add_task($0) }

END {
	printf "uptime=%d\n", uptime
	for (i = 1; i <= nr_cpus; i++) {
		cpu = order[i]
		list = tasks_on(cpu)
		if (!(cpu in since))
			since[cpu] = uptime
		else if (counts[cpu] == counts_before[cpu]) {
			list = in_both(list, tasks_before[cpu])
			print_stuck(cpu, since[cpu], uptime, 1, list)
		} else {
			print_stuck(cpu, since[cpu], uptime_before, 0, tasks_before[cpu])
			since[cpu] = uptime
		}
		printf "cpu=%d since=%d tasks=%s counts=%s\n", cpu, since[cpu], list, counts[cpu]
	}
	# One that was taken offline meanwhile was not stuck.
	exit is_open ? 3 : 0
}

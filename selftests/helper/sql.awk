# SPDX-License-Identifier: GPL-2.0
#
# sql.awk: print windows of many hosts on a day of November. Input: JSON lines; those of a host follow each other, and are
# an incident. Each host has five of the incidents again and again, the first ones more often than the others. The seventh
# is new on day 15.
#
# Variables: day, nr_windows (of that day), nr_hosts

# before(text): what is in rest before the text, and the text; rest is what comes after it
function before(text,	at) {
	at = index(rest, text) + length(text)
	text = substr(rest, 1, at - 1)
	rest = substr(rest, at)
	return text
}

{
	rest = $0
	name = before(",\"cpus\"")
	if (name != last)
		nr_incidents++
	last = name
	n = ++nr_lines[nr_incidents]
	to_seq[nr_incidents, n] = ",\"cpus\"" before("\"seq\":")
	seq[nr_incidents, n] = rest + 0
	sub(/^[0-9]+/, "", rest)
	to_time[nr_incidents, n] = before("\"time\":\"")
	second[nr_incidents, n] = substr(rest, length("2026-11-21T04:10:") + 1, 2)
	rest = substr(rest, length("2026-11-21T04:10:02.123456Z") + 1)
	to_ns[nr_incidents, n] = before("\"latency_ns\":")
	ms[nr_incidents, n] = int(rest / 1000000)
	sub(/^[0-9]+/, "", rest)
	to_holder[nr_incidents, n] = before("\"holder\":")
	holder[nr_incidents, n] = rest ~ /^null/ ? "" : rest + 0
	sub(/^(null|[0-9]+)/, "", rest)
	end[nr_incidents, n] = rest
}

# random(): six digits
function random() {
	return sprintf("%06d", 1000000 * rand())
}

function print_incident(c, host, first,	n) {
	for (n = 1; n <= nr_lines[c]; n++)
		print host to_seq[c, n] (first + seq[c, n]) to_time[c, n] when second[c, n] "." random() "Z" to_ns[c, n] \
			ms[c, n] random() to_holder[c, n] (holder[c, n] == "" ? "null" : first + holder[c, n]) end[c, n]
	return nr_lines[c]
}

END {
	per_host = nr_windows / nr_hosts
	for (h = 1; h <= nr_hosts; h++) {
		host = sprintf("{\"schema\":3,\"host\":\"web-%d\",\"boot_id\":\"4f1c-%d\",\"release\":\"6.1.%d\",\"hardware\":\"Dell R64%d, Xeon\"",
			h, h, h % 4, h % 5)
		srand(h)
		for (i = 0; i < 5; i++)
			choice[i] = int(nr_incidents * rand() ^ 3) + 1
		srand(h * 31 + day)
		for (n = 0; n < per_host; ) {
			c = choice[int(5 * rand())]
			when = sprintf("2026-11-%02dT%02d:%02d:", day, 24 * rand(), 60 * rand())
			if (c == 7 && day < 15)
				c = 1
			n += print_incident(c, host, day * 1000 + n)
		}
	}
}

# SPDX-License-Identifier: GPL-2.0
#
# difference.awk: reads counters twice, as they were and as they are. Prints lines of which a
# number has changed, each number as by how much. A line is known by its first word, and by
# whose it is; with hex (softnet_stat) by its CPU.

function value(word,	at, x) {
	if (!hex)
		return word + 0
	x = 0
	for (at = 1; at <= length(word); at++)
		x = x * 16 + index("0123456789abcdef", substr(word, at, 1)) - 1
	return x
}
function line_name() {
	if (hex)
		return FNR
	if ($1 ~ /^cpu[0-9]/)
		owner = $1
	return $1 ~ /^domain/ ? owner " " $1 : $1
}
FNR == NR { before[line_name()] = $0; next }
{
	name = line_name()
	if (!(name in before)) {
		print "new: " $0
		next
	}
	if ($0 == before[name])
		next
	n = split(before[name], old, " ")
	if (n != NF) {
		print "different: " $0
		next
	}
	text = hex ? "CPU " FNR - 1 ":" : $1
	for (i = hex ? 1 : 2; i <= NF; i++)
		text = text " " ($i ~ (hex ? "^[0-9a-f]+$" : "^[0-9]+$") ? \
			sprintf("%.0f", value($i) - value(old[i])) : $i)
	print text
}

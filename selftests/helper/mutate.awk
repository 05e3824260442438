# SPDX-License-Identifier: GPL-2.0
#
# mutate.awk: read good files. For each case N from first to last, write one to three mutated files dir/N.FILE,
# and print N. The same seed_of_all makes the same cases in the same awk.

function below(n) {
	return int(rand() * n)
}

# Words that may forge JSON, break a pattern, run in a shell, or exceed the range of a number.
BEGIN {
	nr_tokens = split("\"~\\~,\"x\":1~1e999~-1~0x10~007~99999999999999999999999999~4294967296~18446744073709551615~" \
		"%s%n~$(touch${IFS}x)~`id`~\\u0000~=~:~;~,~{~}~[~]~NaN~inf~1.5~+~-~.~..~/~*~|~0-99999999~9-1~" \
		"cpu:~COMMAND:~AT:~PID:~sample=~stack=~->~ ~\t~\r~", token, "~")
}

{
	name = FILENAME
	sub(/.*\//, "", name)
	if (!(name in nr_lines))
		names[++nr_names] = name
	good[name, ++nr_lines[name]] = $0
}

function replace(text, at, length_of, by) {
	return substr(text, 1, at - 1) by substr(text, at + length_of)
}

# other_number(text): replace a number in the text, if it has one
function other_number(text,	from, at) {
	from = below(length(text)) + 1
	at = match(substr(text, from), /[0-9]+/)
	return at ? replace(text, from + at - 1, RLENGTH, token[below(nr_tokens) + 1]) : text
}

function mutated(text,	kind, at, other) {
	kind = below(8)
	at = below(length(text) + 1) + 1
	if (kind == 0)
		return replace(text, at, 1, sprintf("%c", below(254) + 1))
	if (kind == 1)
		return replace(text, at, below(3), token[below(nr_tokens) + 1])
	if (kind == 2)
		return replace(text, at, below(20), "")
	if (kind == 3)
		return substr(text, 1, at - 1)
	if (kind == 4)
		return text substr(text, at)
	if (kind == 5) {
		other = names[below(nr_names) + 1]
		return good[other, below(nr_lines[other]) + 1]
	}
	return other_number(text)
}

function write_case(file, path,	i, n, line, count, from) {
	n = nr_lines[file]
	for (i = 1; i <= n; i++)
		line[i] = good[file, i]
	for (count = below(4) + 1; count > 0; count--) {
		i = below(n) + 1
		if (below(5))
			line[i] = mutated(line[i])
		else {
			# Repeat a line, or replace one line by another.
			from = below(n) + 1
			if (below(2))
				line[++n] = line[from]
			else
				line[i] = line[from]
		}
	}
	printf "" >path
	for (i = 1; i <= n; i++)
		print line[i] >path
	close(path)
}

END {
	split("records records records records active active status status status histogram histogram " \
		"cgroups host_cpus host_cpus active", choice, " ")
	for (number = first; number <= last; number++) {
		# A case must not depend on the size of its batch.
		srand((seed_of_all * 100003 + number) % 2147483647)
		rand()
		for (i = 0; i < 3; i++) {
			chosen = choice[below(15) + 1]
			write_case(chosen, dir "/" number "." chosen)
		}
		print number
	}
}

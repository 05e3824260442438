# SPDX-License-Identifier: GPL-2.0
#
# fish.awk: the completion for fish.

function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

function spelled(word) {
	return word ~ /^--/ ? "-l " substr(word, 3) : "-s " substr(word, 2)
}

# arguments(kind): what may follow
function arguments(kind) {
	if (kind == "file")
		return " -r -F"
	if (kind == "host")
		return " -x -a '(__fish_print_hostnames)'"
	return " -x -a " quoted(kind)
}

function print_all(	c, o, i, n, words, name, here, nr_helps, helps, line) {
	print "complete -c trace-irqoff -f"
	for (c = 1; c <= nr_commands; c++) {
		name = command[c, "name"]
		print "complete -c trace-irqoff -n __fish_use_subcommand -k -a " name " -d " \
			quoted(command[c, "help"])
		here = "complete -c trace-irqoff -n '__fish_seen_subcommand_from " name "'"
		for (o = 1; o <= nr_options[c]; o++) {
			n = spellings(c, o, words)
			# "this; that": one for each.
			nr_helps = option[c, o, "or"] == "" ? 0 : split(option[c, o, "help"], helps, "; ")
			# "-u" and "--unload" are one option, "--json" and "--folded" are two.
			line = here
			for (i = 1; i <= n; i++) {
				line = line " " spelled(words[i])
				if (i == n || nr_helps == n) {
					print line (option[c, o, "argument"] == "" ? "" : \
						arguments(option[c, o, "complete"])) " -d " \
						quoted(nr_helps == n ? helps[i] : option[c, o, "help"])
					line = here
				}
			}
		}
		if (command[c, "operand"] != "")
			print here arguments(command[c, "complete"])
	}
}

END {
	if (failed)
		exit 1
	print_all()
}

# SPDX-License-Identifier: GPL-2.0
#
# zsh.awk: the completion for zsh.

# quoted(text): within single quotes, and where brackets and colons mean something
function quoted(text) {
	gsub(/'/, "'\\''", text)
	gsub(/\[|\]|:/, "\\\\&", text)
	return text
}

function action(kind) {
	if (kind == "file")
		return "_files"
	if (kind == "host")
		return "_hosts"
	return "(" kind ")"
}

# print_option(c, o): a line for each of its spellings, of which one is enough
function print_option(c, o,	i, n, words, help, nr_helps, helps, all, line) {
	n = spellings(c, o, words)
	nr_helps = option[c, o, "or"] == "" ? 0 : split(option[c, o, "help"], helps, "; ")
	all = words[1]
	for (i = 2; i <= n; i++)
		all = all " " words[i]
	for (i = 1; i <= n; i++) {
		help = nr_helps == n ? helps[i] : option[c, o, "help"]
		line = "\t\t\t'(" all ")" words[i] "[" quoted(help) "]"
		if (option[c, o, "argument"] != "")
			line = line ":" option[c, o, "argument"] ":" action(option[c, o, "complete"])
		print line "' \\"
	}
}

function print_all(	c, o) {
	print "_trace_irqoff_commands() {"
	print "\tlocal -a commands"
	print "\tcommands=("
	for (c = 1; c <= nr_commands; c++)
		print "\t\t'" command[c, "name"] ":" quoted(command[c, "help"]) "'"
	print "\t)"
	print "\t_describe -V command commands"
	print "}"
	print ""
	print "_trace_irqoff() {"
	print "\tif ((CURRENT == 2)); then"
	print "\t\t_trace_irqoff_commands"
	print "\t\treturn"
	print "\tfi"
	print "\tshift words"
	print "\t((CURRENT--))"
	print "\tcase $words[1] in"
	for (c = 1; c <= nr_commands; c++)
		if (nr_options[c] || command[c, "operand"] != "") {
			print "\t" command[c, "name"] ")"
			print "\t\t_arguments \\"
			for (o = 1; o <= nr_options[c]; o++)
				print_option(c, o)
			if (command[c, "operand"] != "")
				print "\t\t\t'1:" command[c, "operand"] ":" \
					action(command[c, "complete"]) "' \\"
			print "\t\t\t&& return ;;"
		}
	print "\tesac"
	print "}"
	print ""
	print "_trace_irqoff \"$@\""
}

END {
	if (failed)
		exit 1
	print_all()
}

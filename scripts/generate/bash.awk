# SPDX-License-Identifier: GPL-2.0
#
# bash.awk: what completions/trace-irqoff.bash has to know of the table, as functions.

function print_all(	c, o, i, n, words, names) {
	names = ""
	for (c = 1; c <= nr_commands; c++)
		names = names (c > 1 ? " " : "") command[c, "name"]
	print "_trace_irqoff_commands=\"" names "\""
	print ""
	print "# Of a command: its options."
	print "_trace_irqoff_options() {"
	print "\tcase $1 in"
	for (c = 1; c <= nr_commands; c++)
		if (nr_options[c]) {
			names = ""
			for (o = 1; o <= nr_options[c]; o++) {
				n = spellings(c, o, words)
				for (i = 1; i <= n; i++)
					names = names (names == "" ? "" : " ") words[i]
			}
			print "\t" command[c, "name"] ") echo \"" names "\" ;;"
		}
	print "\tesac"
	print "}"
	print ""
	print "# Of \"COMMAND OPTION\", or of a command's operand: \"file\", \"host\" or"
	print "# examples; fails where no argument is taken."
	print "_trace_irqoff_argument() {"
	print "\tcase $1 in"
	for (c = 1; c <= nr_commands; c++) {
		if (command[c, "operand"] != "")
			print "\t\"" command[c, "name"] " OPERAND\") echo \"" command[c, "complete"] "\" ;;"
		for (o = 1; o <= nr_options[c]; o++)
			if (option[c, o, "argument"] != "")
				print "\t\"" command[c, "name"] " " option[c, o, "name"] "\") echo \"" \
					option[c, o, "complete"] "\" ;;"
	}
	print "\t*) return 1 ;;"
	print "\tesac"
	print "}"
	print ""
	print "# Options of which one is enough, that one excluded."
	print "_trace_irqoff_same() {"
	print "\tcase \"$1 $2\" in"
	for (c = 1; c <= nr_commands; c++)
		for (o = 1; o <= nr_options[c]; o++) {
			n = spellings(c, o, words)
			for (i = 1; n > 1 && i <= n; i++)
				print "\t\"" command[c, "name"] " " words[i] "\") echo \"" \
					words[3 - i] "\" ;;"
		}
	print "\tesac"
	print "}"
}

END {
	if (failed)
		exit 1
	print_all()
}

# SPDX-License-Identifier: GPL-2.0
#
# man.awk: reads the table, and then (after page=1) the man page, in which these lines become
# what the table has:
#
#   @synopsis@			all commands and their options
#   @COMMAND OPTION...@		the head of a paragraph on these options
#
# It fails when an option has no paragraph, or one that the table does not have.

function roff(text) {
	gsub(/-/, "\\-", text)
	return text
}

function bold(text) {
	return "\\fB" roff(text) "\\fR"
}

function italic(text) {
	return "\\fI" roff(text) "\\fR"
}

# add(plain, marked): to the line, or to the next one when it gets too long
function add(plain, marked) {
	if (width + 1 + length(plain) > 70) {
		line = line sprintf("\n%" indent "s", "")
		width = indent - 1
	} else
		line = line " "
	line = line marked
	width += 1 + length(plain)
}

function print_command(c,	o, name, argument, other) {
	line = "\\fBtrace-irqoff " command[c, "name"] "\\fR"
	indent = length("trace-irqoff " command[c, "name"] " ")
	width = indent - 1
	for (o = 1; o <= nr_options[c]; o++) {
		name = option[c, o, "name"]
		argument = option[c, o, "argument"]
		other = option[c, o, "or"]
		if (argument != "")
			add("[" name " " argument "]", "[" bold(name) " " italic(argument) "]")
		else if (other != "")
			add("[" name " | " other "]", "[" bold(name) " | " bold(other) "]")
		else
			add("[" name "]", "[" bold(name) "]")
	}
	if (command[c, "operand"] != "")
		add(command[c, "operand"], italic(command[c, "operand"]))
	print line
}

# Those without options share the last line.
function print_synopsis(	c, bare) {
	bare = ""
	for (c = 1; c <= nr_commands; c++)
		if (nr_options[c] || command[c, "operand"] != "")
			print_command(c)
		else
			bare = bare (bare == "" ? "\\fBtrace-irqoff " command[c, "name"] "\\fR" : \
				" | " bold(command[c, "name"]))
	print bare
}

# find(name, word): sets found_c and found_o to that option of that command
function find(name, word,	c, o, i, n, words) {
	for (c = 1; c <= nr_commands; c++)
		for (o = 1; command[c, "name"] == name && o <= nr_options[c]; o++) {
			n = spellings(c, o, words)
			for (i = 1; i <= n; i++)
				if (words[i] == word) {
					found_c = c
					found_o = o
					described[name " " word] = 1
					return
				}
		}
	fail("the man page has " name " " word ", which is no option")
}

function print_head(	n, words, i, text) {
	n = split(substr($0, 2, length($0) - 2), words, " ")
	text = ""
	for (i = 2; i <= n; i++) {
		find(words[1], words[i])
		text = text (i > 2 ? " \", \" " : "") roff(words[i])
	}
	print ".TP"
	if (n > 2)
		print ".BR " text
	else if (option[found_c, found_o, "argument"] != "")
		print ".BI " text " \" " option[found_c, found_o, "argument"] "\""
	else
		print ".B " text
}

function check_all(	c, o, i, n, words) {
	for (c = 1; c <= nr_commands && !failed; c++)
		for (o = 1; o <= nr_options[c]; o++) {
			n = spellings(c, o, words)
			for (i = 1; i <= n; i++)
				if (!((command[c, "name"] " " words[i]) in described))
					fail("the man page has no " command[c, "name"] " " words[i])
		}
}

page && /^@synopsis@$/ { print_synopsis(); next }
page && /^@.*@$/ { print_head(); next }
page { print }

END { check_all() }

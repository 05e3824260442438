# SPDX-License-Identifier: GPL-2.0
#
# help.awk: the text of "trace-irqoff help".

# wrap(text, first, next, width): lines that are no wider than that, if words allow
function wrap(text, first, rest_of, width,	n, words, i, line, done) {
	n = split(text, words, " ")
	done = ""
	line = first
	for (i = 1; i <= n; i++) {
		if (i > 1 && length(line) + 1 + length(words[i]) > width) {
			done = done line "\n"
			line = rest_of words[i]
		} else
			line = line (i > 1 ? " " : "") words[i]
	}
	return done line "\n"
}

# labelled(label, text, indent, width): the text beside its label
function labelled(label, text, indent, width,	first, column) {
	column = sprintf("%" (indent + width) "s", "")
	first = sprintf("%" indent "s%-" width "s", "", label)
	if (length(label) >= width)
		first = first "  "
	return wrap(text, first, column, 82)
}

# shown(o): an option of command c, as help shows it
function shown(c, o,	text) {
	text = option[c, o, "name"]
	if (option[c, o, "or"] != "")
		text = text ", " option[c, o, "or"]
	if (option[c, o, "argument"] != "" && !option[c, o, "like"])
		text = text " " (option[c, o, "example"] != "" ? option[c, o, "example"] : \
			option[c, o, "argument"])
	return text
}

function help_of(c,	o, text, above, own) {
	text = command[c, "help"]
	above = ""
	own = 0
	for (o = 1; o <= nr_options[c]; o++)
		if (option[c, o, "like"])
			above = above (above == "" ? "" : ", ") shown(c, o)
		else
			own++
	# In the line of the command, where that is all there is.
	if (!own && above != "")
		text = text " (" above " as above)"
	if (nr_options[c] == 1 && own && option[c, 1, "argument"] == "") {
		text = text " (" shown(c, 1) ": " option[c, 1, "help"] ")"
		own = 0
	}
	text = labelled(command[c, "name"] \
		(command[c, "operand"] == "" ? "" : " " command[c, "operand"]), text, 2, 9)
	for (o = 1; own && o <= nr_options[c]; o++)
		if (!option[c, o, "like"])
			text = text labelled(shown(c, o), option[c, o, "help"], 13, 11)
	if (own && above != "")
		text = text labelled(above, "as above", 13, 11)
	return text
}

function print_all(	c) {
	print "usage: trace-irqoff COMMAND [OPTION]..."
	print ""
	print "Who kept interrupts off, or softirqs or tasks from running, on this host?"
	print ""
	for (c = 1; c <= nr_commands; c++)
		printf "%s", help_of(c)
	print ""
	print "It ends with 0 when nothing was found, 3 when windows were, 1 when it failed, and"
	print "2 when it was not understood."
}

END {
	if (failed)
		exit 1
	print_all()
}

# SPDX-License-Identifier: GPL-2.0
#
# table.awk: reads scripts/commands, for the programs beside it, which are run together with
# it and print one thing each. They have, of command c (1 to nr_commands) and its option o
# (1 to nr_options[c]):
#
#   command[c, "name"], "operand", "also", "complete", "help"
#   option[c, o, "name"], "argument", "also", "or", "sets", "check", "default", "example",
#   "complete", "help"; what is not there is "". "like" is the command that has this option
#   first, or 0.

function fail(text) {
	print "scripts/commands, line " FNR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}

# rest(): the line after its first word
function rest(	text) {
	text = $0
	sub(/^[ \t]*[^ \t]+[ \t]*/, "", text)
	return text
}

function new_option(name, argument) {
	o = ++nr_options[c]
	option[c, o, "name"] = name
	option[c, o, "argument"] = argument
	option[c, o, "also"] = option[c, o, "or"] = option[c, o, "sets"] = ""
	option[c, o, "check"] = option[c, o, "default"] = option[c, o, "example"] = ""
	option[c, o, "complete"] = option[c, o, "help"] = ""
	option[c, o, "like"] = 0
}

# like(name): of the first command that has it
function like(name,	i, j, key, keys, n) {
	for (i = 1; i < c; i++)
		for (j = 1; j <= nr_options[i]; j++)
			if (option[i, j, "name"] == name) {
				new_option(name, option[i, j, "argument"])
				n = split("also or sets check default example complete help", keys, " ")
				for (key = 1; key <= n; key++)
					option[c, o, keys[key]] = option[i, j, keys[key]]
				option[c, o, "like"] = i
				return
			}
	fail("no command above has " name)
}

# spellings(c, o, list): all words that are this option, into list; returns how many
function spellings(c, o, list) {
	return split(option[c, o, "name"] " " option[c, o, "or"] " " option[c, o, "also"], list, " ")
}

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

BEGIN {
	nr_commands = failed = 0
	# The table comes first; a page after it is read by another program.
	page = 0
}

!page && !/^#/ && NF > 0 {
	if ($1 == "command") {
		c = ++nr_commands
		o = nr_options[c] = 0
		command[c, "name"] = $2
		command[c, "operand"] = NF > 2 ? $3 : ""
		command[c, "also"] = command[c, "complete"] = command[c, "help"] = ""
	} else if ($1 == "option")
		new_option($2, NF > 2 ? $3 : "")
	else if ($1 == "like") {
		for (word = 2; word <= NF; word++)
			like($word)
	} else if ($1 ~ /^(also|complete|help)$/ && !o)
		command[c, $1] = rest()
	else if ($1 ~ /^(also|or|sets|check|default|example|complete|help)$/ && o)
		option[c, o, $1] = rest()
	else
		fail("what is " $1 "?")
}

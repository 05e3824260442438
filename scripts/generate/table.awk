# SPDX-License-Identifier: GPL-2.0
#
# table.awk: reads scripts/commands-and-options, for the programs beside it, which are run together with
# it and print one thing each. They have, of command c (1 to nr_commands) and its option o
# (1 to nr_options[c]):
#
#   command[c, "name"], "operand", "also", "complete", "help"
#   option[c, o, "name"], "argument", "also", "or", "sets", "check", "default", "example",
#   "complete", "help"; what is not there is "". "like" is the command that has this option
#   first, or 0.

function fail(why) {
	print FILENAME ", line " FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

# rest(): the line after its first word
function rest(	remains) {
	remains = $0
	sub(/^[ \t]*[^ \t]+[ \t]*/, "", remains)
	return remains
}

function new_option(name, argument) {
	last = ++nr_options[nr_commands]
	nr_keys = split("also or sets check default example complete help", all_keys, " ")
	for (key_at = 1; key_at <= nr_keys; key_at++)
		option[nr_commands, last, all_keys[key_at]] = ""
	option[nr_commands, last, "name"] = name
	option[nr_commands, last, "argument"] = argument
	option[nr_commands, last, "like"] = 0
}

# like(name): of the first command that has it
function like(name,	i, j) {
	for (i = 1; i < nr_commands; i++)
		for (j = 1; j <= nr_options[i]; j++)
			if (option[i, j, "name"] == name) {
				new_option(name, option[i, j, "argument"])
				for (key_at = 1; key_at <= nr_keys; key_at++)
					option[nr_commands, last, all_keys[key_at]] = \
						option[i, j, all_keys[key_at]]
				option[nr_commands, last, "like"] = i
				return
			}
	fail("no command above has " name)
}

# spellings(c, o, list): all words that are this option, into list; returns how many
function spellings(c, o, list) {
	return split(option[c, o, "name"] " " option[c, o, "or"] " " option[c, o, "also"], list, " ")
}

BEGIN {
	nr_commands = failed = last = 0
	# The table comes first; a page after it is read by another program.
	page = 0
}

!page && !/^#/ && NF > 0 {
	if ($1 == "command") {
		nr_commands++
		last = nr_options[nr_commands] = 0
		command[nr_commands, "name"] = $2
		command[nr_commands, "operand"] = NF > 2 ? $3 : ""
		command[nr_commands, "also"] = command[nr_commands, "complete"] = ""
		command[nr_commands, "help"] = ""
	} else if ($1 == "option")
		new_option($2, NF > 2 ? $3 : "")
	else if ($1 == "like") {
		for (word_at = 2; word_at <= NF; word_at++)
			like($word_at)
	} else if ($1 ~ /^(also|complete|help)$/ && !last)
		command[nr_commands, $1] = rest()
	else if ($1 ~ /^(also|or|sets|check|default|example|complete|help)$/ && last) {
		if (option[nr_commands, last, $1] != "" && !option[nr_commands, last, "like"])
			fail("a second " $1)
		option[nr_commands, last, $1] = rest()
	}
	else
		fail("what is " $1 "?")
}

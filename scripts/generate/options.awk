# SPDX-License-Identifier: GPL-2.0
#
# options.awk: the table as shell, for src/parse-options.sh and src/main.sh.

# add_case(key, body): a case of find_option(); those with the same body become one
function add_case(key, body) {
	if (!(body in patterns)) {
		order[++nr_bodies] = body
		patterns[body] = "\"" key "\""
	} else
		patterns[body] = patterns[body] " | \"" key "\""
}

function or_empty(text) {
	return text == "" ? "''" : text
}

function option_body(sets, check, value) {
	return "option_sets=" or_empty(sets) " option_check=" or_empty(check) \
		" option_value=" or_empty(value)
}

function add_option(c, o,	i, n, words, value) {
	n = spellings(c, o, words)
	for (i = 1; i <= n; i++) {
		value = ""
		if (option[c, o, "check"] == "")
			value = option[c, o, "or"] == "" ? 1 : substr(words[i], 3)
		add_case(command[c, "name"] " " words[i],
			option_body(option[c, o, "sets"], option[c, o, "check"], value))
	}
}

function print_defaults(	c, o, name, sets, here) {
	print "# option_defaults COMMAND"
	print "option_defaults() {"
	for (c = 1; c <= nr_commands; c++)
		for (o = 1; o <= nr_options[c]; o++) {
			name = option[c, o, "sets"]
			if (!(name in sets)) {
				sets[name] = 1
				print "\topt_" name "=''"
			}
		}
	print "\tcase $1 in"
	for (c = 1; c <= nr_commands; c++) {
		here = ""
		for (o = 1; o <= nr_options[c]; o++)
			if (option[c, o, "default"] != "")
				here = here (here == "" ? "" : " ") "opt_" option[c, o, "sets"] \
					"=" option[c, o, "default"]
		if (here != "")
			print "\t" command[c, "name"] ") " here " ;;"
	}
	print "\tesac"
	print "}"
}

function print_all(	c, o, i, n, words, text) {
	nr_bodies = 0
	print "# find_command WORD: sets command; fails when there is none of that name"
	print "find_command() {"
	print "\tcase $1 in"
	for (c = 1; c <= nr_commands; c++) {
		n = split(command[c, "also"], words, " ")
		text = command[c, "name"]
		for (i = 1; i <= n; i++)
			text = text " | " words[i]
		print "\t" text ") command=" command[c, "name"] " ;;"
	}
	print "\t*) return 1 ;;"
	print "\tesac"
	print "}"
	print ""
	print_defaults()
	print ""
	print "# find_option COMMAND OPTION: sets what that is; fails when COMMAND does not take it"
	print "find_option() {"
	print "\tcase \"$1 $2\" in"
	for (c = 1; c <= nr_commands; c++) {
		if (command[c, "operand"] != "")
			add_case(command[c, "name"] " OPERAND", option_body("", "", ""))
		for (o = 1; o <= nr_options[c]; o++)
			add_option(c, o)
	}
	for (i = 1; i <= nr_bodies; i++)
		print "\t" patterns[order[i]] ") " order[i] " ;;"
	print "\t*) return 1 ;;"
	print "\tesac"
	print "}"
}

END {
	if (failed)
		exit 1
	print_all()
}

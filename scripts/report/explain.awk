# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=explain: what is known of functions. Input: their names, also as logs print them: "name+0x2d1/0xd20 [module]".
#
# Owns:
#	word[1 ... nr_words]	the names, each once; is_word[name]: the set of them
#	is_explained[i]	line i of the known causes was printed

BEGIN { nr_words = 0 }

function parse_functions(line,	n, i, part, name, module) {
	# What cannot be printed has become an escape: tabs and colours.
	gsub(/\\x(09|1b\[[0-9;]*m)/, " ", line)
	gsub(/ +\[/, "[", line)
	n = split(line, part, /[ ;<>?,()"'`]+/)
	for (i = 1; i <= n; i++) {
		name = part[i]
		sub(/^[0-9a-f]+:/, "", name)
		module = match(name, /\[[A-Za-z0-9_]+/) ? substr(name, RSTART, RLENGTH) "]" : ""
		if (sub(/[+](0x[0-9a-f]|[0-9]).*/, "", name))
			name = name module
		if (name ~ /^([A-Za-z_][A-Za-z0-9_.$]*)?(\[[A-Za-z0-9_]+\])?$/ && name != "" && !(name in is_word)) {
			word[++nr_words] = name
			is_word[name] = 1
		}
	}
}

# Prints the causes with this function. Returns their number.
function explain_causes(name,	i, one, nr) {
	one[1] = name
	nr = 0
	for (i = 1; i <= nr_causes; i++) {
		if (!has_cause_frame(cause[i, "pattern"], 1, one) && \
		    !(cause[i, "second"] != "" && has_cause_frame(cause[i, "second"], 1, one)))
			continue
		nr++
		if (i in is_explained)
			continue
		is_explained[i] = 1
		print name " (" cause[i, "kinds"] (cause[i, "second"] == "" ? "" : ", with " cause[i, "second"] " on the stack") ")"
		nr_facts = 0
		add_cause_facts(i, 0)
		add_fact("helps", helps_text(i))
		add_fact("state", state_text(i))
		add_fact("since", cause[i, "since"])
		add_fact("source", cause[i, "source"])
		print_facts()
	}
	return nr
}

function explain_class(name) {
	print_text_line(name ": ", why_helping(plain(name)) (is_a("lock", name) ? ". The holder is named instead, if it has a window" : \
		is_a("cpus", name) ? ". The CPU that does not answer is named instead, if it has a window" : \
		". Named only if samples show nothing else"), "    ")
}

# Returns whether something is known.
function print_explained(	k, found, unknown, nr_unknown, is_helper, is_known) {
	nr_unknown = found = 0
	unknown = ""
	if (!nr_words)
		print "There is no name of a function in the input. It would look like foo or foo+0x2d1/0xd20."
	for (k = 1; k <= nr_words; k++) {
		is_helper = why_helping(plain(word[k])) != ""
		is_known = explain_causes(word[k])
		if (is_helper)
			explain_class(word[k])
		if (is_known || is_helper)
			found = 1
		else if (++nr_unknown <= 20)
			unknown = (unknown == "" ? "" : unknown ", ") word[k]
	}
	if (nr_unknown)
		print_text_line(unknown (nr_unknown > 20 ? " and " nr_unknown - 20 " more" : "") ": ", "no cause is known. Explain " \
			"the other functions of \"path\" in a report, too, search kernel.org's CVE records, and ask your kernel's vendor. " \
			"If you find the cause, add it to /etc/trace-irqoff/causes.tsv.", "    ")
	return found
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=explain: what is known of functions. Input: names; or with is_log, lines of a kernel log, of which only
# words such as "name+0x2d1/0xd20 [module]" count if there are any.
#
# Owns:
#	word[1 ... nr_words], logged[1 ... nr_logged]	names alone, and those with an offset; each once
#	is_word[name], is_logged[name]	sets of the same names
#	is_explained[i]	line i of the known causes was printed

BEGIN {
	nr_words = nr_logged = 0
	MAX_NAMES = 1000
}

function parse_functions(line,	n, i, part, name, module) {
	# What cannot be printed has become an escape: tabs and colours.
	gsub(/\\x(09|1b\[[0-9;]*m)/, " ", line)
	gsub(/ +\[/, "[", line)
	n = split(line, part, /[ ;<>?,()"'`]+/)
	for (i = 1; i <= n; i++) {
		name = part[i]
		sub(/^[0-9a-f]+:/, "", name)
		module = match(name, /\[[A-Za-z0-9_]+/) ? substr(name, RSTART, RLENGTH) "]" : ""
		if (name ~ /^[A-Za-z_][A-Za-z0-9_.$]*[+](0x[0-9a-f]|[0-9])/) {
			sub(/[+].*/, "", name)
			if (!((name module) in is_logged))
				logged[++nr_logged] = name module
			is_logged[name module] = 1
		} else if (name ~ /^([A-Za-z_][A-Za-z0-9_.$]*)?(\[[A-Za-z0-9_]+\])?$/ && name != "" && !(name in is_word)) {
			word[++nr_words] = name
			is_word[name] = 1
		}
	}
}

# Prints the causes with function name[k] of n functions. Returns their number.
function explain_causes(k, n, name,	i, one, nr, is_second) {
	one[1] = name[k]
	nr = 0
	for (i = 1; i <= nr_causes; i++) {
		is_second = cause[i, "second"] != "" && has_cause_frame(cause[i, "second"], 1, one)
		if (!is_second && !has_cause_frame(cause[i, "pattern"], 1, one))
			continue
		# A log has the whole stack: SECOND has to be on it.
		if (is_log && n > 1 && (is_second || cause[i, "second"] != "" && !has_cause_frame(cause[i, "second"], n, name)))
			continue
		nr++
		if (i in is_explained)
			continue
		is_explained[i] = 1
		print name[k] " (" cause[i, "kinds"] (cause[i, "second"] == "" ? "" : ", with " cause[i, "second"] " on the stack") ")"
		nr_facts = 0
		add_cause_facts(i, 0)
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
function print_explained(	n, k, name, found, unknown, nr_unknown, is_helper, is_known) {
	n = nr_unknown = found = 0
	unknown = ""
	for (k = 1; k <= nr_logged; k++)
		name[++n] = logged[k]
	for (k = 1; k <= nr_words && !(is_log && nr_logged); k++)
		name[++n] = word[k]
	if (!n)
		print "There is no name of a function in the input. It would look like foo or foo+0x2d1/0xd20."
	for (k = 1; k <= n && k <= MAX_NAMES; k++) {
		is_helper = why_helping(plain(name[k])) != ""
		is_known = explain_causes(k, n, name)
		if (is_helper && (!is_log || is_a("lock cpus", name[k]))) {
			explain_class(name[k])
			is_known = 1
		}
		if (is_known)
			found = 1
		else if (!is_helper && ++nr_unknown <= 20)
			unknown = (unknown == "" ? "" : unknown ", ") name[k]
	}
	# A stack of functions that are never named alone
	for (k = 1; k <= n && k <= MAX_NAMES && !found && !nr_unknown; k++)
		explain_class(name[k])
	if (nr_unknown && !(found && is_log))
		print_text_line(unknown (nr_unknown > 20 ? " and " nr_unknown - 20 " more" : "") ": ", "no cause is known. Explain " \
			"the callers, too (\"path\" in a report), search kernel.org's CVE records, and ask your kernel's vendor. " \
			"If you find the cause, add it to /etc/trace-irqoff/causes.tsv.", "    ")
	return found || n && !nr_unknown
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=explain: what is known of functions. Input: names, or lines of a kernel log, of which only what
# looks as "name+0x2d1/0xd20 [module]" counts.
#
# Owns:
#	word[1 ... nr_words], logged[1 ... nr_logged]	names alone, and those with an offset; each once
#	is_word[name], is_logged[name]	which these are
#	is_explained[i]	line i of the known causes was printed

BEGIN {
	nr_words = nr_logged = 0
}

function parse_functions(line,	n, i, part, name, module) {
	gsub(/[ \t]+\[/, "[", line)
	n = split(line, part, /[ \t;<>?,()]+/)
	for (i = 1; i <= n; i++) {
		name = part[i]
		sub(/^[0-9a-f]+:/, "", name)
		module = match(name, /\[[A-Za-z0-9_]+/) ? substr(name, RSTART, RLENGTH) "]" : ""
		if (name ~ /^[A-Za-z_][A-Za-z0-9_.$]*[+]0x[0-9a-f]/) {
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
		if (i in is_explained || !is_second && !has_cause_frame(cause[i, "pattern"], 1, one))
			continue
		# All functions of a stack are known.
		if (nr_logged > 1 && (is_second || cause[i, "second"] != "" && !has_cause_frame(cause[i, "second"], n, name)))
			continue
		is_explained[i] = 1
		nr++
		print name[k] " (" cause[i, "kinds"] (cause[i, "second"] == "" ? "" : ", with " cause[i, "second"] " on the stack") ")"
		nr_facts = 0
		add_cause_facts(i, 0)
		add_fact("since", cause[i, "since"])
		add_fact("source", cause[i, "source"])
		print_facts()
	}
	return nr
}

# Returns whether something is known.
function explain_name(k, n, name,	nr, why) {
	nr = explain_causes(k, n, name)
	why = why_helping(plain(name[k]))
	if (why == "" || nr_logged > 1 && !is_a("lock cpus", name[k]))
		return nr
	print_text_line(name[k] ": ", why (is_a("lock", name[k]) ? ". The holder is named instead, if it has a window" : \
		is_a("cpus", name[k]) ? ". The CPU that does not answer is named instead, if it has a window" : \
		". Named only if samples show nothing else"), "    ")
	return nr + 1
}

function print_explained(	n, k, name, found, unknown) {
	n = nr_logged ? nr_logged : nr_words
	unknown = ""
	found = 0
	for (k = 1; k <= n; k++)
		name[k] = nr_logged ? logged[k] : word[k]
	for (k = 1; k <= n; k++)
		if (explain_name(k, n, name))
			found = 1
		else
			unknown = unknown (unknown == "" ? "" : ", ") name[k]
	if (unknown != "" && !(found && nr_logged > 1))
		print_text_line(unknown ": ", "no cause is known. Explain the callers, too (\"path\" in a report), search " \
			"kernel.org's CVE records, and ask your kernel's vendor. If you find the cause, add it to " \
			"/etc/trace-irqoff/causes.tsv.", "    ")
	return found
}

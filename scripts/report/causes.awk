# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Known causes (../causes.tsv, and the file of this host): which one a culprit may be, and what fixes
# it. The report never says that a kernel is affected: vendors take fixes into older kernels.
#
# Owns:
#	cause[1 ... nr_causes, field]	the fields of causes.tsv, as named below, and the title of the commit
#	suspect_text[what, name]	what the host was asked after the run: see parse_suspect()
#	is_maybe[c]	the cause of culprit c is not certain
#	known_cause_of[c], known_frame[frame], all_patterns	caches

BEGIN {
	nr_cause_fields = split("pattern kinds second text fixed commit helps state source since", cause_field, " ")
	nr_causes = 0
	all_patterns = ""
	while ((own_cause = own_line(ENVIRON["REPORT_CAUSES"])) != "")
		add_cause(own_cause)
	add_causes()
}

function add_cause(line,	i, part) {
	split(line, part, "\t")
	nr_causes++
	for (i = 1; i <= nr_cause_fields; i++)
		cause[nr_causes, cause_field[i]] = part[i] == "-" ? "" : printable(part[i])
	cause[nr_causes, "title"] = ""
	if (match(cause[nr_causes, "commit"], / \(".*"\)$/)) {
		cause[nr_causes, "title"] = substr(cause[nr_causes, "commit"], RSTART + 2, RLENGTH - 3)
		cause[nr_causes, "commit"] = substr(cause[nr_causes, "commit"], 1, RSTART - 1)
	}
	all_patterns = all_patterns (nr_causes > 1 ? "|" : "") printable(part[1])
}

function module_of(frame) {
	return match(frame, /\[[^]]*\]$/) ? substr(frame, RSTART) : ""
}

function is_cause_frame(pattern, frame) {
	return plain(frame) ~ ("^(" pattern ")$") || module_of(frame) ~ ("^(" pattern ")$")
}

function has_cause_frame(pattern, n, frame,	k) {
	for (k = 1; k <= n; k++)
		if (is_cause_frame(pattern, frame[k]))
			return k
	return 0
}

# Most frames are in no cause.
function is_known_frame(frame) {
	if (!(frame in known_frame))
		known_frame[frame] = is_cause_frame(all_patterns, frame)
	return known_frame[frame]
}

# The frames of culprit c as frame[1] ...: its function, what it called for most of the time, and from
# frame[first_caller] on its callers, each nearest first. Returns their number.
function cause_frames(c, frame,	n, i, part, nr) {
	frame[1] = c_function[c]
	nr = 1
	for (i = split(c_samples[c] ? c_inside[c] : "", part, " < "); i > 0; i--)
		frame[++nr] = part[i]
	first_caller = nr + 1
	n = split(c_callers[c], part, " < ")
	for (i = 1; i <= n; i++)
		frame[++nr] = part[i]
	return nr
}

# Whether a frame is of another module than the function of a cause, or the match of a rule, or a BPF program.
function is_foreign(frame, function_of_cause) {
	return module_of(frame) != "" && module_of(frame) != module_of(function_of_cause) || \
	       plain(frame) ~ /(_mt|_tg)(_v?[0-9]+)?$|bpf_prog|bpf_dispatcher/
}

# Whether the time of culprit c may belong to other code than frame[k], the function of a cause: because
# the culprit has called frame[k] again and again, or because foreign code lies between the two.
function is_of_others(c, k, frame,	i) {
	if (k > 1 && k < first_caller ? c_went_on[c] : k > 1 && is_foreign(frame[1], frame[k]))
		return 1
	for (i = k < first_caller ? 2 : first_caller; i < k; i++)
		if (is_foreign(frame[i], frame[k]))
			return 1
	return 0
}

function has_kind_of(c, i,	k, n, kind) {
	n = split(cause[i, "kinds"], kind, ",")
	for (k = 1; k <= n; k++)
		if ((c, kind[k]) in c_kind_ns)
			return 1
	return 0
}

# The cause whose pattern matches a frame of culprit c, the frame nearest to the named function, of those that
# this kernel may have; 0: none. Of several, the first one: a host's own causes come first.
function cause_of(c,	i, k, n, frame, nearest) {
	if (c in known_cause_of)
		return known_cause_of[c]
	known_cause_of[c] = 0
	if (!c_is_named[c])
		return 0
	n = cause_frames(c, frame)
	for (k = 1; k <= n && !is_known_frame(frame[k]); k++)
		;
	if (k > n)
		return 0
	nearest = n + 1
	for (i = 1; i <= nr_causes; i++) {
		k = has_kind_of(c, i) && may_have(i) ? has_cause_frame(cause[i, "pattern"], n, frame) : 0
		if (k && k < nearest && \
		    (cause[i, "second"] == "" || has_cause_frame(cause[i, "second"], n, frame))) {
			known_cause_of[c] = i
			nearest = k
		}
	}
	i = known_cause_of[c]
	is_maybe[c] = i && (is_of_others(c, nearest, frame) || \
		cause[i, "fixed"] cause[i, "commit"] != "" && has_change(cause[i, "fixed"]) != "0")
	return i
}

# Whether this host's kernel has the fix of the known cause.
function has_fix(c) {
	return cause_of(c) && has_change(cause[cause_of(c), "fixed"]) == "1"
}

function other_cause_text(c,	i) {
	i = cause_of(c)
	return "probably another cause than this bug, whose fix this host's " upstream_release() " has: " cause[i, "text"] \
		" (fixed in " cause[i, "fixed"] ")"
}

function cause_text(c) {
	return has_fix(c) ? "known: " other_cause_text(c) : cause_of(c) ? (is_maybe[c] ? "maybe: " : "known: ") cause[cause_of(c), "text"] : ""
}

# The number of kernel.org's release in this host's kernel, "6.1.112"; "" if it is a vendor's. Debian's
# kernels have it in their release (6.12.57+deb13-amd64) or in their version (#1 SMP Debian 6.1.112-1).
function upstream_release(	text) {
	text = release
	if (match(kernel_version, / Debian [0-9.]+-/))
		text = substr(kernel_version, RSTART + 8, RLENGTH - 9)
	else if (text !~ /^[0-9]+[.][0-9]+[.][0-9]+([+]deb[0-9].*)?$/)
		return ""
	sub(/[+].*/, "", text)
	return text
}

# Whether this host's kernel has a change that went into these releases: it is at least as new as the
# release of its own series, or its series is newer than that of the mainline release, such as 6.8. A release
# candidate does not count. Returns 1, 0, or "" if this is not known: for another series, or a vendor's kernel.
function has_change(releases,	n, i, part, list, own, newest) {
	split(upstream_release(), own, ".")
	newest = 0
	n = split(releases, list, ", ")
	for (i = 1; i <= n; i++) {
		split(list[i] ".0.0", part, /[.-]/)
		if (part[1] + 0 == own[1] + 0 && part[2] + 0 == own[2] + 0)
			return list[i] !~ /-rc/ && own[3] + 0 >= (part[3] ~ /^[0-9]+$/ ? part[3] + 0 : 0)
		if (list[i] !~ /[.].*[.]/ && part[1] * 1000 + part[2] > newest)
			newest = part[1] * 1000 + part[2]
	}
	return newest && own[1] * 1000 + own[2] > newest ? 1 : ""
}

# Whether this host's kernel may have cause i: it is not older than the bug.
function may_have(i) {
	return cause[i, "since"] == "" || upstream_release() == "" || has_change(cause[i, "since"]) == 1
}

# "in 6.13, 6.12.2 (d9ccb18f83ea); this host's 6.1.112 is older"
function fix_text(i,	text, commit, title, mine, has) {
	commit = cause[i, "commit"]
	if (cause[i, "fixed"] commit == "")
		return ""
	text = cause[i, "fixed"] == "" ? "by " commit : "in " cause[i, "fixed"] (commit == "" ? "" : " (" commit ")")
	mine = upstream_release()
	has = has_change(cause[i, "fixed"])
	if (mine != "")
		return text "; " (has == "" ? "it is not known whether this host's " mine " has it" : \
			"this host's " mine (has ? " has it" : " is older"))
	title = match(cause[i, "source"], /CVE-[0-9]+-[0-9]+/) ? substr(cause[i, "source"], RSTART, RLENGTH) : cause[i, "title"]
	return text (title == "" || release == "unknown" || mode == "explain" ? "" : "; it may be in " release ", too: look for " title " in the changelog of that package")
}

# What helps, without the mark of a suggestion.
function helps_text(i,	text) {
	text = cause[i, "helps"]
	return sub(/^~ */, "", text) ? text " (a suggestion)" : text
}

# "culprit NAME", which "report --list" prints, "state NAME TEXT" or "task PID TEXT".
function parse_suspect(line,	n, part) {
	n = split(line, part, " ")
	if (n > 2 && part[1] ~ /^(state|task)$/)
		suspect_text[part[1], part[2]] = substr(line, length(part[1] part[2]) + 3)
	else if (part[1] != "culprit")
		bad_line()
}

function origin_text(c,	pid) {
	pid = task_pid[c_task[c]]
	return c_context[c] == "task" && ("task", pid) in suspect_text ? suspect_text["task", pid] : ""
}

function state_text(i) {
	return ("state", cause[i, "state"]) in suspect_text ? suspect_text["state", cause[i, "state"]] : ""
}

# mode=suspects: "culprit NAME" of the answer, and what the host is to be asked: "state NAME",
# "task PID COMM CGROUP", for the answer and the first rows.
function print_suspects(	i, c, t, seen) {
	if (answer)
		print "culprit", (c_is_named[answer] && !is_sure(answer) ? "probably " : "") c_function[answer]
	for (i = 0; i <= 3 && i <= nr_ranked; i++) {
		c = i ? rank[i] : answer
		if (!c || !c_is_named[c] || c in seen)
			continue
		seen[c] = 1
		t = c_task[c]
		if (c_context[c] == "task" && task_pid[t] > 0 && task_comm[t] !~ / /)
			print "task", task_pid[t], task_comm[t], (task_cgroup[t] in cgroup_path && cgroup_path[task_cgroup[t]] != "" ? cgroup_path[task_cgroup[t]] : "-")
		if (cause_of(c) && cause[cause_of(c), "state"] != "")
			print "state", cause[cause_of(c), "state"]
	}
}

function add_cause_facts(i, is_uncertain) {
	add_fact(is_uncertain ? "maybe" : "known", cause[i, "text"])
	add_fact("fixed", fix_text(i))
}

# SPDX-License-Identifier: GPL-2.0
#
# redact.awk: replaces each of the names in the environment variable REDACT_NAMES, one a line,
# by REDACTED, where it is a word by itself.

BEGIN {
	n = split(tolower(ENVIRON["REDACT_NAMES"]), name, "\n")
	# The longer first: a.b before a.
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && length(name[j]) > length(name[j - 1]); j--) {
			t = name[j]
			name[j] = name[j - 1]
			name[j - 1] = t
		}
}
function word_at(text, at, size) {
	return substr(text, at - 1, at > 1) !~ /[A-Za-z0-9_]/ &&
	       substr(text, at + size, 1) !~ /[A-Za-z0-9_]/
}
function without(text, what,	at, done) {
	done = ""
	while (at = index(tolower(text), what)) {
		done = done substr(text, 1, at - 1) \
			(word_at(done text, length(done) + at, length(what)) ? \
			"REDACTED" : substr(text, at, length(what)))
		text = substr(text, at + length(what))
	}
	return done text
}
{
	for (i = 1; i <= n; i++)
		$0 = without($0, name[i])
	print
}

# SPDX-License-Identifier: GPL-2.0
#
# redact.awk: replaces each of the names in the environment variable REDACT_NAMES, one a line,
# by REDACTED, where it is a word by itself; and addresses of networks: IPv4, IPv6, MAC.

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
# "10.0.0.1:443" too. What has four numbers is taken for one, be it a version.
function is_ipv4(word) {
	return word ~ /^[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+(:[0-9]+)?$/
}
# A time has three groups, a device on a bus three or fewer.
function is_mac(word) {
	return word ~ /^[0-9A-Fa-f][0-9A-Fa-f]([:-][0-9A-Fa-f][0-9A-Fa-f])+$/ && length(word) >= 17
}
function is_ipv6(word,	group) {
	return word ~ /^[0-9A-Fa-f:]+(:[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+)?$/ &&
	       word ~ /[0-9A-Fa-f]/ && (word ~ /::/ || split(word, group, ":") == 8)
}
function without_addresses(text,	done, word, at, tail) {
	done = ""
	while (match(text, /[0-9A-Fa-f:][0-9A-Fa-f:.-]*[0-9A-Fa-f:]/)) {
		at = RSTART
		word = substr(text, at, RLENGTH)
		done = done substr(text, 1, at - 1)
		text = substr(text, at + RLENGTH)
		# The stop or colon behind it is of the sentence, unless there are two.
		tail = ""
		if (word ~ /:$/ && word !~ /::$/) {
			word = substr(word, 1, length(word) - 1)
			tail = ":"
		}
		if (done !~ /[A-Za-z0-9_]$/ && (tail != "" || text !~ /^[A-Za-z0-9_]/) &&
		    (is_ipv4(word) || is_mac(word) || is_ipv6(word)))
			word = "REDACTED"
		done = done word tail
	}
	return done text
}
{
	for (i = 1; i <= n; i++)
		$0 = without($0, name[i])
	print without_addresses($0)
}

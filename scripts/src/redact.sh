# SPDX-License-Identifier: GPL-2.0
#
# --redact: names of this host do not leave it.

# What this host is called: by itself, and in /etc/hosts.
host_names() {
	{
		uname -n
		uname -n | sed 's/[.].*//'
		grep -wF "$(uname -n)" /etc/hosts 2>/dev/null | sed 's/#.*//' |
			tr -s '[:blank:]' '\n' | grep '[a-zA-Z]' | grep -vi '^localhost\|^ip6-'
	} | sort -u
}

# In all files of the collection, each of those names where it is a word by itself.
redact() {
	redact_names=$(host_names)
	program_file redact
	for file in "$collection"/*; do
		if ! REDACT_NAMES=$redact_names awk -f "$program" "$file" >"$tmp/redacted" ||
			! cat "$tmp/redacted" >"$file"; then
			die "cannot redact ${file##*/}; nothing was written"
		fi
	done
}

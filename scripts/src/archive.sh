# SPDX-License-Identifier: GPL-2.0
#
# report --from ARCHIVE: collect wrote the archive, or an attacker did. tar writes no file: its
# output has the contents of the members that are regular files with a name in $EVIDENCE. Links,
# devices, and names that lead elsewhere are ignored.

ARCHIVE_MAX=268435456	# bytes, of all of it
MEMBER_MAX=134217728	# bytes, of one file: 65,536 records, which is the maximum

# archive FILE TAR-OPTION...: print what tar prints
archive() {
	archive_file=$1
	shift
	gzip -dc <"$archive_file" 2>/dev/null | head -c $ARCHIVE_MAX | tar "$@" 2>/dev/null
}

# archive_members FILE: print the names of its regular files that have no blank
archive_members() {
	{
		archive "$1" -tvf - || : >"$tmp/archive.cut"
	} | head -n 4096 | awk '/^-/ && NF == 6 { print $6 }'
}

# unpack FILE: the files of a report, into $tmp
unpack() {
	archive_members "$1" >"$tmp/members"
	member_dir=$(grep -m 1 -xE '(\./)?([A-Za-z0-9][A-Za-z0-9._-]*/)?records' "$tmp/members") ||
		die "$1 is no archive of collect: it contains no file records"
	member_dir=${member_dir%records}
	[ ! -e "$tmp/archive.cut" ] ||
		say "$1 is cut, or too large: the report may miss something. Copy it again"
	for file in $EVIDENCE; do
		grep -qxF "$member_dir$file" "$tmp/members" || continue
		archive "$1" -xOf - "$member_dir$file" | head -c $MEMBER_MAX |
			short_lines >"$tmp/$file"
	done
}

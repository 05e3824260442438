# SPDX-License-Identifier: GPL-2.0
#
# report --from ARCHIVE: what collect has packed up, or somebody who wants to harm us. tar
# writes no file: of members that are regular files and have one of our names their contents
# are read from its output, and no more than so much of them. So whatever else is in there, as
# links, devices, or names that lead elsewhere, is not looked at.

ARCHIVE_MAX=268435456	# bytes, of all of it
MEMBER_MAX=134217728	# bytes, of one file: 65,536 records, which are the most that there can be

# archive FILE TAR-OPTION...: what tar prints
archive() {
	archive_file=$1
	shift
	gzip -dc <"$archive_file" 2>/dev/null | head -c $ARCHIVE_MAX | tar "$@" 2>/dev/null
}

# archive_members FILE: names of its regular files, without those with blanks
archive_members() {
	{
		archive "$1" -tvf - || : >"$tmp/archive.cut"
	} | head -n 4096 | awk '/^-/ && NF == 6 { print $6 }'
}

# unpack FILE: all that a report is made of, into $tmp
unpack() {
	archive_members "$1" >"$tmp/members"
	member_dir=$(grep -m 1 -xE '(\./)?([A-Za-z0-9][A-Za-z0-9._-]*/)?records' "$tmp/members") ||
		die "$1: that is no archive of collect: there are no records in there"
	member_dir=${member_dir%records}
	[ ! -e "$tmp/archive.cut" ] ||
		say "$1: this archive is not whole, or too large: something may be missing"
	for file in $EVIDENCE; do
		grep -qxF "$member_dir$file" "$tmp/members" || continue
		archive "$1" -xOf - "$member_dir$file" | head -c $MEMBER_MAX |
			short_lines >"$tmp/$file"
	done
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The page: one HTML file with the report, its data, and the script of scripts/page, which shows them.

# print_page [VARIABLE=VALUE]...: of what is in $kept_in; fails with 3 when there are windows
print_page() {
	page_status=0
	kept_report page "$@" top=20 >"$tmp/page" || page_status=$?
	page_mark=$(printf '\001')
	# No text of the data can end the element that contains it.
	{
		sed "/^$page_mark\$/,\$d; s/&/\\&amp;/g; s/</\\&lt;/g" "$tmp/page" >"$tmp/page.text" &&
			sed "1,/^$page_mark\$/d; s/</\\\\u003c/g" "$tmp/page" >"$tmp/page.data" &&
			print_page_frame | sed -e "/^@TEXT@\$/{r $tmp/page.text" -e 'd;}' \
				-e "/^@DATA@\$/{r $tmp/page.data" -e 'd;}'
	} || {
		# The reader has seen enough, as in "report --html | head".
		[ $? = 141 ] && exit 141
		die "the page could not be written"
	}
	return $page_status
}

# write_page FILE: after new_file()
write_page() {
	print_page >&5 || [ $? = $FOUND_WINDOWS ] || exit
	finish_file "$1"
	say "the page is in $1"
}

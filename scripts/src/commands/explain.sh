# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff explain FUNCTION...: what is known of functions, or of those in a log on stdin ("-"). Exit
# status 1: nothing is. Needs neither the module nor root.

command_explain() {
	make_tmp
	is_log=
	if [ "$operands" = "-$newline" ]; then
		is_log=1
		head -c $MEMBER_MAX | short_lines
	else
		printf '%s' "$operands"
	fi >"$tmp/functions"
	EVIDENCE=functions report "$tmp" explain is_log=$is_log && exit $ERROR
	[ $? = $FOUND_WINDOWS ]
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff explain FUNCTION...: what is known of functions. Exit status 1: nothing is. Needs neither
# the module nor root.

command_explain() {
	make_tmp
	printf '%s' "$operands" >"$tmp/functions"
	EVIDENCE=functions report "$tmp" explain && exit $ERROR
	[ $? = $FOUND_WINDOWS ]
}

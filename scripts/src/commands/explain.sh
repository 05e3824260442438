# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff explain FUNCTION: what is known of a function. Needs neither the module nor root.

command_explain() {
	make_tmp
	opt_function=$operand
	report "$tmp" explain || [ $? = $FOUND_WINDOWS ]
}

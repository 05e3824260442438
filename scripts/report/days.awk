# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The calendar, for filters of the report and for ../log.awk.

function days_since_1970(y, m, d) {
	if (m < 3) {
		y--
		m += 12
	}
	return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * m - 457) / 5) + d - 719469
}

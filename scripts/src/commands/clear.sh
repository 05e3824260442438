# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff clear: delete all records.

command_clear() {
	need_loaded
	change trace_latency 0
}

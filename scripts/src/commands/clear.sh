# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff clear: forget all records.

command_clear() {
	need_loaded
	change "clearing: the threshold" 0 trace_latency
}

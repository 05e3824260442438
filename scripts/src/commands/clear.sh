# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff clear: forget all records.

command_clear() {
	need_loaded
	take_lock
	put 0 trace_latency || die "cannot clear: $put_said"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff on: tracing stays on.

# Whoever says on or off means it, whatever a run that was killed had found before.
command_on() {
	need_root
	take_lock
	forget_saved
	change "$opt_period" "$opt_threshold"
	turn_on
	forget_saved
	drop_lock
	command_status
}

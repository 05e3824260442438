# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff off: tracing is turned off.

command_off() {
	need_root
	take_lock
	forget_saved
	loaded || {
		say "the module is not loaded"
		return
	}
	put 0 enable || die "cannot turn it off: $put_said"
	[ -z "$opt_unload" ] || rmmod trace_irqoff || die "the module could not be unloaded"
}

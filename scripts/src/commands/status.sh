# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff status: settings and counters.

command_status() {
	need_loaded
	cat "$P/status"
	hint_off
	case $status_nmi,$status_counter in
	off*,on*) ;;
	off*) say "hint: without NMIs there are no samples of windows with interrupts off" ;;
	esac
}

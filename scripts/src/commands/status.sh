# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff status: settings and counters.

command_status() {
	need_loaded
	cat "$P/status"
	read_status || :
	case $status_nmi,$status_counter in
	off*,on*) ;;
	off*) say "hint: without NMIs there are no samples of windows with interrupts off" ;;
	esac
	[ "$status_enabled" = 1 ] || say "hint: tracing is off. To trace: trace-irqoff on"
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff status: settings and counters.

command_status() {
	need_loaded
	cat "$P/status"
	read_status || :
	case $status_nmi,$status_counter in
	off*,on) ;;
	off*) say "hint: without NMIs nobody looks into windows while interrupts are off" ;;
	esac
	[ "$status_enabled" = 1 ] || say "hint: it is off; \"trace-irqoff on\""
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff status: settings and counters.

command_status() {
	need_loaded
	cat "$P/status"
	case $(value nmi) in
	off*) say "hint: without NMIs nobody looks into windows while interrupts are off" ;;
	esac
	[ "$(value enabled)" = 1 ] || say "hint: it is off; \"trace-irqoff on\""
}

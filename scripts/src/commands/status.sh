# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff status: settings and counters.

command_status() {
	need_loaded
	if [ "$opt_format" = json ]; then
		make_tmp
		cat "$P/status" >"$tmp/status"
		name_host "$tmp"
		report "$tmp" status
	else
		cat "$P/status"
	fi
	hint_off
	case $status_nmi,$status_counter in
	off*,on*) ;;
	off*) say "hint: without NMIs there are no samples of windows with interrupts off" ;;
	esac
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff on: tracing stays on.

# What modprobe.d has for the module, as one word each.
at_load() {
	modprobe --show-depends trace_irqoff 2>/dev/null |
		sed -n 's/^insmod [^ ]*trace_irqoff[^ ]* *//p' | tr ' ' '\n'
}

# reload_settings: those that are not given become what they are when the module is loaded. What
# can only be set then is said.
reload_settings() {
	at_load >"$tmp/at_load"
	reload_period=$(sed -n 's/^sampling_period=//p' "$tmp/at_load")
	reload_threshold=$(sed -n 's/^threshold=//p' "$tmp/at_load")
	opt_period=${opt_period:-${reload_period:-10ms}}
	opt_threshold=${opt_threshold:-${reload_threshold:-50ms}}
	read_status || :
	reload_nosched=$(sed -n 's/^nosched=//p' "$tmp/at_load")
	[ -z "$status_nosched" ] || opt_nosched=${opt_nosched:-${reload_nosched:-on}}
	reload_left=$(grep -vE '^(enable|sampling_period|threshold|nosched)(=|$)|^$' "$tmp/at_load" |
		grep -vxF -e "nr_records=$status_nr_records" -e "cpus=$status_cpus") ||
		return 0
	say "these are for when the module is loaded, and nothing is done about them:" \
		"$reload_left. That takes \"trace-irqoff off -u\" and \"on\", or a restart"
}

# Whoever says on or off means it, whether it was on before a run that was killed or not.
command_on() {
	need_root
	make_tmp
	take_lock
	rescue_killed || :
	undo_killed
	forget_saved
	on_period=
	if loaded; then
		read_period
		on_period=$period
		[ -z "$opt_reload" ] || reload_settings
	fi
	change "$opt_period" "$opt_threshold" "$opt_nosched"
	turn_on
	forget_saved
	read_period
	[ -z "$on_period" ] || [ "$on_period" = "$period" ] ||
		say "the sampling period is another: histograms begin anew, and records are kept"
	drop_lock
	command_status
}

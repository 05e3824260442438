# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff on: load the module if needed, and trace until "off".

command_on() {
	need_root
	make_tmp
	load_module
	find_settings
	# A session refuses all of the settings or none, before one of them is changed for good.
	if [ -n "$new_settings" ]; then
		open_session
		set_in_session "$new_settings"
		close_session
	fi
	# No signal leaves a module disabled that was tracing.
	trap '' HUP INT QUIT PIPE TERM
	if [ -n "$opt_cpus" ] ||
		[ "${new_period:-$status_sampling_period}" != "$status_sampling_period" ]; then
		change enable 0
		[ -z "$new_period" ] || change sampling_period "$new_period"
		[ -z "$opt_cpus" ] || change cpus "$opt_cpus"
	fi
	[ -n "$loaded_by_us" ] || [ "${new_period:-$status_sampling_period}" = "$status_sampling_period" ] ||
		say "histograms start anew; records are kept"
	[ -z "$opt_nosched" ] || change nosched "$opt_nosched"
	[ -z "$new_threshold" ] || change trace_latency "$new_threshold"
	change enable 1
	loaded_by_us=
	catch_signals
	command_status
}

# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff on: load the module if needed, and trace until "off".

# reload_ns PARAMETER DEFAULT: set time_ns to what modprobe.d has for it; without a unit it is in ms
reload_ns() {
	reload_text=$(sed -n "s/^$1=//p" "$tmp/at_load")
	case ${reload_text:=$2} in
	*[!0-9]*) ;;
	*) reload_text=${reload_text}ms ;;
	esac
	parse_time "$reload_text" || time_ns=
}

# reload_settings: set the options that are not given as in modprobe.d, else to the defaults. Say
# what can only be set when the module is loaded.
reload_settings() {
	modprobe --show-depends trace_irqoff 2>/dev/null |
		sed -n 's/^insmod [^ ]*trace_irqoff[^ ]* *//p' | tr ' ' '\n' >"$tmp/at_load"
	reload_ns sampling_period 10ms
	opt_period=${opt_period:-$time_ns}
	reload_ns threshold 50ms
	opt_threshold=${opt_threshold:-$time_ns}
	opt_cpus=${opt_cpus:-$(sed -n 's/^cpus=//p' "$tmp/at_load")}
	read_status || :
	[ "$opt_cpus" != "$status_cpus" ] || opt_cpus=
	reload_left=$(grep -vE '^(enable|sampling_period|threshold|cpus)(=|$)|^$' "$tmp/at_load" |
		grep -vxF "nr_records=$status_nr_records") || return 0
	say "ignored, because it can only be set at load time: $reload_left." \
		"To apply it, run \"trace-irqoff off -u\" and \"trace-irqoff on\""
}

command_on() {
	need_root
	make_tmp
	on_was_loaded=
	! loaded || on_was_loaded=1
	load_module
	if [ -n "$on_was_loaded" ] && [ -n "$opt_reload" ]; then
		reload_settings
	fi
	find_settings
	# A session refuses all of the settings or none, before one of them is changed for good.
	if [ -n "$new_settings" ]; then
		open_session
		set_in_session "$new_settings"
		close_session
	fi
	if [ -n "$opt_cpus" ] ||
		[ "${new_period:-$status_sampling_period}" != "$status_sampling_period" ]; then
		change enable 0
		[ -z "$new_period" ] || change sampling_period "$new_period"
		[ -z "$opt_cpus" ] || change cpus "$opt_cpus"
		[ -z "$on_was_loaded" ] || say "histograms start anew; records are kept"
	fi
	[ -z "$new_threshold" ] || change trace_latency "$new_threshold"
	change enable 1
	loaded_by_us=
	command_status
}

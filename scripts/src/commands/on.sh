# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff on: load the module if need be, and trace until "off".

# at_load: what modprobe.d has for the module, as one word each
at_load() {
	modprobe --show-depends trace_irqoff 2>/dev/null |
		sed -n 's/^insmod [^ ]*trace_irqoff[^ ]* *//p' | tr ' ' '\n'
}

# reload_ns PARAMETER DEFAULT: sets time_ns to what modprobe.d has for it; without a unit it is in ms
reload_ns() {
	reload_text=$(sed -n "s/^$1=//p" "$tmp/at_load")
	case ${reload_text:=$2} in
	*[!0-9]*) ;;
	*) reload_text=${reload_text}ms ;;
	esac
	parse_time "$reload_text" || time_ns=
}

# reload_settings: period and threshold that are not given become what they are at load. Parameters that
# can only be set at load are said.
reload_settings() {
	at_load >"$tmp/at_load"
	reload_ns sampling_period 10ms
	opt_period=${opt_period:-$time_ns}
	reload_ns threshold 50ms
	opt_threshold=${opt_threshold:-$time_ns}
	read_status || :
	reload_left=$(grep -vE '^(enable|sampling_period|threshold)(=|$)|^$' "$tmp/at_load" |
		grep -vxF -e "nr_records=$status_nr_records" -e "cpus=$status_cpus") ||
		return 0
	say "ignored, because it can only be set at load time: $reload_left." \
		"To apply it, run \"trace-irqoff off -u\" and \"trace-irqoff on\""
}

# try_settings: all of them in a session, or die, before any of them is changed for good
try_settings() {
	[ -n "$new_settings" ] || return 0
	open_session
	set_in_session "$new_settings" || die_refused
	close_session
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
	try_settings
	if [ -n "$opt_cpus" ] || [ "${new_period:-$status_sampling_period}" != "$status_sampling_period" ]; then
		change enable 0 enable
		[ -z "$new_period" ] || change "the sampling period" "$new_period" sampling_period
		[ -z "$opt_cpus" ] || change "the list of CPUs" "$opt_cpus" cpus
		[ -z "$on_was_loaded" ] || say "histograms start anew; records are kept"
	fi
	[ -z "$new_threshold" ] || change "the threshold" "$new_threshold" trace_latency
	change enable 1 enable
	command_status
}

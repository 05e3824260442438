# SPDX-License-Identifier: GPL-2.0
#
# The kernel module: its files in /proc/trace_irqoff.

loaded() {
	[ -d "$P" ]
}

user_id=''

need_root() {
	[ -n "$user_id" ] || user_id=$(id -u)
	[ "$user_id" = 0 ] || die "\"$command\" needs root. Try the same with sudo"
}

need_loaded() {
	need_root
	loaded || die "the module is not loaded." \
		"To load it and trace: trace-irqoff run, or trace-irqoff on. To report the" \
		"last run: trace-irqoff report --last"
	# The module checks the capability when a file is opened.
	{ true <"$P/enable"; } 2>/dev/null ||
		die "$P cannot be read: root needs CAP_PERFMON to read it, and CAP_SYS_ADMIN to" \
			"write to it. A container may lack them: try it outside of the container"
	# That of bytedance has the same name.
	[ -e "$P/status" ] || [ "$command" = off ] ||
		die "the loaded module is another one with this name, or older than this program." \
			"Unload it: trace-irqoff off -u"
}

# is_input FILE: a link could show any file of this host, and reading a FIFO may never end
is_input() {
	[ -f "$1" ] && [ ! -L "$1" ]
}

status_version='' status_enabled='' status_sampling_period='' status_threshold=''
status_session='' status_nmi='' status_counter='' status_nosched=''
status_windows_hardirq='' status_windows_softirq='' status_windows_nosched=''

# read_status [FILE]: set status_KEY for each of these keys
read_status() {
	read_values "${1:-$P/status}" ': ' status version enabled sampling_period threshold \
		session nmi counter nosched windows_hardirq windows_softirq windows_nosched
}

# hint_off: if the module does not trace
hint_off() {
	read_status || :
	[ "$status_enabled" = 1 ] || say "hint: tracing is off. To trace: trace-irqoff on"
}

# all_windows [STATUS]: set windows to how many have reached the threshold; fails if a line is missing:
# bash reads the file anew for each line, and skips one if an earlier line has become longer
all_windows() {
	read_status "$@" && [ -n "$status_windows_hardirq" ] && [ -n "$status_windows_softirq" ] ||
		return 1
	[ -z "$status_nosched" ] || [ -n "$status_windows_nosched" ] || return 1
	windows=$((status_windows_hardirq + status_windows_softirq + ${status_windows_nosched:-0}))
}

# SPDX-License-Identifier: GPL-2.0
#
# The kernel module: its files in /proc/trace_irqoff.

loaded() {
	[ -d "$P" ]
}

user_id=''

# is_root: asked once
is_root() {
	[ -n "$user_id" ] || user_id=$(id -u)
	[ "$user_id" = 0 ]
}

need_root() {
	is_root || die "this needs root; try: sudo trace-irqoff ..."
}

need_loaded() {
	need_root
	loaded || die "the module is not loaded. To load it and trace: trace-irqoff on"
	# To open it is what the module may refuse.
	{ true <"$P/enable"; } 2>/dev/null ||
		die "$P cannot be read: root needs CAP_PERFMON to read it and CAP_SYS_ADMIN to write, which a container may lack"
}

# is_input FILE: a link could show any file of this host in the report, and a FIFO is never over
is_input() {
	[ -f "$1" ] && [ ! -L "$1" ]
}

status_version='' status_enabled='' status_sampling_period='' status_threshold='' status_session=''
status_cpus='' status_nmi='' status_counter=''
status_windows_hardirq='' status_windows_softirq='' status_nr_records=''

# read_status [FILE]: sets all of these
read_status() {
	read_values "${1:-$P/status}" ': ' status version enabled sampling_period threshold session \
		cpus nmi counter windows_hardirq windows_softirq nr_records
}

# all_windows [STATUS]: sets windows to how many have reached the threshold, on all CPUs. Fails when that
# cannot be read: bash reads the file anew for each line, and misses one if numbers before it have grown.
all_windows() {
	read_status "$@" && [ -n "$status_windows_hardirq" ] && [ -n "$status_windows_softirq" ] ||
		return 1
	windows=$((status_windows_hardirq + status_windows_softirq))
}

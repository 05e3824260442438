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
	is_root || die "this needs root: sudo trace-irqoff ..."
}

need_loaded() {
	need_root
	loaded || die "the module is not loaded: \"trace-irqoff on\" loads it and turns it on"
	# To open it is what the module may refuse.
	{ true <"$P/enable"; } 2>/dev/null ||
		die "$P cannot be read: root needs CAP_SYS_ADMIN, which a container may lack"
}

# is_input FILE: a link could show any file of this host in the report, and a FIFO is never over
is_input() {
	[ -f "$1" ] && [ ! -L "$1" ]
}

# put TEXT FILE: by one system call. dd says why it was refused.
put() {
	put_said=$(printf '%s' "$1" | dd of="$P/$2" conv=notrunc 2>&1) || {
		put_said=$(echo "$put_said" | sed -n 's/^dd: .*: //p' | tail -n 1)
		return 1
	}
}

# module_instance: sets instance, which tells one loading of the module from the next
module_instance() {
	instance=$(stat -c %i "/sys/module/trace_irqoff" 2>/dev/null) || instance=none
}

status_version='' status_enabled='' status_threshold='' status_cpus='' status_nmi=''
status_counter='' status_nosched=''
status_windows_hardirq='' status_windows_softirq='' status_windows_nosched='' status_nr_records=''

# read_status [FILE]: sets all of these
read_status() {
	read_values "${1:-$P/status}" ': ' status version enabled threshold cpus nmi counter \
		nosched windows_hardirq windows_softirq windows_nosched nr_records
}

# read_period: sets period, the one that is set
read_period() {
	read_line "$P/sampling_period" || :
	period=$line
}

# set_up PERIOD THRESHOLD NOSCHED: those that are not empty. The period first: it may raise the
# threshold, and says what the threshold may be.
set_up() {
	read_period
	[ -z "$1" ] || [ "$1" = "$period" ] || {
		put 0 enable || die "cannot turn it off: $put_said"
		put "$1" sampling_period ||
			die "sampling period $1: $put_said (it can be 100us to 1s)"
	}
	read_status || :
	[ -z "$2" ] || [ "$2" = "$status_threshold" ] || put "$2" trace_latency || {
		read_period
		die "threshold $2: $put_said (it can be twice the sampling period, $period, to 3600s)"
	}
	[ -z "$3" ] || [ "$3" = "$status_nosched" ] || put "$3" nosched || {
		[ -n "$status_nosched" ] || put_said="this module, $status_version, knows of no such windows"
		die "nosched $3: $put_said"
	}
}

turn_on() {
	put 1 enable || die "cannot turn it on: $put_said"
}

# all_windows [STATUS]: sets windows to how many have reached the threshold, on all CPUs; fails
# when that cannot be read, also where bash misses a line: it begins anew for each, and numbers
# before it may have grown longer. A module that knows of no nosched windows says nothing of them.
all_windows() {
	read_status "$@" && [ -n "$status_windows_hardirq" ] && [ -n "$status_windows_softirq" ] ||
		return 1
	[ -z "$status_nosched" ] || [ -n "$status_windows_nosched" ] || return 1
	windows=$((status_windows_hardirq + status_windows_softirq + ${status_windows_nosched:-0}))
}

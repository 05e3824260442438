# SPDX-License-Identifier: GPL-2.0
#
# The kernel module: its files in /proc/trace_irqoff.

loaded() {
	[ -d "$P" ]
}

need_root() {
	[ "$(id -u)" = 0 ] || die "this needs root: sudo trace-irqoff ..."
}

need_loaded() {
	need_root
	loaded || die "the module is not loaded: \"trace-irqoff on\" loads it and turns it on"
	cat "$P/enable" >/dev/null 2>&1 ||
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

# value KEY: of "status"
value() {
	sed -n "s/^$1: //p" "$P/status"
}

# set_up PERIOD THRESHOLD: those that are not empty. The period first: it may raise the
# threshold, and says what the threshold may be.
set_up() {
	[ -z "$1" ] || [ "$1" = "$(cat "$P/sampling_period")" ] || {
		put 0 enable || die "cannot turn it off: $put_said"
		put "$1" sampling_period ||
			die "sampling period $1: $put_said (it can be 100us to 1s)"
	}
	[ -z "$2" ] || [ "$2" = "$(value threshold)" ] || put "$2" trace_latency ||
		die "threshold $2: $put_said (it can be twice the sampling period," \
			"$(cat "$P/sampling_period"), to 3600s)"
}

turn_on() {
	put 1 enable || die "cannot turn it on: $put_said"
}

# all_windows [STATUS]: of all CPUs that reached the threshold; fails when it cannot be read
all_windows() {
	awk '/^windows_(hardirq|softirq): / { windows += $2 } END { printf "%.0f\n", windows }' \
		"${1:-$P/status}" 2>/dev/null
}

# SPDX-License-Identifier: GPL-2.0
#
# The kernel module: loading it, and its files in /proc/trace_irqoff.

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

explain_no_module() {
	case $1 in
	*[Kk]ey*was*rejected* | *[Kk]ey*not*available* | *[Kk]ey*expired*)
		say "the kernel takes signed modules only (Secure Boot). If DKMS built the module, enrol"
		say "its key: mokutil --import /var/lib/dkms/mok.pub, then reboot and confirm it there" ;;
	*not*permitted*)
		say "the kernel does not let modules in: is it locked down, or in a container?"
		say "lockdown: $(cat /sys/kernel/security/lockdown 2>/dev/null || echo unknown)," \
			"modules_disabled: $(cat /proc/sys/kernel/modules_disabled 2>/dev/null ||
				echo unknown)" ;;
	*[Ii]nvalid*format* | *[Ee]xec*format* | *[Vv]ersion*magic* | *[Uu]nknown*symbol*)
		say "this trace_irqoff.ko was built for another kernel than $(uname -r): build it anew" ;;
	*not*found*in*directory* | *can\'t*open*trace_irqoff*)
		say "there is no module trace_irqoff for this kernel, $(uname -r). Install the package"
		say "trace-irqoff-dkms, or run make in the sources and put trace_irqoff.ko beside me" ;;
	*)
		say "the module could not be loaded; dmesg may say why" ;;
	esac
	die "what was said: ${1:-nothing}"
}

# Whom root trusts with this script may as well hand in the module. In a directory like /tmp
# it could be anybody's.
trusted() {
	[ -n "$(find -H "$1" \( -user 0 -o -user "$(stat -c %u "$0")" \) ! -perm -0002)" ] || {
		say "$1 is left alone: it is neither root's nor this script's owner's, or all may write to it"
		return 1
	}
}

load_module() {
	loaded && return
	need_root
	load_said=$(modprobe trace_irqoff 2>&1) && loaded && return
	for ko in "$HERE/trace_irqoff.ko" "$HERE/../trace_irqoff.ko"; do
		if [ -e "$ko" ] && trusted "$ko"; then
			load_said=$(insmod "$ko" 2>&1) && loaded && return
		fi
	done
	explain_no_module "$load_said"
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

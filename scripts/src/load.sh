# SPDX-License-Identifier: GPL-2.0
#
# Loading the module. The kernel waits for all CPUs meanwhile, in a system call that nothing
# interrupts, so a CPU with interrupts off holds it up for as long as it has them off. That is
# what we were called for, so this is said while it lasts, and may be given up.

load_pid='' load_waited_s='' stopped=''

# How often it is said that we wait, in seconds, and how soon.
LOAD_SAY_EACH=5
LOAD_SAY_FIRST=2

explain_no_module() {
	read_host
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
		say "this trace_irqoff.ko was built for another kernel than $host_release: build it anew" ;;
	*not*found*in*directory* | *can\'t*open*trace_irqoff*)
		say "there is no module trace_irqoff for this kernel, $host_release. Install the package"
		say "trace-irqoff-dkms, or run make in the sources and put trace_irqoff.ko beside me" ;;
	*)
		say "the module could not be loaded; dmesg may say why" ;;
	esac
	die "what was said: ${1:-nothing}"
}

# Whom root trusts with this script may as well hand in the module. In a directory like /tmp
# it could be anybody's. trusted_copy FILE: into $tmp, where nobody else writes. Owner and mode
# are those of the file that was read, whatever the name stands for by then.
trusted_copy() {
	# A FIFO would wait for a writer.
	[ -f "$1" ] && exec 4<"$1" || return 1
	cat <&4 >"$tmp/trace_irqoff.ko" || die "cannot copy $1"
	copy_of=$(stat -L -c '%u %a %F' /proc/self/fd/4)
	exec 4<&-
	case $copy_of in
	"0 "*[0145][0145]" regular file" | "$(stat -c %u "$0") "*[0145][0145]" regular file") ;;
	*)
		say "$1 is left alone: it is neither root's nor this script's owner's, or others may write to it"
		return 1 ;;
	esac
}

# try_to_load: prints what was said, should it fail
try_to_load() {
	try_said=$(modprobe trace_irqoff 2>&1) && loaded && return
	for ko in "$HERE/trace_irqoff.ko" "$HERE/../trace_irqoff.ko"; do
		if [ -e "$ko" ] && trusted_copy "$ko"; then
			try_said=$(insmod "$tmp/trace_irqoff.ko" 2>&1) && loaded && return
		fi
	done
	echo "$try_said"
	return 1
}

# Nobody waits for it any more, so it goes as soon as it has come, unless somebody else has
# made use of it by then.
unload_when_loaded() {
	lock_name=''
	unload_tries=60
	while others_in_lock && [ -n "$others" ] && [ $unload_tries -gt 0 ]; do
		unload_tries=$((unload_tries - 1))
		sleep 1
	done
	read_status || return 0
	[ "$status_enabled" != 0 ] || rmmod trace_irqoff
}

# In the background, and nothing ends it: not the end of us, nor of the terminal. How it went
# is in a file, as not every shell tells that of a job later on. Who makes the directory
# load.over first decides: the loader that it is loaded, or let_it_load() that nobody waits for it.
# When it cannot be made at all, nobody can be told that the module is there either, so it goes.
loader() {
	trap '' HUP INT QUIT PIPE TERM
	loader_status=0
	try_to_load || loader_status=$?
	if mkdir "$tmp/load.over" 2>/dev/null; then
		echo $loader_status >"$tmp/load.new" && mv "$tmp/load.new" "$tmp/load.status"
	else
		unload_when_loaded
	fi
}

# So that a signal is heeded soon, and who loads fast waits little.
wait_a_moment() {
	sleep 0.1 2>/dev/null || sleep 1
}

say_load_waits() {
	say_stuck=$(stuck_so_far)
	say "the module is being loaded for $load_s s; the kernel waits for all CPUs." \
		"${say_stuck:-All of them take interrupts.}"
}

# wait_for_loader SECONDS: as load_module(). Each second it looks for stuck CPUs.
wait_for_loader() {
	read_uptime
	load_began_s=$uptime_s load_s=0 load_looked_s=0 load_say_s=$LOAD_SAY_FIRST
	while [ -z "$stopped" ] && [ ! -e "$tmp/load.status" ]; do
		# What takes longer than a second may take very long.
		if [ "$load_s" = 0 ]; then
			wait_a_moment
		else
			wait_a_second
		fi
		read_uptime
		load_s=$((uptime_s - load_began_s))
		[ "$load_s" -gt "$load_looked_s" ] || continue
		load_looked_s=$load_s
		look_for_stuck tasks || :
		if [ -n "$1" ] && [ "$load_s" -ge "$1" ] || ! process "$load_pid"; then
			break
		fi
		[ "$load_s" -lt "$load_say_s" ] || {
			say_load_waits
			load_say_s=$((load_s + LOAD_SAY_EACH))
		}
	done
}

# load_module SECONDS: gives up after these (empty: never), or when a signal comes; then
# $load_waited_s says for how long it waited.
load_module() {
	loaded && return
	need_root
	[ -n "$tmp" ] || make_tmp
	look_before_loading
	# It may outlive us, and then must not hold open the file of -o.
	loader >"$tmp/load.said" 2>"$tmp/load.err" 5>&- &
	load_pid=$!
	wait_for_loader "$1"
	! let_it_load || return 0
	load_pid=
	[ ! -s "$tmp/stuck" ] || look_for_stuck tasks || :
	[ ! -s "$tmp/load.err" ] || cat "$tmp/load.err" >&2
	read_line "$tmp/load.status" || :
	[ "$line" = 0 ] || explain_no_module "$(cat "$tmp/load.said")"
}

# let_it_load: no longer wait for it, if it is still under way
let_it_load() {
	[ -n "$load_pid" ] && [ ! -e "$tmp/load.status" ] && process "$load_pid" || return 1
	if ! mkdir "$tmp/load.over" 2>/dev/null && [ -d "$tmp/load.over" ]; then
		# It is loaded, and it says so next.
		while [ ! -e "$tmp/load.status" ] && process "$load_pid"; do
			wait_a_moment
		done
		return 1
	fi
	load_waited_s=$load_s
	load_pid=
}

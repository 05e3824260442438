# SPDX-License-Identifier: GPL-2.0
#
# Loading the module. The kernel waits for all CPUs meanwhile, in a system call that no signal
# interrupts: a CPU with interrupts off delays it. So it runs in the background, and we may give up.

# We have loaded the module, so we unload it.
loaded_by_us=''

explain_no_module() {
	case $1 in
	*[Kk]ey*was*rejected* | *[Kk]ey*not*available* | *[Kk]ey*expired*)
		say "the kernel takes signed modules only (Secure Boot). If DKMS built the module, enrol"
		say "its key: mokutil --import /var/lib/dkms/mok.pub, then reboot and confirm it there" ;;
	*not*permitted*)
		say "the kernel does not let modules in: is it locked down, or is this a container?"
		say "lockdown: $(cat /sys/kernel/security/lockdown 2>/dev/null || echo unknown)," \
			"modules_disabled: $(cat /proc/sys/kernel/modules_disabled 2>/dev/null ||
				echo unknown)" ;;
	*[Ii]nvalid*format* | *[Ee]xec*format* | *[Vv]ersion*magic* | *[Uu]nknown*symbol*)
		say "this trace_irqoff.ko was built for another kernel than $host_release: build it anew" ;;
	*)
		say "the module could not be loaded; dmesg may say why" ;;
	esac
	die "the error was: ${1:-none}"
}

# trusted_copy FILE: into $tmp, where nobody else writes. Whoever root trusts with this script may as
# well hand in the module, but in a directory like /tmp it could be anybody's. Owner and mode are those
# of the file that is read, whatever the name stands for by then.
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

# find_module: sets load_command, or dies. Without modules.dep, or kmod, modprobe only confuses.
find_module() {
	read_host
	if modinfo trace_irqoff >/dev/null 2>&1; then
		load_command="modprobe trace_irqoff"
		return
	fi
	for ko in "$HERE/trace_irqoff.ko" "$HERE/../trace_irqoff.ko"; do
		if [ -e "$ko" ] && trusted_copy "$ko"; then
			load_command="insmod $tmp/trace_irqoff.ko"
			return
		fi
	done
	say "there is no module trace_irqoff for this kernel, $host_release"
	die "install trace-irqoff-dkms, or build trace_irqoff.ko and put it next to this script"
}

# loader: in the background; its end is a file, as not every shell tells that of a job later on
loader() {
	trap '' HUP INT QUIT PIPE TERM
	loader_status=0
	# shellcheck disable=SC2086 # words
	$load_command >"$tmp/load.said" 2>&1 || loader_status=$?
	echo $loader_status >"$tmp/load.new" && mv "$tmp/load.new" "$tmp/load.status"
}

# wait_for_loader SECONDS: at most these, or until a signal comes
wait_for_loader() {
	read_uptime
	load_until_s=$((uptime_s + $1))
	while [ ! -e "$tmp/load.status" ] && [ -z "$stopped" ] && [ "$uptime_s" -lt "$load_until_s" ]; do
		wait_a_moment
		read_uptime
	done
}

# So that a signal is heeded soon, and who loads fast waits little.
wait_a_moment() {
	sleep 0.1 2>/dev/null || sleep 1
}

# load_module [SECONDS]: unless it is loaded; gives up after these (60)
load_module() {
	! loaded || return 0
	make_tmp
	find_module
	# It may outlive us, and then must not hold open the file of -o.
	loader 5>&- &
	wait_for_loader "${1:-60}"
	[ -e "$tmp/load.status" ] || {
		say "the module is not loaded yet: the kernel waits for a CPU, which probably has interrupts off"
		say "what that CPU does: echo l >/proc/sysrq-trigger; dmesg"
		die "the kernel goes on loading it, without tracing. To remove it later: trace-irqoff off -u"
	}
	read_line "$tmp/load.status" || :
	if [ "$line" != 0 ] || ! loaded; then
		explain_no_module "$(cat "$tmp/load.said")"
	fi
	loaded_by_us=1
}

# unload: what we have loaded, unless somebody makes use of it
unload() {
	[ -n "$loaded_by_us" ] || return 0
	read_status || return 0
	[ "$status_enabled" = 0 ] && [ "$status_session" = none ] || return 0
	rmmod trace_irqoff || {
		say "the module could not be unloaded; it is loaded, and does not trace"
		return 1
	}
}

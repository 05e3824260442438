# SPDX-License-Identifier: GPL-2.0
#
# Loading the module. A CPU with interrupts off delays it, in a system call that no signal
# interrupts. So a background process loads it, and this program can stop waiting.

LOAD_LIMIT_S=30
STILL_LOADING=4	# exit status: the kernel goes on loading the module

# This program has loaded the module, and unloads it in the end.
loaded_by_us=''

explain_refused() {
	case $1 in
	*[Kk]ey*was*rejected* | *[Kk]ey*not*available* | *[Kk]ey*expired*)
		say "the kernel takes signed modules only (Secure Boot). If DKMS built the module,"
		say "enrol its key: mokutil --import /var/lib/dkms/mok.pub (on Ubuntu" \
			"/var/lib/shim-signed/mok/MOK.der), then reboot and confirm" ;;
	*not*permitted*)
		say "the kernel does not let modules in: is it locked down, or is this a container?"
		say "lockdown: $(cat /sys/kernel/security/lockdown 2>/dev/null || echo unknown)," \
			"modules_disabled: $(cat /proc/sys/kernel/modules_disabled 2>/dev/null ||
				echo unknown). Sign the module, or leave the container" ;;
	*[Ii]nvalid*format* | *[Ee]xec*format* | *[Vv]ersion*magic* | *[Uu]nknown*symbol*)
		say "this trace_irqoff.ko was built for another kernel than $host_release." \
			"Build it for this one" ;;
	*)
		say "the module could not be loaded; dmesg may say why" ;;
	esac
	die "$load_command reported: ${1:-nothing}"
}

# trusted_copy FILE: copy it into $tmp, where only root writes. Root trusts the owner of this
# script, but any user can put a module into a directory like /tmp. Owner and mode are those of
# descriptor 4: the name may lead to another file by now.
trusted_copy() {
	# A FIFO would wait for a writer.
	[ -f "$1" ] && { command exec 4<"$1"; } 2>/dev/null || return 1
	cat <&4 >"$tmp/trace_irqoff.ko" || die "cannot copy $1 to $tmp"
	copy_of=$(stat -L -c '%u %a %F' /proc/self/fd/4)
	exec 4<&-
	case $copy_of in
	"0 "*[0145][0145]" regular file" | "$(stat -c %u "$0") "*[0145][0145]" regular file") ;;
	*)
		say "$1 was not loaded: it must belong to root or to the owner of this script, and only the" \
			"owner may write to it. Try: chmod go-w $1"
		return 1 ;;
	esac
}

# find_module: set load_command and load_file; fail if there is no module for this kernel. modprobe itself
# explains that badly. The exit status of busybox's modinfo is 0 for a module that is missing.
find_module() {
	read_host
	if [ -n "$(modinfo -F version trace_irqoff 2>/dev/null)" ]; then
		load_command=modprobe load_file=trace_irqoff
		return
	fi
	modules_dir=/usr/lib/trace-irqoff/modules
	for ko in "$modules_dir/$host_release/trace_irqoff.ko" "$HERE/modules/$host_release/trace_irqoff.ko" \
		"$HERE/trace_irqoff.ko" "$HERE/../trace_irqoff.ko"; do
		if [ -e "$ko" ] && trusted_copy "$ko"; then
			load_command=insmod load_file=$tmp/trace_irqoff.ko
			return
		fi
	done
	return 1
}

# loader: write the exit status to a file: some shells cannot tell whether a background job has ended. With
# "enable=1" of a file in modprobe.d, a module that is loaded for a run would go on tracing after it.
loader() {
	trap '' HUP INT QUIT PIPE TERM
	loader_status=0
	$load_command "$load_file" enable=0 ${opt_nmi:+"nmi=$opt_nmi"} ${opt_nr_records:+"nr_records=$opt_nr_records"} \
		>"$tmp/load.said" 2>&1 || loader_status=$?
	echo $loader_status >"$tmp/load.new" && mv "$tmp/load.new" "$tmp/load.status"
}

# A signal need not wait long, and busybox may have a sleep without fractions.
wait_a_moment() {
	sleep 0.1 2>/dev/null || sleep 1
}

# wait_until SECONDS COMMAND...: fails if COMMAND still fails then
wait_until() {
	read_uptime
	wait_until_s=$((uptime_s + $1))
	shift
	until "$@"; do
		[ "$uptime_s" -lt $wait_until_s ] || return 1
		wait_a_moment
		read_uptime
	done
}

loader_has_ended() {
	[ -e "$tmp/load.status" ] || [ -n "$stopped" ]
}

# load_module: unless it is loaded
load_module() {
	if loaded; then
		[ -z "$opt_nmi$opt_nr_records" ] || die "the module is loaded already: --nmi and --nr-records" \
			"take effect when it is loaded. Unload it first: trace-irqoff off -u"
		return
	fi
	make_tmp
	find_module || {
		say "there is no module trace_irqoff for this kernel, $host_release: not for modprobe, not in" \
			"$modules_dir/$host_release, and not beside this script"
		die "Install trace-irqoff-dkms with the kernel's headers (Debian, Ubuntu: linux-headers-$host_release;" \
			"RHEL, Fedora, Amazon: kernel-devel-$host_release), or run make in the sources. Without a compiler" \
			"here, run on another machine: make modules-for RELEASES=$host_release; if the kernel is not" \
			"Debian's, with KDIR=DIR (Documentation/operating.md). Then copy dist/modules/$host_release there" \
			"to $modules_dir here"
	}
	# The loader may outlive this program. It must not keep a pipe or the file of -o open.
	# Without braces, dash would keep copies of these descriptors.
	{ loader; } </dev/null >/dev/null 2>&1 5>&- &
	wait_until $LOAD_LIMIT_S loader_has_ended || :
	read_line "$tmp/load.status" || {
		say "the module is not loaded yet: the kernel waits for a CPU, which probably has" \
			"interrupts off"
		say "what that CPU does: echo l >/proc/sysrq-trigger; dmesg"
		say "the kernel goes on loading it, without tracing. To remove it later:" \
			"trace-irqoff off -u"
		exit $STILL_LOADING
	}
	# Another process may have loaded it meanwhile.
	[ "$line" != 0 ] || loaded_by_us=1
	loaded || explain_refused "$(cat "$tmp/load.said")"
}

# unload: if this program has loaded the module, and no other process uses it
unload() {
	[ -n "$loaded_by_us" ] && [ -z "$unkept" ] || return 0
	loaded_by_us=
	read_status || return 0
	read_line "$P/handlers" || line="state=off "
	case $status_enabled,$status_session,$line in
	"0,none,state=off "*) ;;
	*)
		say "another process uses the module, which stays loaded. To unload it later: trace-irqoff off -u"
		return ;;
	esac
	rmmod trace_irqoff || {
		say "the module could not be unloaded. It stays loaded, and does not trace"
		return 1
	}
}

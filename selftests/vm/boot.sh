# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that boots kernels: "vm run", "vm debian". Sourced by vm. result.sh judges the run.

: "${here:?} ${top:?} ${cache:?}"	# vm sets them

TIME_LIMIT=600		# seconds, for a run

# make_initrd FILE...: make $tmp/initrd of these files and $tmp/root. The first process is "init" of
# this directory, unless $tmp/root has another.
make_initrd() {
	need cpio:cpio
	mkdir -p "$tmp/root/bin"
	find_busybox
	cp "$busybox" "$tmp/root/bin/busybox"
	[ -e "$tmp/root/init" ] || cp "$here/init" "$tmp/root/init"
	for file; do
		cp -r "$file" "$tmp/root/"
	done
	(cd "$tmp/root" && find . | cpio --quiet -o -H newc) >"$tmp/initrd"
}

# find_busybox: set $busybox to a program that runs in the VM
find_busybox() {
	if [ "$arch" = arm64 ]; then
		(fetch 6.12-arm64)
		busybox=$(root_of 6.12-arm64)/vm/arm64/usr/bin/busybox
		return
	fi
	# The package busybox is linked dynamically, and the VM has no libc.
	if ldd "$(command -v busybox)" >/dev/null 2>&1; then
		need :busybox-static
	else
		need busybox:busybox-static
	fi
	busybox=$(command -v busybox)
}

# obey: execute the commands that the script writes to the status line. "freeze SECONDS" stops the
# process of QEMU, as a busy host may: the VM's clocks go on. "slow SECONDS" is for --slow-console.
# "dump" writes the memory to the file of --dump.
obey() {
	tail -n +1 -F --pid=$$ "$tmp/status" 2>/dev/null |
		while read -r word seconds; do
			case $word in
			freeze)
				read -r frozen_pid <"$tmp/qemu_pid"
				kill -STOP "$frozen_pid"
				sleep "$seconds"
				kill -CONT "$frozen_pid" ;;
			slow) echo "$seconds" >"$tmp/slow" ;;
			dump) tell_monitor "dump-guest-memory -p $dump" ;; # drgn 0.0.22 needs -p
			esac
		done
}

# read_console: copy QEMU's pipe into $tmp/console. After the command "slow SECONDS", sleep SECONDS
# after each 2,048 bytes: the VM waits for its serial port meanwhile.
read_console() {
	while dd bs=2048 count=1 status=none <&3 >"$tmp/chunk" && [ -s "$tmp/chunk" ]; do
		cat "$tmp/chunk" >>"$tmp/console"
		[ ! -s "$tmp/slow" ] || sleep "$(cat "$tmp/slow")"
	done 3<"$tmp/serial.out"
}

# tell_monitor LINE...: write the lines to QEMU's monitor
tell_monitor() {
	printf '%s\n' "$@" 1<>"$tmp/monitor.in"
}

# serial_lines ARCHITECTURE: QEMU's arguments for three lines: the kernel's console, the script's
# output, and the status. On arm64, the board has one line. A PCI card has the others, as ttyS1 and
# ttyS2, the names of x86.
serial_lines() {
	if [ "$1" != arm64 ]; then
		console=file:$tmp/console
		[ -z "$slow_console" ] || console=pipe:$tmp/serial
		echo "-serial $console -serial file:$tmp/output -serial file:$tmp/status"
		return
	fi
	card=pci-serial-4x,chardev1=none0,chardev2=output,chardev3=status,chardev4=none3
	echo "-serial file:$tmp/console -chardev null,id=none0 -chardev null,id=none3" \
		"-chardev file,id=output,path=$tmp/output" \
		"-chardev file,id=status,path=$tmp/status -device $card"
}

# exec_qemu ARGUMENT...: replace this shell by QEMU, which is killed when the parent of this shell dies
exec_qemu() {
	libraries=$qemu_root/usr/lib/x86_64-linux-gnu program=qemu-system-x86_64
	[ "$arch" != arm64 ] || program=qemu-system-aarch64
	exec setpriv --pdeathsig KILL "$libraries/ld-linux-x86-64.so.2" \
		--library-path "$libraries" "$qemu_root/usr/bin/$program" \
		-L "$qemu_root/usr/share/qemu" -L "$qemu_root/usr/share/seabios" \
		-nodefaults -no-user-config -display none "$@"
}

# qemu SECONDS ARGUMENT...: run QEMU for at most SECONDS; then the exit status is 124. The script's
# output goes through cat, because QEMU would make our stdout non-blocking for all processes that
# write to it. When the reader of our stdout is gone, a second cat takes the output: otherwise the
# script would block.
qemu() {
	limit=$1
	shift
	[ -p "$tmp/output" ] || mkfifo "$tmp/output" "$tmp/monitor.in" "$tmp/monitor.out"
	exec 8<>"$tmp/output"
	{ cat || cat >/dev/null; } <"$tmp/output" 8>&- &
	reader_pid=$!
	# shellcheck disable=SC2046 # words
	exec_qemu -no-reboot -kernel "$kernel_image" -initrd "$tmp/initrd" \
		$(serial_lines "$arch") -monitor "pipe:$tmp/monitor" "$@" </dev/null 8>&- &
	qemu_pid=$!
	echo $qemu_pid >"$tmp/qemu_pid"
	qemu_status=0
	time_is_up=
	timeout "$limit" tail -s 0.1 -f --pid=$qemu_pid /dev/null &
	wait $! || time_is_up=1
	if [ -n "$time_is_up" ]; then
		dump_cpus
		timeout 5 tail -s 0.1 -f --pid=$qemu_pid /dev/null &
		kill $qemu_pid
		wait $! || kill -KILL $qemu_pid
	fi
	wait $qemu_pid || qemu_status=$?
	qemu_pid=
	exec 8>&-
	wait $reader_pid || :
	[ -z "$time_is_up" ] || return 124
	return $qemu_status
}

# begin_run OPTION... SCRIPT: parse the options of "vm run" and "vm debian", see usage()
begin_run() {
	arch=$(arch_of "${kernel:-}")
	smp='' mem=512 nodes=1 append='' icount='' bzimage='' slow_console='' dump='' limit=$TIME_LIMIT
	tmp=$(mktemp -d)
	qemu_pid=
	trap '[ -z "$qemu_pid" ] || { kill "$qemu_pid"; wait "$qemu_pid"; } || :
		rm -rf "$tmp"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	mkdir -p "$tmp/root"
	while [ $# -gt 1 ]; do
		case $1 in
		--smp | --mem | --nodes | --timeout)
			[ "$2" -gt 0 ] 2>/dev/null || die "$1 needs a number" ;;
		esac
		case $1 in
		--smp) smp=$2; shift ;;
		--mem) mem=$2; shift ;;
		--nodes) nodes=$2; shift ;;
		--append) append=$2; shift ;;
		--timeout) limit=$2; shift ;;
		--file)
			[ -e "$2" ] || die "no file $2"
			cp -r "$2" "$tmp/root/"
			shift ;;
		--icount) icount=1 ;;
		--bzimage) bzimage=1 ;;
		--slow-console) slow_console=1 ;;
		--dump) dump=$(realpath "$2"); shift ;;
		*) die "unknown option $1" ;;
		esac
		shift
	done
	[ $# = 1 ] || die "run needs a script"
	[ -f "$1" ] || die "no script $1"
	# All hosts use the same QEMU.
	qemu_root=$("$here/../cached-root" "$here/qemu-root") || fail "cannot install QEMU"
	cp "$1" "$tmp/root/script"
	case $arch in
	# nokaslr: so that each VM has the addresses that say_where() prints.
	arm64) cmdline="console=ttyAMA0 nokaslr" ;;
	# no_timer_check: on a busy host, an emulated timer may fail that check.
	*) cmdline="console=ttyS0 tsc=reliable no_timer_check" ;;
	esac
	# The kernel was built with pseudo-NMIs, but uses them only with this parameter.
	[ "${kernel:-}" != nmi-arm64 ] || cmdline="$cmdline irqchip.gicv3_pseudo_nmi=1"
	cmdline="$cmdline panic=-1 oops=panic loglevel=7 $append ${VM_APPEND:-}"
}

# Tests of ciphers, the search for keyboard and mouse, and 256 BSD terminals would take a third of the boot.
QUICK="cryptomgr.notests i8042.nokbd i8042.noaux pty.legacy_count=0"

run() {
	kernel=$1
	shift
	begin_run "$@"
	modules=$(build "$kernel")
	"$top/scripts/generate" >"$tmp/trace-irqoff" || die "cannot generate the helper"
	chmod 755 "$tmp/trace-irqoff"
	# shellcheck disable=SC2086 # a list of files
	make_initrd $modules "$tmp/trace-irqoff"
	kernel_image=$(image_of "$kernel")
	cmdline="$cmdline $QUICK"
	# qboot starts faster than SeaBIOS, but cannot resume from suspend to RAM. arm64 needs no
	# BIOS.
	if [ -n "$bzimage" ] || [ "$arch" = arm64 ]; then
		obey_and_judge
	else
		obey_and_judge -bios qboot.rom
	fi
}

# image_of KERNEL: the path of vmlinux, which the guest need not unpack; with --bzimage, of bzImage.
# When a VM resumes from suspend to RAM, QEMU writes vmlinux into its memory again.
image_of() {
	root=$(root_of "$1") release=$(release_of "$1")
	if [ -z "$bzimage" ] || [ "$arch" = arm64 ]; then
		echo "$root/boot/vmlinux-$release"
		return
	fi
	for image in "$root/boot/vmlinuz-$release" "$root/lib/modules/$release/vmlinuz"; do
		[ ! -f "$image" ] || break
	done
	[ -f "$image" ] || die "kernel $1 has no bzImage"
	echo "$image"
}

# obey_and_judge QEMU-ARGUMENT...: boot $kernel_image with $tmp/initrd, execute the commands of its
# script, and exit with the result of judge()
obey_and_judge() {
	if [ -n "$icount" ]; then
		smp=${smp:-1}
		accel="$(tcg single) -smp $smp -icount shift=$(shift_for "$smp"),sleep=off"
	else
		accel="$(tcg multi) -smp ${smp:-2}"
	fi

	# For the guest's qemu_fw_cfg.ko and debuggers
	[ -z "$dump" ] || set -- "$@" -device vmcoreinfo

	: >"$tmp/console"
	: >"$tmp/status"
	# A subshell, because the shell of a background function keeps our stdout open.
	(obey) >/dev/null 2>&1 </dev/null &
	grep -v -e '^#' -e '^$' "$here/complaints" >"$tmp/complaints"
	if [ -n "${VM_VERBOSE:-}" ]; then
		tail -f --pid=$$ "$tmp/console" >&2 &
	fi
	console_pid=
	if [ -n "$slow_console" ]; then
		mkfifo "$tmp/serial.in" "$tmp/serial.out"
		# Also for writing: otherwise the reader may get an end of file before QEMU opens it.
		exec 7<>"$tmp/serial.out"
		(exec 7>&-; read_console) &
		console_pid=$!
	fi
	status=0
	# shellcheck disable=SC2046,SC2086 # words
	qemu "$limit" $accel -m "$mem" $(node_arguments "$nodes" "${smp:-2}" "$mem") \
		-append "$cmdline" "$@" || status=$?
	if [ -n "$console_pid" ]; then
		exec 7>&-
		wait $console_pid || :
	fi
	judge "$status"
}

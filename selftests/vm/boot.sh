# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The part of vm that boots kernels: "vm run", and what "vm debian" does likewise. Sourced by
# vm, whose variables ($here, $top, $cache, $KEEP_DAYS) and functions it uses.

: "${here:?} ${top:?} ${cache:?} ${KEEP_DAYS:?}"	# vm sets them

TIME_LIMIT=600		# seconds, for a run
KVM_TIME_LIMIT=15	# seconds, for a first boot under KVM

# make_initrd FILE...: into $tmp/initrd; "init" is the first process, unless there is another
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

# find_busybox: as $busybox, one for the VM
find_busybox() {
	if [ "$arch" = arm64 ]; then
		busybox=$(programs_of_arm64)/usr/bin/busybox
		return
	fi
	# The one without "static" in its name finds no libc in the VM.
	if ldd "$(command -v busybox)" >/dev/null 2>&1; then
		need :busybox-static
	else
		need busybox:busybox-static
	fi
	busybox=$(command -v busybox)
}

# find_qemu: as $qemu_root, the root that has it: see qemu-root. It runs with that root's
# libraries, so that of the host nothing is used but the kernel.
find_qemu() {
	qemu_root=$("$here/../cached-root" "$here/qemu-root") ||
		fail "there is no QEMU"
}

# obey: do what a script asks for on the status line. "pause SECONDS" stops the VM and its clocks for
# that time. "freeze SECONDS" stops QEMU's process, as a busy host does: the VM's clocks go on.
# "slow SECONDS" is for --slow-console: see read_console().
obey() {
	tail -n +1 -F --pid=$$ "$tmp/status" 2>/dev/null |
		while read -r word seconds; do
			case $word in
			pause)
				tell_monitor stop
				sleep "$seconds"
				tell_monitor cont ;;
			freeze)
				read -r frozen_pid <"$tmp/qemu_pid"
				kill -STOP "$frozen_pid"
				sleep "$seconds"
				kill -CONT "$frozen_pid" ;;
			slow) echo "$seconds" >"$tmp/slow" ;;
			esac
		done
}

# read_console: copy QEMU's pipe into $tmp/console. After the script has asked for "slow SECONDS",
# sleep that long after each 2,048 bytes: the VM's serial port is then as slow.
read_console() {
	while dd bs=2048 count=1 status=none <&3 >"$tmp/chunk" && [ -s "$tmp/chunk" ]; do
		cat "$tmp/chunk" >>"$tmp/console"
		[ ! -s "$tmp/slow" ] || sleep "$(cat "$tmp/slow")"
	done 3<"$tmp/serial.out"
}

# tell_monitor LINE...: to QEMU's monitor
tell_monitor() {
	printf '%s\n' "$@" 1<>"$tmp/monitor.in"
}

# ask_where: as $tmp/where, what where.awk reads of a VM that runs, and stops it. QEMU answers
# within some hundredths of a second.
ask_where() {
	timeout 5 cat "$tmp/monitor.out" >"$tmp/where" &
	cat_pid=$!
	tell_monitor stop "info registers -a"
	sleep 1
	tr -d '\r' <"$tmp/where" | awk '
		/^CPU#/	{ cpu = substr($1, 5) }
		/ R?SP=/	{ sub(/.* R?SP=/, ""); print cpu, $1 }' |
		while read -r cpu stack; do
			tell_monitor "print/d $cpu" "x/512gx 0x$stack"
		done
	wait $cat_pid || :
}

# program_of ARCHITECTURE
program_of() {
	case $1 in
	arm64) echo qemu-system-aarch64 ;;
	*) echo qemu-system-x86_64 ;;
	esac
}

# serial_lines ARCHITECTURE: for the kernel's console, the script's output, and its status. A
# machine of arm64 has one of its own; a card has the others, with the numbers that they have
# elsewhere.
serial_lines() {
	if [ "$1" != arm64 ]; then
		console=file:$tmp/console
		[ -z "$slow_console" ] || console=pipe:$tmp/serial
		echo "-serial $console -serial file:$tmp/output -serial file:$tmp/status"
		return
	fi
	echo "-serial file:$tmp/console -chardev null,id=none0 -chardev null,id=none3" \
		"-chardev file,id=output,path=$tmp/output -chardev file,id=status,path=$tmp/status" \
		"-device pci-serial-4x,chardev1=none0,chardev2=output,chardev3=status,chardev4=none3"
}

# qemu SECONDS ARGUMENT...: 124 when the time was up. Whoever kills this shell
# without asking takes QEMU along. The script's output goes through a cat, since
# QEMU would make our stdout non-blocking for all who write there, and through a
# second one when nobody reads it any more, so that the script still ends.
qemu() {
	limit=$1
	libraries=$qemu_root/usr/lib/x86_64-linux-gnu
	shift
	[ -p "$tmp/output" ] || mkfifo "$tmp/output" "$tmp/monitor.in" \
		"$tmp/monitor.out"
	exec 8<>"$tmp/output"
	{ cat || cat >/dev/null; } <"$tmp/output" 8>&- &
	reader_pid=$!
	# shellcheck disable=SC2046 # words
	setpriv --pdeathsig KILL "$libraries/ld-linux-x86-64.so.2" \
		--library-path "$libraries" "$qemu_root/usr/bin/$(program_of "$arch")" \
		-L "$qemu_root/usr/share/qemu" -L "$qemu_root/usr/share/seabios" \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$kernel_image" -initrd "$tmp/initrd" \
		$(serial_lines "$arch") -monitor "pipe:$tmp/monitor" \
		"$@" </dev/null 8>&- &
	qemu_pid=$!
	echo $qemu_pid >"$tmp/qemu_pid"
	qemu_status=0
	time_is_up=
	timeout "$limit" tail -s 0.1 -f --pid=$qemu_pid /dev/null &
	wait $! || time_is_up=1
	if [ -n "$time_is_up" ]; then
		ask_where
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

KVM="-accel kvm -cpu host"

# An ordinary server's processor, of ARMv8.2.
ARM64="-M virt,gic-version=3 -cpu neoverse-n1"

# tcg THREADS: with a processor that has all that QEMU knows, but for what costs much and tests
# nothing of ours. "rep movsb", which kernels copy with where erms and fsrm tell them to, is carried
# out byte by byte: without, a fork takes 30 % less. Each stac and clac ends a translation, 10 %;
# SMAP stays where the kernel looks for errors.
tcg() {
	if [ "$arch" = arm64 ]; then
		echo "-accel tcg,thread=$1 $ARM64"
		return
	fi
	features=-erms,-fsrm
	looks_for_errors "${kernel:-}" || features=$features,-smap
	echo "-accel tcg,thread=$1 -cpu max,$features"
}

# shift_for CPUS: an instruction takes 2 to the power of this in ns. One CPU: 1 ns, so that lengths
# are counts. Several take turns on one thread, at one clock: 8 ns, since a CPU that spins for a
# second costs the host so many turns of a loop that are not what is tested; but 2 ns where looking
# for errors takes many instructions for each.
shift_for() {
	if [ "$1" = 1 ]; then
		echo 0
	elif looks_for_errors "${kernel:-}"; then
		echo 1
	else
		echo 3
	fi
}

# A /dev/kvm that opens is no proof that a kernel boots under it. Try once.
has_kvm() {
	[ "$arch" = amd64 ] || return 1
	case ${VM_ACCEL:-} in
	kvm) return 0 ;;
	tcg) return 1 ;;
	esac
	answer=$cache/accelerator-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -s "$answer" ]; then
		(
			flock 9
			[ ! -s "$answer" ] || exit 0
			rm -f "$cache"/accelerator-*
			found=tcg
			[ ! -w /dev/kvm ] || ! try_kvm || found=kvm
			say "VMs run with $found"
			echo "$found" >"$answer"
		) 9>"$cache/accelerator.lock"
	fi
	grep -q kvm "$answer"
}

# With an initrd of its own, whose script does nothing.
try_kvm() {
	(
		tmp=$tmp/kvm slow_console=
		mkdir -p "$tmp/root"
		echo "exit 0" >"$tmp/root/script"
		make_initrd
		# shellcheck disable=SC2086 # words
		qemu $KVM_TIME_LIMIT $KVM -smp 2 -m 512 \
			-append "$cmdline" >/dev/null 2>&1 || :
		grep -q '^status 0' "$tmp/status" 2>/dev/null
	)
}

# begin_run OPTION... SCRIPT: what both ways to boot take, see usage()
begin_run() {
	arch=$(arch_of "${kernel:-}")
	smp='' mem=512 append='' icount='' bzimage='' slow_console='' limit=$TIME_LIMIT
	tmp=$(mktemp -d)
	qemu_pid=
	trap '[ -z "$qemu_pid" ] || { kill "$qemu_pid"; wait "$qemu_pid"; } || :
		rm -rf "$tmp"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	mkdir -p "$tmp/root"
	while [ $# -gt 1 ]; do
		case $1 in
		--smp | --mem | --timeout)
			[ "$2" -gt 0 ] 2>/dev/null || die "$1 needs a number" ;;
		esac
		case $1 in
		--smp) smp=$2; shift ;;
		--mem) mem=$2; shift ;;
		--append) append=$2; shift ;;
		--timeout) limit=$2; shift ;;
		--file)
			[ -e "$2" ] || die "no file $2"
			cp -r "$2" "$tmp/root/"
			shift ;;
		--icount) icount=1 ;;
		--bzimage) bzimage=1 ;;
		--slow-console) slow_console=1 ;;
		*) die "unknown option $1" ;;
		esac
		shift
	done
	[ $# = 1 ] || die "run needs a script"
	[ -f "$1" ] || die "no script $1"
	find_qemu
	cp "$1" "$tmp/root/script"
	case $arch in
	# nokaslr: where.awk is to find its symbols.
	arm64) cmdline="console=ttyAMA0 nokaslr" ;;
	# no_timer_check: on a busy host an emulated timer can miss that check.
	*) cmdline="console=ttyS0 tsc=reliable no_timer_check" ;;
	esac
	# What that kernel is for has to be asked for.
	[ "${kernel:-}" != nmi-arm64 ] || cmdline="$cmdline irqchip.gicv3_pseudo_nmi=1"
	cmdline="$cmdline panic=-1 oops=panic loglevel=7 $append ${VM_APPEND:-}"
}

# The helper, as one file.
make_helper() {
	"$top/scripts/generate" >"$tmp/trace-irqoff" || die "no helper"
	chmod 755 "$tmp/trace-irqoff"
}

# What a kernel need not do when it boots here, a third of what that takes: try its ciphers, look for
# a keyboard and a mouse, and make 256 terminals of a kind that nobody uses.
QUICK="cryptomgr.notests i8042.nokbd i8042.noaux pty.legacy_count=0"

run() {
	kernel=$1
	shift
	begin_run "$@"
	modules=$(build "$kernel")
	make_helper
	# shellcheck disable=SC2086 # a list of files
	make_initrd $modules "$tmp/trace-irqoff"
	kernel_image=$(image_of "$kernel")
	cmdline="$cmdline $QUICK"
	# The small one cannot wake from a suspend to RAM. That of arm64 needs none.
	if [ -n "$bzimage" ] || [ "$arch" = arm64 ]; then
		obey_and_judge
	else
		obey_and_judge -bios qboot.rom
	fi
}

# image_of KERNEL: unpacked, which saves the guest doing that. But into the memory of a VM that
# wakes from a suspend to RAM, QEMU writes that image anew.
image_of() {
	root=$(root_of "$1") release=$(release_of "$1")
	if [ -z "$bzimage" ] || [ "$arch" = arm64 ]; then
		echo "$root/boot/vmlinux-$release"
		return
	fi
	for image in "$root/boot/vmlinuz-$release" "$root/lib/modules/$release/vmlinuz"; do
		[ ! -f "$image" ] || break
	done
	[ -f "$image" ] || die "there is no bzImage of $1"
	echo "$image"
}

# obey_and_judge QEMU-ARGUMENT...: boots $kernel_image with $tmp/initrd, does what its
# script asks for, and exits as that says
obey_and_judge() {
	if [ -n "$icount" ]; then
		accel="$(tcg single) -smp ${smp:-1} -icount shift=$(shift_for "${smp:-1}"),sleep=off"
	elif has_kvm; then
		accel="$KVM -smp ${smp:-2}"
	else
		accel="$(tcg multi) -smp ${smp:-2}"
	fi

	: >"$tmp/console"
	: >"$tmp/status"
	# In a subshell of its own, or the shell would keep our stdout open for it.
	(obey) >/dev/null 2>&1 </dev/null &
	grep -v -e '^#' -e '^$' "$here/complaints" >"$tmp/complaints"
	if [ -n "${VM_VERBOSE:-}" ]; then
		tail -f --pid=$$ "$tmp/console" >&2 &
	fi
	console_pid=
	if [ -n "$slow_console" ]; then
		mkfifo "$tmp/serial.in" "$tmp/serial.out"
		# A writer of our own: the reader gets no end of file before QEMU has opened the pipe.
		exec 7<>"$tmp/serial.out"
		(exec 7>&-; read_console) &
		console_pid=$!
	fi
	status=0
	# shellcheck disable=SC2086 # words
	qemu "$limit" $accel -m "$mem" -append "$cmdline" "$@" || status=$?
	if [ -n "$console_pid" ]; then
		exec 7>&-
		wait $console_pid || :
	fi
	judge "$status"
}

# symbols_of KERNEL: the name of its kallsyms, which is asked for when it is needed for the
# first time. No package has it, and vmlinux has no symbols.
symbols_of() {
	symbols=$(root_of "$1")/vm/$1.symbols
	if [ ! -s "$symbols" ]; then
		echo "cat /proc/kallsyms" >"$tmp/ask"
		"$here/vm" run "$1" --icount --timeout 60 "$tmp/ask" >"$tmp/symbols" || return
		mv "$tmp/symbols" "$symbols"
	fi
	echo "$symbols"
}

# say_where: what each CPU did when the time was up. A kernel that unpacks itself (and only those
# of vm run are of vm list) is somewhere else than its symbols say.
say_where() {
	symbols=/dev/null
	case " $(all_kernels) " in
	*" $kernel "*) [ -n "$bzimage" ] || symbols=$(symbols_of "$kernel") || return 0 ;;
	esac
	awk -v map="$symbols" -v deepest=12 -f "$here/where.awk" "$symbols" "$tmp/where" |
		while read -r line; do
			say "$kernel: $line"
		done
}

# give_up STATUS WORDS: keeps the kernel's log, which otherwise nobody needs, under a name
# of this run's own
give_up() {
	mkdir -p "$cache/log"
	find "$cache/log" -type f -mtime +"$KEEP_DAYS" -exec rm -f {} +
	kept=$(mktemp "$cache/log/$kernel.XXXXXX")
	cp "$tmp/console" "$kept"
	[ ! -e "$tmp/where" ] || cp "$tmp/where" "$kept.where"
	cp "$tmp/status" "$kept.status"
	say "$kernel: $2; the kernel log is $kept"
	exit "$1"
}

OURS='\[(trace_irqoff|irqoff_inject)\]'

# complaint: what the kernel said first that says something, and what of ours it names next
complaint() {
	grep -ahE -A 60 -f "$tmp/complaints" "$tmp/log" | tr -d '\r' | awk '
		/ cut here /	{ next }
		{ sub(/^\[[ 0-9.]*\] /, "") }
		!said		{ said = 1; printf "%s", $0; if (!/'"$OURS"'/) next; exit }
		/'"$OURS"'/	{ sub(/^ */, ""); printf "; %s", $0; exit }'
}

# unexpected FILE...: a log without the lines that the script announced on the status line, by
# "expect TEXT", which is good for one of them in each. One that did not come is a complaint.
unexpected() {
	sed -n '/^--- dmesg/q; s/^expect //p' "$tmp/status" >"$tmp/expected"
	awk -v expected="$tmp/expected" '
		BEGIN {
			while ((getline <expected) > 0)
				text[++n] = $0
		}
		{
			for (i = 1; i <= n; i++)
				if (!came[i] && index($0, text[i])) {
					came[i] = 1
					next
				}
			print
		}
		END {
			for (i = 1; i <= n; i++)
				if (!came[i])
					print "BUG: expected, but not there: " text[i]
		}' "$1"
}

# judge QEMU-STATUS: the script's status, unless something else went wrong
judge() {
	touch "$tmp/status"
	sed -n '/^--- dmesg/,$p' "$tmp/status" >"$tmp/dmesg"
	{
		unexpected "$tmp/console"
		[ ! -s "$tmp/dmesg" ] || unexpected "$tmp/dmesg"
	} >"$tmp/log"
	if grep -aE -m 1 -B 2 -A 40 -f "$tmp/complaints" "$tmp/log" >&2; then
		give_up 125 "the kernel complained: $(complaint)"
	fi
	script_status=$(sed -n 's/^status //p' "$tmp/status" | tail -n 1)
	[ "$1" -eq 0 ] && [ -n "$script_status" ] && exit "$script_status"

	tail -n 20 "$tmp/console" >&2
	case $1 in
	124)
		say_where
		give_up 124 "not finished within $limit s, given up" ;;
	*) give_up 125 "the VM ended before the script (QEMU's status: $1)" ;;
	esac
}

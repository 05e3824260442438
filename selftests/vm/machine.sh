# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The part of vm that chooses the processors of a VM: KVM or emulated, clock, NUMA nodes. Sourced by
# vm, whose functions it uses.

: "${cache:?} ${arch=} ${tmp=} ${cmdline=}"	# vm and boot.sh set them

KVM_TIME_LIMIT=15	# seconds, for the boot that tests KVM
KVM="-accel kvm -cpu host"

# A common server processor (ARMv8.2).
ARM64="-M virt,gic-version=3 -cpu neoverse-n1"

# tcg single|multi: QEMU's arguments to emulate a processor with all features, except slow ones.
# With erms and fsrm, kernels copy by "rep movsb", which QEMU executes byte by byte: without, a fork
# takes 30 % less time. Without SMAP, code runs 10 % faster, because each stac and clac ends a
# translation. Kernels that check themselves keep SMAP.
tcg() {
	if [ "$arch" = arm64 ]; then
		echo "-accel tcg,thread=$1 $ARM64"
		return
	fi
	features=-erms,-fsrm
	checks_itself "${kernel:-}" || features=$features,-smap
	echo "-accel tcg,thread=$1 -cpu max,$features"
}

# shift_for CPUS: an instruction takes 2^shift ns. One CPU: 1 ns, so that a length in ns is a number
# of instructions. Several CPUs: 8 ns, because the host must execute each instruction of a CPU that
# spins, and 8 ns make a second of spinning eight times cheaper. Kernels that check themselves: 2
# ns, because their checks add many instructions.
shift_for() {
	if [ "$1" = 1 ]; then
		echo 0
	elif checks_itself "${kernel:-}"; then
		echo 1
	else
		echo 3
	fi
}

# node_arguments NODES CPUS MB: QEMU's arguments for NUMA nodes that share the memory, and have the
# CPUs in turn. Each CPU is a socket: the CPUs of a socket are on one node.
node_arguments() {
	[ "$1" -gt 1 ] || return 0
	echo "-smp sockets=$2"
	for node in $(seq 0 $(($1 - 1))); do
		echo "-object memory-backend-ram,id=node$node,size=$(($3 / $1))M"
		echo "-numa node,memdev=node$node$(seq -s '' -f ,cpus=%.0f "$node" "$1" $(($2 - 1)))"
	done
}

# has_kvm: a kernel boots under KVM. A /dev/kvm that can be opened does not prove that, so boot a
# kernel once per boot of the host.
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
			say "VMs use $found"
			echo "$found" >"$answer"
		) 9>"$cache/accelerator.lock"
	fi
	grep -q kvm "$answer"
}

# try_kvm: a VM under KVM boots, and its script, which does nothing, succeeds
try_kvm() {
	(
		# shellcheck disable=SC2034	# for boot.sh
		tmp=$tmp/kvm slow_console=
		mkdir -p "$tmp/root"
		echo "exit 0" >"$tmp/root/script"
		make_initrd
		# shellcheck disable=SC2086 # words
		qemu $KVM_TIME_LIMIT $KVM -smp 2 -m 512 -append "$cmdline" >/dev/null 2>&1 || :
		grep -q '^status 0' "$tmp/status" 2>/dev/null
	)
}

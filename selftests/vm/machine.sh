# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that chooses processor, clock and NUMA nodes of a VM. Sourced by vm.

: "${arch=}"	# boot.sh sets it

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

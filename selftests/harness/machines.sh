# SPDX-License-Identifier: GPL-2.0
#
# The virtual machines: names, options of vm, and cost. Sourced by check.

: "${here:?} ${vm:?} ${tmp:?} ${all=}"	# check sets them

# The order of runs that use equally many CPUs.
MACHINES="smp smp4 icount groups real isolated suspend poll lowres smp8 smp64 groups64"

# heads VARIABLE=VALUE...: run harness/heads.awk with these variables on the tests in $vm_tests; if
# that is empty, on all tests for VMs
heads() (
	cd "$here" || exit
	# shellcheck disable=SC2046,SC2086 # words
	awk -v all="$all" -v known_machines="$MACHINES" -f harness/heads.awk "$@" \
		${vm_tests:-$(echo module/* helper/*.sh)} || : >"$tmp/heads_failed"
)

arch_of() {
	case $1 in
	*-arm64) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# With this command line, the kernel uses thunks against ITS instead of retpolines.
ITS="setcpuid=ibrs_enhanced spectre_v2=eibrs indirect_target_selection=force"

# counts_instructions MACHINE KERNEL: one thread of the host runs all CPUs of the VM in turn, and
# the clock counts instructions, so the load of the host does not delay interrupts. Not "real" and
# kcsan: they find errors of CPUs that run at the same time.
counts_instructions() {
	[ "$2" != kcsan ] || return 1
	case $1 in
	real | smp8 | smp64) return 1 ;;
	esac
}

# start_machine MACHINE KERNEL VM-ARGUMENT...
start_machine() {
	machine=$1 kernel=$2 make_flags=${VM_MAKEFLAGS:-}
	shift 2
	! counts_instructions "$machine" "$kernel" || set -- --icount "$@"
	case $machine in
	icount) set -- --smp 1 "$@" ;;
	smp) set -- --smp 2 "$@" ;;
	# make check has "real" on debug only: with QEMU 7.2 on a busy host, stock kernels ran into
	# an int3 that had been patched away.
	smp4 | real) set -- --smp 4 "$@" ;;
	smp8) set -- --smp 8 "$@" ;;
	suspend) set -- --smp 4 --bzimage "$@" ;;
	poll) set -- --smp 2 --append idle=poll "$@" ;;
	lowres) set -- --smp 2 --append highres=off "$@" ;;
	# Without lpj= each of 64 CPUs measures its delay loop for seconds.
	smp64) set -- --smp 64 --mem 4096 --append "lpj=4000000" "$@" ;;
	# The module has small groups of CPUs: see groups.sh.
	groups)
		set -- --smp 6 --nodes 2 "$@"
		make_flags=KCFLAGS=-DGROUP_CPUS=2 ;;
	groups64)
		set -- --smp 64 --mem 4096 --nodes 2 --append "lpj=4000000" "$@"
		make_flags=KCFLAGS=-DGROUP_CPUS=8 ;;
	# The kernel uses thunks that no other machine has: see indirect.sh.
	isolated)
		thunks=$ITS
		[ "$(arch_of "$kernel")" = amd64 ] || thunks=
		set -- --smp 2 --append "isolcpus=1 nohz_full=1 $thunks" "$@" ;;
	*) echo "unknown machine '$machine'" >&2; return 1 ;;
	esac
	VM_MAKEFLAGS=$make_flags "$vm" run "$kernel" "$@"
}

# cpus_of MACHINE KERNEL: the number of host CPUs that the VM uses
cpus_of() {
	if counts_instructions "$1" "$2"; then
		echo 1
		return
	fi
	case $1 in
	smp | isolated | poll | lowres) echo 2 ;;
	real) echo 4 ;;
	*) echo "${1#smp}" ;;
	esac
}

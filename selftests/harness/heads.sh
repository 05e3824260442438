# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the tests say in their heads of where they run; and the machines. Sourced by check.
#
#	# machine: icount smp
# The machines, see start_machine(); a VM for each, with all tests of that machine. "none":
# only what the other lines say.
#	# kernels: oldest newest debug
# Not on all kernels but kcsan and nmi-arm64, but on these: "stock" means Debian's of x86-64,
# which "oldest" and "newest" are of; "arm64" and "newest-arm64" those of arm64.
#	# long: smp8 DURATION=120
# How check-long runs it, in a VM of its own, with variables that make more of it.
#	# kcsan: smp4 DURATION=30
# How make check runs it on the kernel kcsan, in a VM of its own.
#	# kcsan-long: smp4 DURATION=60
# How check-long does.
#	# host: why not
# It is not for a host that is needed later: see on-host.

: "${here:?} ${vm:?}"	# check sets them

# Tests that run in a VM, as one looks for them in here.
GUEST_TESTS="module/*.sh helper/*.sh"
MACHINES="icount smp smp4 smp8 smp64 isolated real suspend kmemleak"

# head FILE KEY: the values of these lines, which are above all code
head_line() {
	sed -n "/^[^#]/q; s/^# $2: //p" "$here/$1"
}

# In this order they run: signed.sh, which cannot be undone, is last.
guest_tests() {
	(cd "$here" && for file in $GUEST_TESTS; do
		echo "$file"
	done)
}

is_one_of() {
	case " $2 " in
	*" $1 "*) return 0 ;;
	esac
	return 1
}

# stock_of ALL: Debian's kernels of x86-64
stock_of() {
	echo "$1" | tr ' ' '\n' | grep '^[0-9]' | grep -v -e '-arm64$' | tr '\n' ' '
}

# arm64_of ALL: those of arm64
arm64_of() {
	echo "$1" | tr ' ' '\n' | grep '^[0-9].*-arm64$' | tr '\n' ' '
}

arch_of() {
	case $1 in
	*-arm64) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# kernels_for FILE ALL: those of ALL that the test is for
kernels_for() {
	stock=$(stock_of "$2")
	kernels_said=$(head_line "$1" kernels)
	for kernels_word in ${kernels_said:-stock debug arm64}; do
		case $kernels_word in
		stock) echo "$stock" ;;
		arm64) arm64_of "$2" ;;
		oldest) echo "${stock%% *}" ;;
		newest) echo "$stock" | awk '{ print $NF }' ;;
		newest-arm64) arm64_of "$2" | awk '{ print $NF }' ;;
		*) echo "$kernels_word" ;;
		esac
	done | tr '\n' ' '
}

# wrong_heads ALL: a line for each mistake: a test that nobody would run is worse than none
wrong_heads() {
	for file in $(guest_tests); do
		machines=$(head_line "$file" machine)
		[ "$(head_line "$file" machine | grep -c .)" = 1 ] ||
			echo "$file: not one line \"machine:\" in its head"
		for word in $machines; do
			[ "$word" = none ] || is_one_of "$word" "$MACHINES" ||
				echo "$file: no machine '$word'"
		done
		for word in $(kernels_for "$file" "$1"); do
			is_one_of "$word" "$1" || echo "$file: no kernel '$word'"
		done
		for key in long kcsan kcsan-long; do
			head_line "$file" $key | while read -r machine words; do
				is_one_of "$machine" "$MACHINES" ||
					echo "$file: $key: no machine '$machine'"
				for word in $words; do
					case $word in
					[A-Z]*=*) ;;
					*) echo "$file: $key: no variable: '$word'" ;;
					esac
				done
			done
		done
		[ "$machines" != none ] || [ -n "$(head_line "$file" long)" ] ||
			[ -n "$(head_line "$file" kcsan)" ] ||
			echo "$file: it runs nowhere"
		# What looks like one of these lines and is none.
		sed -n '/^[^#]/q; s/^# *\([A-Za-z-]*\) *: *\([a-z0-9]*\).*/\1 \2/p' "$here/$file" |
			while read -r key word; do
				is_one_of "$key" "machine kernels long kcsan kcsan-long host" ||
					! is_one_of "$word" "$MACHINES" ||
					echo "$file: what is '$key:'?"
			done
	done
	# A test by another name would never be found.
	(cd "$here" && for file in module/*; do
		[ "${file%.sh}" != "$file" ] || echo "$file: no test, by its name"
	done)
}

# is_for KERNEL FILE ALL: a test runs there; on those of check-long if it names no kernels
is_for() {
	case $1 in
	hz*) [ -z "$(head_line "$2" kernels)" ] ;;
	*) is_one_of "$1" "$(kernels_for "$2" "$3")" ;;
	esac
}

# tests_of MACHINE KERNEL ALL: on debug, what runs on CPUs of its own ("real") need not take turns, too
tests_of() {
	for file in $(guest_tests); do
		machines=$(head_line "$file" machine)
		[ "$2" != debug ] || ! is_one_of real "$machines" || machines=real
		is_one_of "$1" "$machines" && is_for "$2" "$file" "$3" && echo "$file"
	done
}

# Machines that make check has on kernels in the middle, and on the one that the newest has just
# replaced.
MIDDLE_MACHINES="icount smp smp4"
REPLACED_MACHINES="icount smp4"

# is_everyday MACHINE KERNEL ALL BACKPORTS: make check has that machine on that kernel; what it
# leaves out is in check-long. Kernels in the middle, which are neither the oldest nor the newest
# nor of a flavour of their own, take no way in compat.h that none of those takes. They have the
# machines where all kinds of windows are made, measured and looked into, and are not suspended nor
# isolated; the one that the newest has just replaced, which differs least from another, has those
# two that take the least time for what they show.
is_everyday() {
	everyday_stock=$(stock_of "$3")
	case $2 in
	"${everyday_stock%% *}" | *-rt) return 0 ;;
	esac
	is_one_of "$2" "$everyday_stock" || return 0
	[ "$2" != "$(echo "$everyday_stock" | awk '{ print $NF }')" ] || return 0
	if is_one_of "$2" "$4"; then
		is_one_of "$1" "$REPLACED_MACHINES"
	else
		is_one_of "$1" "$MIDDLE_MACHINES"
	fi
}

# single_runs KEY KERNEL ALL: a line for each test, "MACHINE [VARIABLE=VALUE]... TEST"
single_runs() {
	for file in $(guest_tests); do
		[ "$2" = kcsan ] || is_one_of "$2" "$(kernels_for "$file" "$3")" || continue
		head_line "$file" "$1" | sed "s|\$| $file|"
	done
}

# Command line of a processor that can do without retpolines, but not without these.
ITS="setcpuid=ibrs_enhanced spectre_v2=eibrs indirect_target_selection=force"

# counts MACHINE KERNEL: CPUs that count instructions instead of time: nothing is late by chance.
# Several of them take turns; errors of CPUs that run at the same time are for "real" and kcsan.
counts() {
	[ "$2" != kcsan ] || return 1
	is_one_of "$1" "icount smp smp4 isolated suspend kmemleak"
}

# start_machine MACHINE KERNEL VM-ARGUMENT...
start_machine() {
	machine=$1 kernel=$2
	shift 2
	! counts "$machine" "$kernel" || set -- --icount "$@"
	case $machine in
	icount) set -- --smp 1 "$@" ;;
	smp) set -- --smp 2 "$@" ;;
	# "real": CPUs that run at the same time. In make check on debug only, which finds the errors
	# of that: on a busy host 7.2 ran into an int3 that had been patched away, while it booted.
	smp4 | real) set -- --smp 4 "$@" ;;
	smp8) set -- --smp 8 "$@" ;;
	# Four, which a suspend to RAM leaves as they were.
	suspend) set -- --smp 4 --bzimage "$@" ;;
	# What it costs to keep the books of all memory, only a test of that is to pay.
	kmemleak) set -- --smp 2 --append kmemleak=on "$@" ;;
	# Each of 64 would else take seconds to find out how long a loop takes.
	smp64) set -- --smp 64 --mem 4096 --append "lpj=4000000" "$@" ;;
	# The second CPU is to be left alone. Where the kernel lets itself be told of a
	# processor, calls by pointer go by other thunks than elsewhere: see indirect.sh.
	isolated)
		thunks=$ITS
		[ "$(arch_of "$kernel")" = amd64 ] || thunks=
		set -- --smp 2 --append "isolcpus=1 nohz_full=1 $thunks" "$@" ;;
	*) echo "no machine '$machine'" >&2; return 1 ;;
	esac
	"$vm" run "$kernel" "$@"
}

# cpus_of MACHINE KERNEL: how many of the host's CPUs it wants
cpus_of() {
	if counts "$1" "$2"; then
		echo 1
		return
	fi
	case $1 in
	smp | isolated | kmemleak) echo 2 ;;
	real) echo 4 ;;
	*) echo "${1#smp}" ;;
	esac
}

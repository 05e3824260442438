# SPDX-License-Identifier: GPL-2.0
#
# Functions for all benchmarks, besides those of module.sh. The head of a benchmark has a line for
# each VM that it runs in, with arguments of "vm run":
#
#	# vm: --icount --smp 2
#
# A benchmark prints a row for each figure, which "bench" reads; its other output is for people. It
# fails if it could not measure something. idle.sh, bounds.sh and module/tick_cost.sh also
# run on a host (make bench-host).
set -eu

. "$(dirname "$0")/../module.sh"

# shellcheck disable=SC2034	# for the benchmarks
LAST=$(last_cpu)

in_vm() {
	[ -n "${VM_CONTROL:-}" ]
}

# row WHAT PARAMETER VALUE UNIT: print one figure. The words have no commas.
row() {
	echo "row:$1,$2,$3,$4"
}

die() {
	echo "$*" >&2
	exit 1
}

# start_bench: on CPU 0, load only the test module, and wait until the kernel's work after boot is over
start_bench() {
	unload_all
	taskset -p 1 $$ >/dev/null
	trap unload_all EXIT
	trap 'exit 130' INT TERM HUP
	insmod "$(ko irqoff_inject)"
	sleep 5
}

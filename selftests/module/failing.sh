#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug arm64
# kernels: newest debug
# host: the test makes calls into the kernel fail
# Calls that a load makes fail, which programs/nth cannot let fail, because they need not allocate
# memory (inject/fail.c). After a failure, nothing is left of the load, and the next load succeeds. On
# debug, the kernel complains if a load that fails leaves memory allocated, except per-CPU memory.
. "$(dirname "$0")/../module.sh"
start_test
nr_files=$(find "$P" -type f | wc -l)
unload

LOADS=$(fewer 20 3)

hurry_rcu

# arm N FUNCTION...: from now on, every Nth call of the first of these functions that this kernel
# has fails. Each load of a test tries twice: busybox knows two system calls.
arm() {
	nth=$1
	shift
	for function; do
		! echo "$function $nth" 2>/dev/null >"$FAIL" || return 0
	done
	return 1
}

load_fully() {
	load enable=1 cpus=0-1
}

# fails: the load fails, and nothing is left of it
fails() {
	! load_fully 2>/dev/null || { echo "the load succeeds"; return 1; }
	! grep -q ' failed=0' "$FAIL" || { echo "no call failed"; return 1; }
	[ ! -e "$P" ] || { echo "$P exists"; return 1; }
	! loaded trace_irqoff || { echo "the module is loaded"; return 1; }
	! grep trace_irqoff /sys/devices/system/cpu/hotplug/states
}

# fails_without FUNCTION...: the load fails if the first or the last call to the function fails
fails_without() {
	arm 1000000 "$@" && load_fully && unload || return
	calls=$(sed -n 's/.*calls=\([0-9]*\).*/\1/p' "$FAIL")
	arm 1 "$@" && fails && arm "$calls" "$@" && fails || return
	echo off >"$FAIL"
	load_fully && unload
}

# fail_often: the last step of a load fails: the module must undo all other steps
fail_often() {
	percpu=$(percpu_kb)
	arm "$nr_files" proc_create_data || return
	for _ in $(seq "$LOADS"); do
		fails || return
	done
	echo off >"$FAIL"
	await eval "between 0 \$(percpu_kb) $((percpu + 16))"
}

without_handler() {
	arm 1 __register_nmi_handler && load_fully || return
	reads enable enabled && same "off (registration failed)" "$(value nmi status)"
}

expect "without per-CPU memory, the module is not loaded" \
	fails_without __alloc_percpu pcpu_alloc_noprof
expect "without a hotplug state, the module is not loaded" \
	fails_without __cpuhp_setup_state_cpuslocked
expect "$LOADS loads that fail at the last step leak no per-CPU memory" fail_often
if [ "$(uname -m)" = x86_64 ]; then
	expect "without an NMI handler, the module is loaded, and status says so" without_handler
else
	skip "without an NMI handler, the module is loaded, and status says so" \
		"no samples: nmi is off (architecture)"
fi
finish

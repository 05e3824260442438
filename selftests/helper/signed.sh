#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: isolated
# only: stock
# kernels: newest
# host: the test locks the kernel down until the next boot
# A kernel accepts only signed modules, as with Secure Boot. A module that was loaded before keeps
# working, no module can be loaded, and the helper says what to do. The kernel cannot undo a
# lockdown, so this test must be the last test in its VM.
. "$(dirname "$0")/../module.sh"
. "$(dirname "$0")/lib"

LOCKDOWN=/sys/kernel/security/lockdown
ENFORCE=/sys/module/module/parameters/sig_enforce
mount -t securityfs security /sys/kernel/security 2>/dev/null
[ -w $LOCKDOWN ] || skip_all "this kernel has no lockdown"
start_test

find_helper

# fails_with TEXT: the helper cannot load the module, and prints TEXT
fails_with() {
	ends_with 1 helper on && says "$1" helper on
}

echo confidentiality >$LOCKDOWN
trace 10ms 50ms
inject spinlock 120000
expect "after a lockdown, a loaded module records a window" await recorded kind=hardirq
expect "the record has names of functions" sh -c "grep inject_spinlock $P/records"
expect "the threshold can be changed" put 70ms trace_latency
unload
expect "the module can be unloaded" same "" "$(grep '^trace_irqoff ' /proc/modules)"
expect "the module cannot be loaded again, and the helper says why" \
	fails_with "the kernel does not let modules in: is it locked down"
expect "the helper prints the lockdown mode of the kernel" fails_with "[confidentiality]"
echo 1 >$ENFORCE
expect "if the kernel requires signatures, the helper says so" \
	fails_with "the kernel takes signed modules only (Secure Boot)"
expect "the helper says how to enrol the key of DKMS" \
	fails_with "mokutil --import /var/lib/dkms/mok.pub"
expect "the helper leaves no files" same "" "$(ls -d /run/trace-irqoff* /tmp/trace-irqoff.* 2>/dev/null)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: isolated
# only: stock
# kernels: newest
# host: it locks the kernel down until the next boot
# Kernels that do not take just any module, as with Secure Boot: what is loaded goes on, what
# is not cannot be, and the helper says what to do. None of it can be undone, so this has to
# be the last test in its VM.
. "$(dirname "$0")/../lib.sh"

LOCKDOWN=/sys/kernel/security/lockdown
ENFORCE=/sys/module/module/parameters/sig_enforce
HELPER=$selftests/../trace-irqoff
mount -t securityfs security /sys/kernel/security 2>/dev/null
[ -w $LOCKDOWN ] || skip_all "this kernel takes any module"
start_test
stay_on_cpu0
plan 9

# fails_with TEXT: to load it, and says so
fails_with() {
	if said=$(sh "$HELPER" on 2>&1); then
		echo "it has been loaded"
		return 1
	fi
	case $said in
	*"$1"*) ;;
	*) echo "$said"; return 1 ;;
	esac
}

echo confidentiality >$LOCKDOWN
trace 10ms 50ms
inject spinlock 120000
expect "what is loaded traces on in a kernel that is locked down" await recorded kind=hardirq
expect "and names functions" sh -c "grep inject_spinlock $P/records"
expect "settings can be changed" put 70ms trace_latency
unload
expect "it can be unloaded" same "" "$(grep '^trace_irqoff ' /proc/modules)"
expect "but not be loaded again, which the helper explains" \
	fails_with "the kernel does not let modules in: is it locked down"
expect "with what the kernel says of itself" fails_with "[confidentiality]"
echo 1 >$ENFORCE
expect "where a signature is asked for, that is said" \
	fails_with "the kernel takes signed modules only (Secure Boot)"
expect "and how to enrol the key of DKMS" fails_with "mokutil --import /var/lib/dkms/mok.pub"
expect "nothing is left of that" same "" "$(ls -d /run/trace-irqoff* /tmp/tmp.* 2>/dev/null)"
finish

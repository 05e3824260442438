#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: newest
# Only root in the initial user namespace can read and write the files: reading needs CAP_PERFMON,
# writing CAP_SYS_ADMIN. (load.sh tests the modes.) No file has an address of the kernel.
. "$(dirname "$0")/../module.sh"
start_test

# An address of a 64-bit kernel or its modules.
ADDRESS='(0x)?[fF]{4}[0-9a-fA-F]{12}'

no_address() {
	! grep -aE "$ADDRESS" /tmp/all
}

expect "root can have a user namespace" unshare -U -r true
# Root in a user namespace owns the files, and has no CAP_SYS_ADMIN in the initial namespace. Root
# with no other capability than CAP_PERFMON (38) may be a service.
for file in $FILES; do
	expect "root of a user namespace cannot read $file" \
		fails_saying "not permitted" unshare -U -r cat "$P/$file"
	expect "CAP_PERFMON is enough to read $file" "$selftests/bin/only_cap" 38 cat "$P/$file"
done
for file in $WRITABLE; do
	expect "root of a user namespace cannot write $file" \
		fails_saying "not permitted" unshare -U -r sh -c "echo 1 >$P/$file"
	expect "CAP_PERFMON is not enough to write $file" \
		fails_saying "not permitted" "$selftests/bin/only_cap" 38 sh -c "echo 1 >$P/$file"
done
expect "no refused write has changed a setting" reads enable disabled

# Records of each kind, with samples: of a task in the kernel, and of one in user space that a handler
# interrupted.
trace 10ms 50ms
spin 1
# Wait for the task's loop. Five windows, because softirqs may run between a handler and the tick.
sleep 0.2
inject_times 5 idle_handler 120000 1
stop_background
for kind in hardirq spinlock handler bh softirq; do
	inject $kind 120000 1
done
await recorded kind=softirq
inject hardirq 5000000 1 &
await grep -q ' cpu=1 ' $P/active
for file in $FILES; do
	cat "$P/$file"
done >/tmp/all
wait
expect "the files show a task in user space" grep -q 'stack=\[user\]' /tmp/all
expect "the files show records and an open window" sh -c \
	"grep -q '^seq=[1-9]' /tmp/all && grep -q '^seq=0 kind=hardirq cpu=1 ' /tmp/all"
expect "no file has an address" no_address
rmmod irqoff_inject
cat $P/* >/tmp/all
expect "no file has an address after a module in its stacks is unloaded" no_address
finish

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# Before the first run: fetch or build kernels and modules, and collect the files for the VMs.
# Sourced by check.

# check sets these.
: "${here:?} ${vm:?} ${tmp:?} ${check_begun=} ${kernels=} ${long=} ${all=} ${debian_kernels=}"

# prepare: fails if something cannot be fetched or built, with a message
prepare() {
	# At the same time: our own kernels need the CPUs, and Debian's kernels need the network.
	# shellcheck disable=SC2046 # words
	build $(echo "$kernels $long" | tr ' ' '\n' | grep -v '^[0-9]') &
	# shellcheck disable=SC2086 # words
	build $debian_kernels
	wait
	[ ! -e "$tmp/not_built" ] && { [ -z "$kernels" ] || gather; }
}

# build KERNEL...: fetch or build these kernels, and build all modules for them
build() {
	for kernel; do
		if "$vm" build "$kernel" >/dev/null; then
			echo "... $(($(date +%s) - check_begun)) s: $kernel is ready"
		else
			echo "$kernel cannot be fetched or built" >&2
			: >"$tmp/not_built"
		fi
	done
}

# gather: collect the files for the VMs of each architecture. Programs for x86-64 are built in the
# root of the newest kernel, which has the newest compiler, and run on all kernels. All kernels for
# arm64 share one root.
gather() {
	arches=$(for kernel in $kernels; do arch_of "$kernel"; done | paste -s -d ' ')
	if is_one_of amd64 "$arches"; then
		gather_for_guests "${all##* }" "" x86_64-linux-gnu/ld-linux-x86-64.so.2 || return
	fi
	arm64=$(arm64_of "$all")
	! is_one_of arm64 "$arches" || gather_for_guests "${arm64%% *}" /vm/arm64 \
		aarch64-linux-gnu/ld-linux-aarch64.so.1 CC=aarch64-linux-gnu-gcc
}

# gather_for_guests KERNEL FROM LOADER [MAKEFLAGS]: make the directory with the files for all VMs of
# KERNEL's architecture: the tests, their programs (built in KERNEL's root), and shells for the
# helper. FROM is the directory of that root that has the shells, LOADER their dynamic loader below
# usr/lib.
gather_for_guests() {
	guests=$tmp/$(arch_of "$1")/selftests
	mkdir -p "$guests/shells"
	cp -r "$here/lib.sh" "$here/windows.sh" "$here/run" "$here/on-host" "$here/Makefile" \
		"$here/module" "$here/helper" "$here/programs" "$guests"
	# shellcheck disable=SC2016 # the shell in the root expands it
	"$vm" in "$1" "$guests" sh -euc '
		make -s -C /build $3 programs
		cp "$1"/usr/bin/dash "$1"/usr/bin/bash /build/shells
		cp "$1/usr/lib/$2" /build/shells/ld.so
		cd "$1/usr/lib/${2%/*}"
		cp libc.so.6 libtinfo.so.6 /build/shells' sh "$2" "$3" "${4:-}"
}

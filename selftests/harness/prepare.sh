# SPDX-License-Identifier: GPL-2.0
#
# Sourced by check: fetches or builds kernels and modules, and collects files, while tests run.

# check sets these.
: "${here:?} ${vm:?} ${tmp:?} ${check_begun=} ${all=}"

PATIENCE_S=30

# prepare: start to make the kernels of all runs in $tmp/runs ready. Runs that measure real time
# wait until all are: so wait a little, in case that all have been built before.
prepare() {
	{
		(make_ready)
		: >"$tmp/all.ready"
	} &
	prepare_left=$((PATIENCE_S * 5))
	while ! all_ready && [ $((prepare_left -= 1)) -ge 0 ]; do
		sleep 0.2
	done
}

# all_ready: all kernels are there, or cannot be fetched or built
all_ready() {
	[ -e "$tmp/all.ready" ]
}

# is_ready KERNEL: the same for one kernel. A run on the host has "here" instead.
is_ready() {
	[ "$1" = here ] || [ -e "$tmp/$1.ready" ] || all_ready
}

# make_ready: our own kernels need the CPUs, and Debian's kernels need the network: so both at the
# same time. The newest first: the programs for VMs are built in its root. arm64 last: its root is
# the largest.
make_ready() {
	awk '$3 != "here" { print $3 }' "$tmp/runs" | sort -ruV >"$tmp/kernels"
	# shellcheck disable=SC2046 # words
	build 10 $(grep -v '^[0-9]' "$tmp/kernels" | sort) &
	# shellcheck disable=SC2046 # words
	build 0 $(grep '^[0-9]' "$tmp/kernels" | grep -v -e '-arm64$') \
		$(grep '^[0-9].*-arm64$' "$tmp/kernels")
	wait
}

# build NICENESS KERNEL...: fetch or build these kernels, and build all modules for them
build() {
	niceness=$1
	shift
	for kernel; do
		if nice -n "$niceness" "$vm" build "$kernel" >/dev/null &&
			gather "$(arch_of "$kernel")"; then
			echo "... $(($(date +%s) - check_begun)) s: $kernel is ready"
		else
			: >"$tmp/$kernel.not_built"
		fi
		: >"$tmp/$kernel.ready"
	done
}

# gather ARCHITECTURE: make the directory with the files for its VMs, once: the tests and their
# programs. For x86-64, programs are built in the root of the newest kernel, which has the newest
# compiler, and run on all kernels. All kernels for arm64 share one root.
gather() {
	gathered=$tmp/$1
	if [ "$1" = arm64 ]; then
		set -- 6.12-arm64 "$gathered/selftests" make CC=aarch64-linux-gnu-gcc
	else
		set -- "${all##* }" "$gathered/selftests" make
	fi
	(
		flock 9
		[ ! -e "$gathered/done" ] || exit 0
		mkdir -p "$2"
		cp -r "$here/lib.sh" "$here/module.sh" "$here/windows.sh" "$here/run" "$here/Makefile" \
			"$here/module" "$here/helper" "$here/programs" "$2"
		"$vm" in "$@" -s -C /build programs && : >"$gathered/done"
	) 9>"$tmp/gather.lock"
}

# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that builds modules: "vm build", and "vm in". Sourced by vm.

: "${here:?} ${top:?} ${cache:?} ${KEEP_DAYS:?}"	# vm sets them

# sources_of DIR: the files that kbuild reads; for this project, without selftests
sources_of() {
	if [ "$1" = "$top" ]; then
		set -- Kbuild module
	else
		set -- .
	fi
	find "$@" -name .git -prune -o -type f \( -name '*.[chS]' -o \
		-name Kbuild -o -name 'Makefile*' -o -name '*.mk' \) ! -name '*.mod.c' -print | sort
}

# in_root ROOT DIR COMMAND...: run COMMAND in ROOT, with DIR as /build, in a mount namespace. kbuild
# needs /proc, /sys and /dev. The environment is empty: otherwise the MAKEFLAGS of "make check"
# would change a build without changing its hash.
in_root() {
	unshare --mount sh -euc '
		root=$1 dir=$2
		shift 2
		mount --bind "$dir" "$root/build"
		mount -t proc proc "$root/proc"
		mount -t sysfs sys "$root/sys"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" env -i LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$@"
}

# build_dir KERNEL DIR: build its modules; print their paths, and the compiler's messages to stderr
build_dir() {
	kernel=$1
	dir=$(cd "$2" && pwd) || die "no directory $2"
	flags=${VM_MAKEFLAGS:-}
	[ "$(arch_of "$kernel")" != arm64 ] ||
		flags="ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- $flags"
	sources=$(cd "$dir" && sources_of "$dir")
	[ -n "$sources" ] || die "nothing to build in $dir"
	# The test modules include files of ../../module.
	extra=$([ "$dir" != "$top/selftests/inject" ] || echo module)
	hash=$({
		echo "$(root_of "$kernel") $(release_of "$kernel") $flags"
		cd "$dir" && echo "$sources" | xargs sha256sum
		[ -z "$extra" ] || (cd "$top" && find "$extra" -type f \
			-name 'compat*' | sort | xargs sha256sum)
	} | sha256sum | cut -c 1-32)
	built=$cache/build/$kernel/$hash

	if [ ! -e "$built" ]; then
		mkdir -p "$cache/build/$kernel"
		find "$cache/build" -mindepth 2 -maxdepth 2 -mtime +"$KEEP_DAYS" -exec rm -rf {} +
		work=$(mktemp -d "$cache/build/$kernel/new.XXXXXX")
		inside=''
		if [ -n "$extra" ]; then
			inside=/selftests/inject
			cp -r "$top/module" "$work/module"
		fi
		mkdir -p "$work$inside"
		(cd "$dir" && echo "$sources" | cpio -pdm --quiet "$work$inside")
		say "$kernel: building ${dir#"${top%/*}/"}"
		# shellcheck disable=SC2086 # flags are words
		if ! in_root "$(root_of "$kernel")" "$work" make -s -j"$(nproc)" $flags \
			-C "/lib/modules/$(release_of "$kernel")/build" \
			"M=/build$inside" modules >"$work/log" 2>&1; then
			cat "$work/log" >&2
			rm -rf "$work"
			fail "$kernel: cannot build $dir"
		fi
		# Another run of vm may have built the same meanwhile.
		mv -T "$work" "$built" 2>/dev/null || rm -rf "$work"
	fi

	touch "$built"
	# Not a finding: BTF needs a vmlinux, which no headers package has.
	grep -v '^Skipping BTF generation' "$built/log" >&2 || :
	find "$built" -name '*.ko' | sort
}

build() {
	fetch "$1"
	need cpio:cpio
	if [ $# -gt 1 ]; then
		build_dir "$1" "$2"
	else
		build_dir "$1" "$top"
		build_dir "$1" "$top/selftests/inject"
	fi
}

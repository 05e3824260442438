# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that knows kernels which are not Debian's: "vm add". Sourced by vm.
#
# Each kernel is a file in $ADDED, named like the kernel. Below these lines are options of kconfig:
#
#	# sources: DIR      a directory with the sources of a kernel for x86-64
#	# suite: trixie     the Debian release with the compiler
#	# added: DATE       adding a kernel again makes a new root, with the new sources

: "${here:?} ${cache:?}"	# vm sets them

ADDED=$cache/added

is_added() {
	[ -f "$ADDED/$1" ]
}

list_added() {
	find "$ADDED" -type f -printf '%f\n' 2>/dev/null | sort -V | paste -s -d ' '
}

added_line() {
	sed -n "s/^# $2: //p" "$ADDED/$1"
}

# make_added NAME ROOT: make the build root of an added kernel, and build the kernel there. A build
# that failed stays in the cache, and the next one of the same directory goes on with it.
make_added() {
	building=$cache/root/$1.building
	sources=$(added_line "$1" sources) compiler=$(added_line "$1" suite)
	# Each in its own mount namespace: if vm is killed, no mounts are left.
	[ "$(cat "$building/vm/made_of" 2>/dev/null)" = "$sources $compiler" ] || {
		rm -rf --one-file-system "$building"
		packages=make,gcc,libc6-dev,kmod,xz-utils,zstd,bc,bison,flex,libelf-dev,libssl-dev,perl
		unshare --mount mmdebstrap --variant=apt --mode=root --include="$packages" \
			--dpkgopt='path-exclude=/usr/share/doc/*' \
			--dpkgopt='path-exclude=/usr/share/man/*' \
			--dpkgopt='path-exclude=/usr/share/locale/*' \
			"$compiler" "$building" || return 1
		mkdir "$building/vm"
		echo "$sources $compiler" >"$building/vm/made_of"
	}
	VM_KERNELS=$1 unshare --mount sh -euc '
		mount -t proc proc "$2/proc"
		mount --rbind /dev "$2/dev"
		exec "$@"' sh \
		"$here/build-kernel" "$building" "$sources" "$ADDED/$1" || return 1
	mv "$building" "$2"
}

# add NAME DIR CONFIG [SUITE]: make the file, and build the kernel
add() {
	[ $# = 3 ] || [ $# = 4 ] ||
		die "add needs a name, a directory with sources, and a file with options"
	# The version in front: selftests/skips goes by it.
	case $1 in
	*-arm64 | */*) die "'$1' cannot be the name of an added kernel" ;;
	[1-9]*.[0-9]*-?*) ;;
	*) die "'$1': the name must be the kernel's version and a word, such as 5.14-el9" ;;
	esac
	case " $(all_kernels) $LONG " in
	*" $1 "*) die "'$1' is one of Debian's kernels" ;;
	esac
	[ -e "$2/scripts/kconfig/merge_config.sh" ] || die "$2 has no sources of a kernel"
	[ -f "$3" ] || die "no file $3"
	mkdir -p "$ADDED"
	{
		echo "# sources: $(realpath "$2")"
		echo "# suite: ${4:-trixie}"
		echo "# added: $(date -u +%FT%TZ)"
		grep -v -e '^# sources:' -e '^# suite:' -e '^# added:' "$3" || :
	} >"$ADDED/$1"
	fetch "$1"
	say "$1 is $(release_of "$1")"
}

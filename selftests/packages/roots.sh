# SPDX-License-Identifier: GPL-2.0
#
# Writable copies of cached roots, and our packages; sources lib.sh. Needs root. Makes the directory
# $tmp, and removes it at the end.

. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || skip_all "only root can make roots"
make_tmp

# mounted ROOT COPY COMMAND...: run COMMAND with ROOT mounted at COPY/root. COPY keeps what it writes.
mounted() {
	mkdir -p "$2/upper" "$2/work" "$2/root"
	unshare --mount sh -euc '
		mount -t overlay copy "$2/root" -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work"
		shift 2
		exec "$@"' sh "$@"
}

# in_copy ROOT COPY COMMAND...: like mounted, but in a chroot to COPY/root, with a clean environment
in_copy() {
	copy_of=$1 copy=$2
	shift 2
	mounted "$copy_of" "$copy" sh -euc '
		mount -t proc proc "$1/proc"
		mount -t sysfs sys "$1/sys"
		mount --rbind /dev "$1/dev"
		exec chroot "$@"' sh "$copy/root" env -i LC_ALL=C HOME=/root \
		DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# debian RELEASE: set $suite to the code name of a Debian release (11, 12, 13, or "backports": 13 with
# its newest kernel), and $kernel to vm's name of its kernel
# shellcheck disable=SC2034 # for the callers
debian() {
	case $1 in
	11) suite=bullseye kernel=5.10 ;;
	12) suite=bookworm kernel=6.1 ;;
	13) suite=trixie kernel=6.12 ;;
	backports) suite=trixie kernel=$("$selftests/vm/vm" list backports | tail -n 1) ;;
	esac
}

# kernel_for KERNEL: set $kernel_root to vm's root with this kernel, $kernel_release to its release,
# and $module to our module for the kernel
kernel_for() {
	# shellcheck disable=SC2034	# module is for the callers
	kernel_root=$("$selftests/vm/vm" root "$1") &&
		module=$("$selftests/vm/vm" build "$1" | grep '/trace_irqoff\.ko$') &&
		kernel_release=$(cat "$kernel_root/vm/$1")
}

# boot_copy ROOT COPY ARGUMENT...: run "vm debian" of a root without a kernel, with the kernel of
# kernel_for(). The image of the kernel is copied into COPY, and its modules are mounted there, so
# that vm puts both on the disk of the VM.
boot_copy() {
	rm -rf --one-file-system "$2"
	mkdir -p "$2/upper/boot"
	for image in "$kernel_root/boot/vmlinuz-$kernel_release" \
		"$kernel_root/lib/modules/$kernel_release/vmlinuz"; do
		[ ! -f "$image" ] || break
	done
	cp "$image" "$2/upper/boot/vmlinuz-$kernel_release"
	booted_root=$1 booted_copy=$2
	shift 2
	mounted "$booted_root" "$booted_copy" sh -euc '
		host=$1 kernel_root=$2 release=$3 vm=$4
		shift 4
		mkdir -p "$host/lib/modules/$release"
		mount --bind "$kernel_root/lib/modules/$release" "$host/lib/modules/$release"
		exec "$vm" debian "$host" "$release" "$@"' sh "$booted_copy/root" "$kernel_root" \
		"$kernel_release" "$selftests/vm/vm" "$@"
}

# run_guest NAME ROOT DIR MB: run guest/NAME in a VM with a copy of ROOT, as boot_copy() makes it in DIR.
# Its files are those of DIR/fleet, in /fleet.
run_guest() {
	cp "$here/guest/common.sh" "$here/guest/$1" "$3/fleet"
	inject=$("$selftests/vm/vm" build "$kernel" | grep '/irqoff_inject\.ko$')
	echo "exec sh /fleet/$1" >"$3/script"
	boot_copy "$2" "$3/copy" --smp 2 --mem "$4" --timeout 900 --file "$inject" --file "$3/fleet" \
		--file "$selftests/lib.sh" --file "$selftests/module.sh" \
		--file "$selftests/windows.sh" "$3/script"
}

# take_release DIR: make the release tarball of the last commit in DIR
take_release() {
	have git git
	have xz xz-utils
	mkdir -p "$1"
	DIST=$1 "$selftests/../packaging/package" dist
}

# build_packages KIND TARBALL OUT [VERSION]: make "deb" or "rpm" packages of the tarball in OUT.
# With VERSION, change the version first.
build_packages() {
	packaging=$("$selftests/cached-root" "$here/packaging-root") || return 1
	mkdir -p "$3/build/upper/build"
	tar -x -C "$3/build/upper/build" --strip-components 1 -f "$2"
	[ -z "${4-}" ] || next_version "$3/build/upper/build" "$4"
	in_copy "$packaging" "$3/build" env DIST=/out MAINTAINER="R&D/Fleet <fleet@example.org>" \
		HOMEPAGE=https://example.org /build/packaging/package "$1" &&
		cp "$3/build/upper/out"/* "$3" && rm -rf "$3/build"
}

# next_version DIR VERSION: change the version of the sources in DIR to VERSION
next_version() {
	was=$("$1/packaging/version")
	sed -i "s/\"$was\"/\"$2\"/" "$1/module/version.h" "$1/dkms.conf"
	sed -i "s/^VERSION=.*/VERSION=$2/" "$1/scripts/src/environment.sh"
	sed -i "1,/^## /s/^## .*/## $2 ($(date -u +%Y-%m-%d))\n\n- What is next.\n\n&/" \
		"$1/CHANGELOG.md"
}

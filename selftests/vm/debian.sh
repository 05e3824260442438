# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that boots a Debian system: "vm debian". Sourced by vm, after boot.sh.

: "${here:?} ${tmp=}"	# vm sets it; begin_run() makes a directory for tmp

DISK_MB=8192		# a sparse file

# disk_modules ROOT RELEASE: the modules that the initrd needs to mount the disk, in load order
disk_modules() {
	for module in virtio_pci virtio_blk ext4; do
		chroot "$1" modprobe -S "$2" --show-depends "$module"
	done | sed -n 's/^insmod \([^ ]*\).*/\1/p'
}

# unpacked MODULE: print the contents of the file, which may be compressed
unpacked() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -dcq "$1" ;;
	*) cat "$1" ;;
	esac
}

# debian ROOT RELEASE [OPTION]... SCRIPT: boot a copy of the Debian system in the directory ROOT,
# with its kernel RELEASE and its systemd. Both must be installed.
debian() {
	debian=$1 release=$2
	shift 2
	[ -e "$debian/boot/vmlinuz-$release" ] || die "$debian/boot has no kernel $release"
	need mke2fs:e2fsprogs xz:xz-utils zstd:zstd
	begin_run "$@"
	# shellcheck disable=SC2034	# for boot.sh
	kernel=$release kernel_image=$debian/boot/vmlinuz-$release

	# debian-init copies /files of the initrd to the disk.
	mv "$tmp/root" "$tmp/files"
	mkdir -p "$tmp/root/modules"
	mv "$tmp/files" "$tmp/root/files"
	cp "$here/debian-init" "$tmp/root/init"
	cp "$here/debian-script" "$tmp/root/files/vm-script"
	count=10
	for module in $(disk_modules "$debian" "$release"); do
		unpacked "$debian$module" >"$tmp/root/modules/$count.ko"
		count=$((count + 1))
	done
	make_initrd
	: >"$tmp/disk"
	mke2fs -q -t ext4 -O ^metadata_csum,^64bit -E lazy_itable_init=1,lazy_journal_init=1 \
		-d "$debian" "$tmp/disk" ${DISK_MB}M
	obey_and_judge -drive "file=$tmp/disk,format=raw,if=none,id=disk,cache=unsafe" \
		-device virtio-blk-pci,drive=disk
}

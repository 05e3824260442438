# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# What packaging/package and packaging/modules share; they source it. The last variables may come from the
# environment.

# The modes of packaged files must not depend on the user's umask.
umask 022
# modinfo and depmod are there.
PATH=$PATH:/usr/sbin:/sbin
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit
version=$(packaging/version)
DIST=${DIST:-$top/dist}
MAINTAINER=${MAINTAINER:-trace_irqoff maintainers <trace-irqoff@localhost>}
HOMEPAGE=${HOMEPAGE:-}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# need COMMAND PACKAGE-OF-DEBIAN [PACKAGE-OF-RHEL]
need() {
	command -v "$1" >/dev/null ||
		die "$1 not found (Debian, Ubuntu: apt-get install $2${3:+; RHEL, Fedora: dnf install $3})"
}

# make_tmp [DIR]: make the temporary directory $tmp
make_tmp() {
	tmp=${1:-$(mktemp -d)}
	[ $# = 0 ] || mkdir -m 700 "$tmp" || die "another build runs in $tmp, or has left it"
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM
}

# The time of all packaged files is the date of this version.
changes_date=$(packaging/version date)
[ -n "$changes_date" ] || die "CHANGELOG.md has no entry for $version"
SOURCE_DATE_EPOCH=$(date -u -d "$changes_date" +%s) || exit
export SOURCE_DATE_EPOCH

# release_date DATE-OPTION...: print the date of this version
release_date() {
	LC_ALL=C date -u -d "$changes_date" "$@"
}

# changes: print the entry of this version in CHANGELOG.md, one line per item
changes() {
	awk -v heading="## $version " '
		/^## /	{ here = index($0, heading) == 1; next }
		!here || /^$/	{ next }
		/^- /	{ if (item != "") print item; item = substr($0, 3); next }
		{ sub(/^ */, ""); item = item " " $0 }
		END { if (item != "") print item }' CHANGELOG.md
}

# deb_changes NAME VERSION: print the changelog of a Debian package
deb_changes() {
	echo "$1 ($2) unstable; urgency=medium"
	echo
	changes | fold -s -w 74 | awk '{ sub(/ *$/, ""); print (start ? "    " : "  * ") $0; start = !/[.:]$/ }'
	echo
	echo " -- $MAINTAINER  $(release_date -R)"
}

# rpm_changes VERSION: print the changelog of an RPM
rpm_changes() {
	echo "%changelog"
	echo "* $(release_date '+%a %b %d %Y') $MAINTAINER - $1"
	changes | sed 's/%/%%/g; s/^/- /' | fold -s -w 76 | sed '/^- /!s/^/  /'
}

# build_rpm OPTION... SPEC: make all packages of a spec, below $tmp/rpm. --nodeps: the database of rpm is
# empty on Debian.
build_rpm() {
	rpmbuild --nodeps --define "_topdir $tmp/rpm" --define "_buildhost localhost" \
		--define "packager $MAINTAINER" --define "use_source_date_epoch_as_buildtime 1" \
		--define "clamp_mtime_to_source_date_epoch 1" "$@" >"$tmp/log" 2>&1 || {
		cat "$tmp/log" >&2
		die "rpmbuild failed"
	}
}

# SPDX-License-Identifier: GPL-2.0
#
# Messages: all of them go to stderr.

# Nobody may read it any more: that is no reason to end.
say() {
	printf 'trace-irqoff: %s\n' "$*" >&2 2>/dev/null || :
}

die() {
	say "$@"
	exit $ERROR
}

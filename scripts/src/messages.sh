# SPDX-License-Identifier: GPL-2.0
#
# Messages: all of them go to stderr.

say() {
	printf 'trace-irqoff: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit $ERROR
}

usage_error() {
	say "$*"
	say "\"trace-irqoff help\" says what it takes"
	exit $USAGE
}

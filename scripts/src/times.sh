# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Times as text: as people type and read them, and as the files of the module have them. Elsewhere a
# time is a whole number of nanoseconds: a shell has no floating point.

LONGEST_NS=9000000000000000000	# 285 years: the arithmetic of a shell has 64 bits

# find_unit TEXT: set unit_ns to the unit at its end, and number to the rest; fails without a unit
find_unit() {
	case $1 in
	*ns) unit_ns=1 number=${1%ns} ;;
	*us) unit_ns=1000 number=${1%us} ;;
	*ms) unit_ns=1000000 number=${1%ms} ;;
	*s) unit_ns=1000000000 number=${1%s} ;;
	*m) unit_ns=60000000000 number=${1%m} ;;
	*h) unit_ns=3600000000000 number=${1%h} ;;
	*d) unit_ns=86400000000000 number=${1%d} ;;
	*) return 1 ;;
	esac
}

# parse_time TEXT: set time_ns, without fractions; fails unless TEXT is 0 or a time with a unit
parse_time() {
	time_ns=0
	[ "$1" != 0 ] || return 0
	find_unit "$1" || return 1
	whole=${number%%.*} fraction=${number#"${number%%.*}"}
	case $whole$fraction in
	'' | . | *[!0-9.]* | *.*.* | *.) return 1 ;;
	esac
	fraction=${fraction#.}
	# A shell takes a number with a leading 0 as octal.
	whole=${whole#"${whole%%[!0]*}"}
	case $whole in
	??????????*) return 1 ;;
	esac
	[ "${whole:=0}" -le $((LONGEST_NS / unit_ns)) ] || return 1
	time_ns=$((whole * unit_ns))
	while [ -n "$fraction" ]; do
		unit_ns=$((unit_ns / 10))
		time_ns=$((time_ns + ${fraction%"${fraction#?}"} * unit_ns))
		fraction=${fraction#?}
	done
}

# time_text NS: print the time for people, with as many decimals as it takes: 100us, 50ms, 1.5s
time_text() {
	for text_unit in s ms us ns; do
		find_unit $text_unit
		[ "$1" -lt "$unit_ns" ] || break
	done
	# Adding the unit to the rest keeps its leading zeros.
	decimals=$((unit_ns + $1 % unit_ns))
	decimals=${decimals#1}
	decimals=${decimals%"${decimals##*[!0]}"}
	echo "$(($1 / unit_ns))${decimals:+.$decimals}$text_unit"
}

# setting_text NS: print the time as the module takes and prints it: 1500us, 50ms, 1500ms; or nothing
setting_text() {
	[ -n "$1" ] || return 0
	if [ $(($1 % 1000000)) = 0 ]; then
		echo "$(($1 / 1000000))ms"
	else
		echo "$(($1 / 1000))us"
	fi
}

# whole_seconds NS: print the time in seconds, rounded up. Prints nothing for an empty NS.
whole_seconds() {
	[ -z "$1" ] || echo $((($1 + 999999999) / 1000000000))
}

# SPDX-License-Identifier: GPL-2.0
#
# Options. Which ones a command takes comes from the table scripts/commands-and-options: option_defaults()
# and find_option() are made from it. What an option sets is opt_NAME, its value being checked
# by check_KIND().

# options COMMAND [ARGUMENT]...: sets opt_NAME for all options, and operand
options() {
	command=$1
	shift
	option_defaults "$command"
	operand=''
	while [ $# -gt 0 ]; do
		case $1 in
		-h | --help)
			print_help
			exit ;;
		-*) option=$1 ;;
		*)
			option=OPERAND
			[ -z "$operand" ] || option=$1 ;;
		esac
		find_option "$command" "$option" || usage_error "$command: what is $1?"
		if [ "$option" = OPERAND ]; then
			operand=$1
		elif [ -n "$option_check" ]; then
			[ $# -ge 2 ] || usage_error "$1 needs a value"
			"check_$option_check" "$1" "$2"
			shift
		fi
		[ -z "$option_sets" ] || eval "opt_$option_sets=\$option_value"
		shift
	done
}

# The check_KIND OPTION VALUE of the table: set option_value to what the code works with.

check_anything() {
	option_value=$2
}

check_count() {
	number "$2" || usage_error "$1 $2: that is no number"
	option_value=$2
}

check_count_or_0() {
	[ "$2" = 0 ] || number "$2" || usage_error "$1 $2: that is no number"
	option_value=$2
}

# The module checks the rest, but a threshold of 0 would clear all records.
check_threshold() {
	case $2 in
	*[um]s) option_value=${2%[um]s} ;;
	*) option_value=${2%s} ;;
	esac
	case $option_value in
	'' | *[!0-9]* | ???????????*) usage_error "$1 $2: that is no time, as 20ms" ;;
	0*) usage_error "$1 $2: it cannot begin with 0" ;;
	esac
	option_value=$2
}

check_on_off() {
	case $2 in
	on | off) option_value=$2 ;;
	*) usage_error "$1 $2: that is neither on nor off" ;;
	esac
}

# In seconds.
check_duration() {
	case $2 in
	*m) duration_unit_s=60 ;;
	*h) duration_unit_s=3600 ;;
	*) duration_unit_s=1 ;;
	esac
	number "${2%[smh]}" || usage_error "$1 $2: that is no time, as 90s, 5m or 2h"
	option_value=$((${2%[smh]} * duration_unit_s))
}

check_milliseconds() {
	option_value=${2%ms}
	case $option_value in
	'' | . | *[!0-9.]* | *.*.*) usage_error "$1 $2: that is no time, as 20ms" ;;
	esac
}

# number TEXT: a whole number that is not 0, and small enough for each shell's arithmetic
number() {
	case $1 in
	'' | 0* | *[!0-9]* | ????????*) return 1 ;;
	esac
}

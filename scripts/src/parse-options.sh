# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Options and operands: which command takes which, and what their values may be. An option NAME
# sets opt_NAME, which is empty when the option is not given and has no default. A time becomes
# nanoseconds. The text of "help" is in commands/help.sh.

# find_command NAME: set command_takes to its options, and command_operand; fails for other names
find_command() {
	command_operand='' command_takes='' command_formats="text json jsonl html folded"
	tracing="threshold period cpus nosched nmi nr_records"
	filters="cpu kind comm pid cgroup function since until min"
	case $1 in
	run)
		command_takes="$tracing duration windows"
		command_takes="$command_takes top format output redact exit_code" ;;
	report)
		command_operand=FROM command_takes="last list run top format exit_code"
		command_takes="$command_takes ping slow $filters" ;;
	ping) command_operand=HOST command_takes="$tracing interval count slow exit_code" ;;
	explain) command_operand=FUNCTION ;;
	collect) command_takes="last run output duration redact" ;;
	handlers) command_takes="duration each_cpu format" command_formats="text json" ;;
	follow) command_takes="format exec" command_formats="text jsonl" ;;
	merge) command_operand=ARCHIVE command_takes="top format" command_formats="text json" ;;
	metrics) command_takes=output ;;
	on) command_takes=$tracing ;;
	off) command_takes="unload end_run" ;;
	help) command_operand=COMMAND ;;
	status) command_takes=format command_formats="text json" ;;
	clear | version) ;;
	*) return 1 ;;
	esac
}

# find_option OPTION: set option_name, and option_kind to the kind of its value: flag (no value), a
# unit (a time; examples have this unit), or a case of set_option(). Fails when the command does
# not take OPTION.
find_option() {
	option_name=${1#--}
	case $1 in
	-t | --threshold) option_name=threshold option_kind=ms ;;
	-p | --period) option_name=period option_kind=ms ;;
	-i | --interval) option_name=interval option_kind=ms ;;
	--slow | --min) option_kind=ms ;;
	-d | --duration) option_name=duration option_kind=s ;;
	--since | --until) option_kind=moment ;;
	-c | --cpus) option_name=cpus option_kind=cpus ;;
	--each-cpu) option_name=each_cpu option_kind=flag ;;
	-n | --top) option_name=top option_kind=number ;;
	--cpu | --pid) option_kind=number ;;
	--windows | --run | --count) option_kind=count ;;
	--nr-records) option_name=nr_records option_kind=count ;;
	--nosched | --nmi) option_kind=switch ;;
	-o | --output) option_name=output option_kind='file' ;;
	--ping) option_kind='file' ;;
	--format | --kind) option_kind=$option_name ;;
	--comm | --cgroup | --function | --exec) option_kind=text ;;
	-u | --unload) option_name=unload option_kind=flag ;;
	--end-run) option_name=end_run option_kind=flag ;;
	--exit-code) option_name=exit_code option_kind=flag ;;
	--redact | --last | --list) option_kind=flag ;;
	*) return 1 ;;
	esac
	case " $command_takes " in
	*" $option_name "*) ;;
	*) return 1 ;;
	esac
}

# refuse WORDS...: the arguments are wrong, and these words say why
refuse() {
	say "$command: $* (see \"trace-irqoff $command --help\")"
	exit $USAGE
}

# set_option OPTION VALUE: check the value, which is $option_value too, and set opt_NAME
set_option() {
	[ -n "$2" ] || refuse "$1: the value is empty"
	case $option_kind,$2 in
	moment,*[0-9][:-][0-9]*)
		is_moment "$2" || refuse "$1 $2: not a valid time of day;" \
			"use 04:10, 04:10:07, 2026-11-21 or \"2026-11-21 04:10\", in UTC as reports are"
		option_kind=text ;;
	moment,*) option_kind=m ;;
	esac
	case $option_kind in
	ms | s | m)
		case $2 in
		0 | *[!0-9.]*) ;;
		*) refuse "$1 $2: add a unit, for example $2$option_kind" ;;
		esac
		parse_time "$2" || refuse "$1 $2: not a valid time;" \
			"use a number of at most 9 digits with ns, us, ms, s, m, h or d, for example 20$option_kind"
		option_value=$time_ns ;;
	esac
	case $option_kind,$2 in
	number,*[!0-9]* | number,0?* | number,??????????*)
		refuse "$1 $2: not a valid number; use a whole number from 0, for example 5" ;;
	count,*[!0-9]* | count,0* | count,??????????*)
		refuse "$1 $2: not a valid number; use a whole number from 1, for example 5" ;;
	cpus,*[!0-9,-]* | cpus,[!0-9]* | cpus,*[!0-9] | cpus,*[,-][,-]*)
		refuse "$1 $2: not a valid CPU list; use numbers and ranges, for example 0-3,8" ;;
	file,-*) refuse "$1 $2: the name begins with \"-\"; write ./$2" ;;
	switch,on | switch,off) ;;
	switch,*) refuse "$1 $2: use on or off" ;;
	kind,hardirq | kind,softirq | kind,nosched) ;;
	kind,*) refuse "$1 $2: unknown kind; use hardirq, softirq or nosched" ;;
	format,*)
		case " $command_formats " in
		*" $2 "*) ;;
		*) refuse "$1 $2: unknown format; use one of: $command_formats" ;;
		esac ;;
	esac
	eval "opt_$option_name=\$option_value"
}

# is_moment TEXT: YYYY-MM-DD, or [YYYY-MM-DD( |T)]HH:MM[:SS][Z]
is_moment() {
	moment_day='[12][0-9]{3}-((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)'
	moment_time='([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?Z?'
	# A text of several lines is no moment: it is searched as one line.
	printf %s "$1" | tr '\n' ';' | grep -qxE "$moment_day|(${moment_day}[ T])?$moment_time"
}

# parse_options ARGUMENT...: set opt_NAME and operand for $command
# shellcheck disable=SC2034 # each command uses its own
parse_options() {
	opt_threshold='' opt_period='' opt_cpus='' opt_duration='' opt_until=''
	opt_nosched='' opt_nmi='' opt_nr_records='' opt_windows='' opt_exit_code='' opt_pid='' opt_function=''
	opt_top='' opt_format='' opt_output='' opt_redact='' opt_ping='' opt_last=''
	opt_list='' opt_run='' opt_cpu='' opt_kind='' opt_comm='' opt_cgroup='' opt_since='' opt_min=''
	opt_each_cpu='' opt_interval='' opt_count='' opt_slow='' opt_unload='' opt_end_run='' opt_exec='' operand='' operands=''
	options_end=''
	while [ $# -gt 0 ]; do
		option=$1 option_has=''
		case $options_end$1 in
		-h | --help)
			command_help "$command"
			exit ;;
		--)
			options_end=1
			shift
			continue ;;
		--*=*) option=${1%%=*} option_has=1 option_value=${1#*=} ;;
		--* | -?) ;;
		-?*)
			option_value=${1#-?} option_has=1
			option=${1%"$option_value"} ;;
		*)
			[ -n "$command_operand" ] || refuse "unexpected argument \"$1\""
			[ -z "$operand" ] || [ "$command" = merge ] || [ "$command" = explain ] ||
				refuse "one $command_operand is enough: \"$1\" is left over"
			case $1 in
			'') refuse "an argument is empty" ;;
			*"$newline"*) refuse "a name must not contain a newline" ;;
			esac
			operand=$1
			operands=$operands$1$newline
			shift
			continue ;;
		esac
		shift
		find_option "$option" || refuse "unknown option \"$option\""
		if [ "$option_kind" = flag ]; then
			[ -z "$option_has" ] || refuse "$option takes no value"
			option_value=1
		elif [ -z "$option_has" ]; then
			[ $# -gt 0 ] || refuse "$option needs a value"
			option_value=$1
			shift
		fi
		set_option "$option" "$option_value"
	done
	check_options
}

# has_no_effect WHY NAME...: refuse these options if they are given
has_no_effect() {
	effect_why=$1
	shift
	for effect_name; do
		eval "effect_value=\$opt_$effect_name"
		[ -z "$effect_value" ] || refuse "--$(echo "$effect_name" | tr _ -) has no effect $effect_why"
	done
}

# excludes NAME OTHER...: refuse the others if --NAME is given
excludes() {
	eval "excludes_value=\$opt_$1"
	excludes_name=$1
	shift
	[ -z "$excludes_value" ] || has_no_effect "with --$excludes_name" "$@"
}

# check_range NAME LEAST MOST: of a time, in ns, if it is given
check_range() {
	eval "range_ns=\$opt_$1"
	[ -n "$range_ns" ] || return 0
	if [ "$range_ns" -lt "$2" ] || [ "$range_ns" -gt "$3" ]; then
		refuse "--$1 $(time_text "$range_ns"): out of range; use $(time_text "$2") to" \
			"$(time_text "$3")"
	fi
	[ $((range_ns % 1000)) = 0 ] ||
		refuse "--$1 $(time_text "$range_ns"): too precise; use whole microseconds"
}

# check_options: refuse options that do not fit together, then set defaults
check_options() {
	[ -n "$operand" ] || case $command_operand in
	HOST | FUNCTION | ARCHIVE) refuse "$command_operand is missing" ;;
	esac
	check_range period 100000 1000000000
	check_range threshold 200000 3600000000000
	check_range interval 1000000 3600000000000
	[ -z "$opt_nr_records" ] || [ "$opt_nr_records" -le 65536 ] ||
		refuse "--nr-records $opt_nr_records: out of range; use 1 to 65536"
	[ "$opt_duration" != 0 ] || refuse "--duration 0: too short; use for example 60s"
	[ -z "$opt_period" ] || [ "${opt_threshold:-$LONGEST_NS}" -ge $((2 * opt_period)) ] ||
		refuse "threshold $(time_text "$opt_threshold") is too short for a period of" \
			"$(time_text "$opt_period"): it must be at least twice the period. Try" \
			"--period $(time_text $((opt_threshold / 2 - opt_threshold % 2000 / 2)))"
	[ "${opt_format:-text}" = text ] || has_no_effect "with --format $opt_format" top each_cpu
	[ "$command" != run ] || [ -n "$opt_output" ] ||
		has_no_effect "without --output: it is for the archive" redact
	[ "$command" != report ] || [ -z "$opt_last$opt_run$opt_list" ] || [ -z "$operand" ] ||
		refuse "\"$operand\" has no effect with --last, --run or --list"
	[ "$command" != report ] || [ -n "$opt_ping" ] || has_no_effect "without --ping" slow
	excludes last run list duration
	excludes run list duration
	[ -z "$opt_last" ] || opt_run=1
	# shellcheck disable=SC2086 # words
	excludes list top format exit_code ping $filters
	# shellcheck disable=SC2086 # words
	excludes ping format $filters
	[ "$command" != follow ] || [ -t 1 ] || opt_format=${opt_format:-jsonl}
	[ "$opt_format" != html ] || [ ! -t 1 ] ||
		refuse "--format html: would print HTML to the terminal. Write it to a file:" \
			"trace-irqoff $command --format html >FILE"

	opt_format=${opt_format:-text} opt_top=${opt_top:-5}
	opt_interval=${opt_interval:-50000000}
	case $command$opt_windows in
	run) opt_duration=${opt_duration:-60000000000} ;;
	collect) opt_duration=${opt_duration:-5000000000} ;;
	handlers) opt_duration=${opt_duration:-10000000000} ;;
	esac
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of trace-irqoff for bash. It needs nothing but bash 4: source it, or install it
# as trace-irqoff in bash-completion's directory. What the options are has to be the same in
# "trace-irqoff help" and in trace-irqoff.8.

# Of a command: its options.
_trace_irqoff_options() {
	case $1 in
	run) echo "-t -p -d --until -n --json --folded" ;;
	report) echo "--from -n --json --folded" ;;
	top) echo "-t -p -d --until" ;;
	ping) echo "-i -c --slow -t -p" ;;
	correlate) echo "--slow --from" ;;
	collect) echo "-o -d --redact" ;;
	metrics) echo "--out" ;;
	on) echo "-t -p" ;;
	off) echo "-u --unload" ;;
	esac
}

# Does option $1 take the word behind it?
_trace_irqoff_takes_value() {
	case $1 in
	-t | -p | -d | -n | -i | -c | -o | --until | --slow | --from | --out) return 0 ;;
	esac
	return 1
}

# Those of words $1 that word $2 may become, in this order.
_trace_irqoff_words() {
	compopt -o nosort 2>/dev/null	# bash 4.4
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# Names of files, or with -d of directories: readline appends a slash and quotes blanks.
_trace_irqoff_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

# Examples, as anything may be typed.
_trace_irqoff_value() {
	case $1 in
	-t) _trace_irqoff_words "20ms 50ms 100ms" "$2" ;;
	-p) _trace_irqoff_words "1ms 5ms 10ms" "$2" ;;
	-d) _trace_irqoff_words "5s 60s 5m 1h" "$2" ;;
	-n) _trace_irqoff_words "1 5 20" "$2" ;;
	-i) _trace_irqoff_words "0.01 0.05 0.2" "$2" ;;
	-c) _trace_irqoff_words "100 1000 10000" "$2" ;;
	--until) _trace_irqoff_words "1 3 10" "$2" ;;
	--slow) _trace_irqoff_words "10ms 20ms 50ms 100ms" "$2" ;;
	--from) _trace_irqoff_files -d "$2" ;;
	-o | --out) _trace_irqoff_files -f "$2" ;;
	esac
}

_trace_irqoff() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options used=" "
	local i operand='' IFS=$' \t\n'

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		_trace_irqoff_words "run report top ping correlate collect metrics on off \
			status clear version help" "$cur"
		return
	fi

	# What is there already, before this word.
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) used+="${COMP_WORDS[i]} " ;;
		*) operand=1 ;;
		esac
		if _trace_irqoff_takes_value "${COMP_WORDS[i]}"; then
			if [ "$((i + 1))" -eq "$COMP_CWORD" ]; then
				_trace_irqoff_value "${COMP_WORDS[i]}" "$cur"
				return
			fi
			((i++))
		fi
	done

	if [ -z "$operand" ] && [ "${cur:0:1}" != - ]; then
		case $command in
		ping)
			mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
			return ;;
		correlate)
			_trace_irqoff_files -f "$cur"
			return ;;
		esac
	fi

	# Each once. The last of --json and --folded counts, so one is enough; and -u is
	# --unload.
	case $used in
	*" --json "*) used+="--folded " ;;
	*" --folded "*) used+="--json " ;;
	*" -u "*) used+="--unload " ;;
	*" --unload "*) used+="-u " ;;
	esac
	options=
	for i in $(_trace_irqoff_options "$command"); do
		[[ $used == *" $i "* ]] || options+="$i "
	done
	_trace_irqoff_words "$options" "$cur"
}

complete -F _trace_irqoff trace-irqoff


# Those of words $1 that word $2 may become, in this order.
_trace_irqoff_words() {
	compopt -o nosort 2>/dev/null	# bash 4.4
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# Names of files: readline appends a slash to a directory and quotes blanks.
_trace_irqoff_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# _trace_irqoff_value KIND WORD: examples, where anything may be typed
_trace_irqoff_value() {
	case $1 in
	file) _trace_irqoff_files "$2" ;;
	host) mapfile -t COMPREPLY < <(compgen -A hostname -- "$2") ;;
	*) _trace_irqoff_words "$1" "$2" ;;
	esac
}

_trace_irqoff() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options used=" "
	local i kind operand='' IFS=$' \t\n'

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		_trace_irqoff_words "$_trace_irqoff_commands" "$cur"
		return
	fi

	# What is there already, before this word.
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) used+="${COMP_WORDS[i]} $(_trace_irqoff_same "$command" "${COMP_WORDS[i]}") " ;;
		*) operand=1 ;;
		esac
		if kind=$(_trace_irqoff_argument "$command ${COMP_WORDS[i]}"); then
			if [ "$((i + 1))" -eq "$COMP_CWORD" ]; then
				_trace_irqoff_value "$kind" "$cur"
				return
			fi
			((i++))
		fi
	done

	if [ -z "$operand" ] && [ "${cur:0:1}" != - ] &&
		kind=$(_trace_irqoff_argument "$command OPERAND"); then
		_trace_irqoff_value "$kind" "$cur"
		return
	fi

	# Each once.
	options=
	for i in $(_trace_irqoff_options "$command"); do
		[[ $used == *" $i "* ]] || options+="$i "
	done
	_trace_irqoff_words "$options" "$cur"
}

complete -F _trace_irqoff trace-irqoff

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=bash
#
# Completion for bash 4: source it, or install it as trace-irqoff in bash-completion's directory.
# Commands and options are those of the help.

# Users who call the program by sudo may not have it in their PATH.
_trace_irqoff_help() {
	PATH=$PATH:/usr/local/sbin:/usr/sbin trace-irqoff help "$@" 2>/dev/null
}

_trace_irqoff() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words='' IFS=$' \t\n'

	((COMP_CWORD > 1)) || prev=help
	[[ $cur != = ]] || cur=	# --format=
	[[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}	# --format=te
	case $prev,${COMP_WORDS[1]},$cur in
	help,*) words=$(_trace_irqoff_help | sed -n 's/^  \([a-z]*\) .*/\1/p') ;;
	--format,follow,*) words="text jsonl" ;;
	--format,handlers,* | --format,merge,* | --format,status,*) words="text json" ;;
	--format,*) words="text json jsonl html folded" ;;
	--nosched,* | --nmi,*) words="on off" ;;
	--kind,*) words="hardirq softirq nosched" ;;
	-o,* | --output,* | --ping,* | *,merge,[!-]* | *,merge, | *,report,[!-]* | *,report,)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	*,ping,[!-]* | *,ping,)
		mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
		return ;;
	*) words=$(_trace_irqoff_help "${COMP_WORDS[1]}" |
		sed -nE 's/^ +(-[a-z])?,? *(--[a-z-]+).*/\1 \2/p') ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _trace_irqoff trace-irqoff

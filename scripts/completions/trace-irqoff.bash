# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=bash
#
# Completion for bash 4: source it, or install it as trace-irqoff in bash-completion's directory.

_trace_irqoff() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=''
	local tracing="-t --threshold -p --period -c --cpus --nosched --nmi --nr-records --load-timeout" IFS=$' \t\n'
	local formats="-n --top --histogram --format --json --html --exit-code"

	((COMP_CWORD > 1)) || prev=help
	[[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}	# --format=te
	case $prev,${COMP_WORDS[1]},$cur in
	help,*) words="run report top ping correlate explain collect metrics on off status clear version help" ;;
	--format,*) words="text json jsonl html folded trace" ;;
	--nosched,* | --nmi,*) words="on off" ;;
	--kind,*) words="hardirq softirq nosched" ;;
	-o,* | --output,* | --from,* | *,correlate,[!-]* | *,correlate, | *,report,[!-]* | *,report,)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	*,ping,[!-]* | *,ping,)
		mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
		return ;;
	*,run,*) words="$tracing -d --duration --windows $formats -o --output --redact" ;;
	*,report,*)
		words="--last --list --run -o --output --redact $formats --cpu --kind --comm --pid --cgroup"
		words="$words --function --since --until --min" ;;
	*,top,*) words="$tracing -d --duration --windows --exit-code" ;;
	*,ping,*) words="$tracing -i --interval --count --slow --exit-code" ;;
	*,correlate,*) words="--slow --from --exit-code" ;;
	*,collect,*) words="-o --output -d --duration --redact" ;;
	*,metrics,*) words="-o --output" ;;
	*,on,*) words=$tracing ;;
	*,off,*) words="-u --unload --end-run" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _trace_irqoff trace-irqoff

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Where the helper starts. The command NAME is command_NAME(), in commands/NAME.sh.

# open_closed: the next file that the helper opens would become a standard descriptor that is
# closed. Output to a closed stdout is an error, as it is lost.
open_closed() {
	{ true 9<&0; } 2>/dev/null || exec </dev/null
	{ true 9>&2; } 2>/dev/null || exec 2>/dev/null
	{ true 9>&1; } 2>/dev/null || exec >/dev/full
}

# unknown_command NAME
unknown_command() {
	say "unknown command \"$1\" (see \"trace-irqoff help\")"
	exit $USAGE
}

main() {
	open_closed
	catch_signals
	[ $# -gt 0 ] || {
		command_help "" >&2
		exit $USAGE
	}
	case $1 in
	-h | --help) command=help ;;
	-V | --version) command=version ;;
	*) command=$1 ;;
	esac
	find_command "$command" || unknown_command "$command"
	shift
	parse_options "$@"
	case $command in
	help) command_help "$operand" ;;
	*) "command_$command" ;;
	esac
}

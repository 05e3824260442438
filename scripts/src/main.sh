# SPDX-License-Identifier: GPL-2.0
#
# Where it begins. The command NAME is command_NAME(), in commands/NAME.sh.

# What is closed is another file otherwise, the next one that somebody opens. Nobody gets what is
# written to stdout then, which is an error.
open_closed() {
	{ true 9<&0; } 2>/dev/null || exec </dev/null
	{ true 9>&2; } 2>/dev/null || exec 2>/dev/null
	{ true 9>&1; } 2>/dev/null || exec >/dev/full
}

main() {
	open_closed
	catch_signals
	[ $# -gt 0 ] || {
		print_help >&2
		exit $USAGE
	}
	find_command "$1" || usage_error "what is $1?"
	shift
	# Output of the shell itself, with nothing to clean up, ends quietly when nobody reads on.
	case $command in
	help | version) trap - PIPE ;;
	esac
	# Whatever follows help, it is help that is wanted.
	[ "$command" = help ] || options "$command" "$@"
	"command_$command"
}

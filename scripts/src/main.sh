# SPDX-License-Identifier: GPL-2.0
#
# Where it begins. The command NAME is command_NAME(), in commands/NAME.sh.

main() {
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

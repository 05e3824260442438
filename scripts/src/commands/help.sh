# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff help: what there is. print_help() is made from the table scripts/commands.

command_help() {
	print_help
}

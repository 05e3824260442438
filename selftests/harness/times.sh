# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# CPU time, which does not depend on other load of the host, and the time of each test. Sourced by
# check.

# core_seconds FILE...: the sum of the CPU time of all children, from files with the output of
# "times"
core_seconds() {
	cat "$@" 2>/dev/null | sed 's/[ms]/ /g' |
		awk 'NR % 2 == 0 { sum += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f", sum }'
}

# in_host_time: copy the log of a VM. The seconds of a test become those of the host: a VM that
# counts instructions is faster than the host while it sleeps, and slower while a CPU spins.
in_host_time() {
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		"# selftests: "*) test_begun=$(date +%s) ;;
		"# seconds: "*) line="# seconds: $(($(date +%s) - test_begun)) (VM: ${line#*: })" ;;
		esac
		printf '%s\n' "$line"
	done
}

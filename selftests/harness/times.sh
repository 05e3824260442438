# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# How long programs had a CPU, whatever else the host did. Sourced by check and by helper/report.

# core_seconds FILE...: what children have taken of the host's CPUs, by what "times" said
core_seconds() {
	cat "$@" 2>/dev/null | sed 's/[ms]/ /g' |
		awk 'NR % 2 == 0 { sum += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f", sum }'
}

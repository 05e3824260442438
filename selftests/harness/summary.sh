# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# The last lines of check. Sourced by check.

: "${tmp:?} ${check_begun=}"	# check sets them

# summary: print it; fails if a test failed
summary() {
	echo "slowest runs:"
	cat "$tmp"/*.took 2>/dev/null | sort -rn | head -n 10
	echo "skipped, by reason:"
	cat "$tmp"/*.skips 2>/dev/null | sort | uniq -c | sort -rn
	echo "$(($(date +%s) - check_begun)) s"
	cat "$tmp"/*.failures 2>/dev/null
	cat "$tmp/flaky" 2>/dev/null
	cat "$tmp"/*.tally | awk '
		{ passed += $1; failed += $2; skipped += $3 }
		END {
			printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
			exit failed > 0
		}'
}

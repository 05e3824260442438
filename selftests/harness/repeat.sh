# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# Repeats failed runs. When all other runs have ended, a failed run is repeated once, alone and with
# the same SEED. If the second attempt passes, the run counts as passed, and the summary lists the
# failures of the first attempt ("flaky"). Two flaky runs are a failure. If more than CHECK_REPEATS
# runs fail, the tree is broken, and none is repeated. Sourced by check.
#
# Never repeated: a run in which a kernel complained, a VM or a script hung, or a VM or a worker
# died; and results without a log, for example "heads".

: "${tmp:?}"	# check sets it

MOST_FLAKY=1
most_repeats=${CHECK_REPEATS:-3}
attempt=1
log_dir=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff/log	# vm removes old files there

attempt_suffix() {
	[ "$attempt" = 1 ] || echo ".$attempt"
}

# may_repeat NAME
may_repeat() {
	[ "$attempt" = 1 ] && [ "$most_repeats" -gt 0 ] && [ -s "$tmp/$1.log" ] &&
		[ ! -e "$tmp/$1.lost" ] &&
		! grep -E '^(# )*vm: ' "$tmp/$1.log" |
			grep -qE 'the kernel complained|not finished within|the VM ended before'
}

# set_aside NAME: keep the results of the first attempt for repeat_failed()
set_aside() {
	echo "$1: failed; may be repeated after the other runs"
	mv "$tmp/$1.judged" "$tmp/$1.first"
	mv "$tmp/$1.failures" "$tmp/$1.failures-first"
	mkdir -p "$log_dir"
	cp "$tmp/$1.log" "$log_dir/check-$1.$SEED.1"
	echo "0 0 0" >"$tmp/$1.tally"
}

# repeat_failed: repeat all runs that set_aside() has kept
repeat_failed() {
	for first in "$tmp"/*.first; do
		[ -e "$first" ] || return 0
		first=${first##*/}
		echo "${first%.first}"
	done >"$tmp/again"
	if [ "$(wc -l <"$tmp/again")" -gt "$most_repeats" ]; then
		echo "$(wc -l <"$tmp/again") runs failed, more than CHECK_REPEATS=$most_repeats:" \
			"none is repeated"
		while read -r again_name; do
			head -n 1 "$tmp/$again_name.first" >"$tmp/$again_name.tally"
			mv "$tmp/$again_name.failures-first" "$tmp/$again_name.failures"
		done <"$tmp/again"
		return 0
	fi
	attempt=2
	: >"$tmp/flaky"
	while read -r again_name; do
		echo "$again_name: second attempt, with SEED=$SEED"
		rm "$tmp/$again_name.tally"
		awk -v name="$again_name" '$2 == name' "$tmp/runs" >"$tmp/again_run"
		spend "$(nproc)" "$tmp/again_run"
		[ ! -e "$tmp/$again_name.log" ] ||
			cp "$tmp/$again_name.log" "$log_dir/check-$again_name.$SEED.2"
		[ "$(cut -d ' ' -f 2 "$tmp/$again_name.tally")" = 0 ] || continue
		again_where=$(head -n 1 "$tmp/$again_name.done" | cut -d ' ' -f 1,2)
		sed -n "1d; /^ /!s/^/flaky: $again_where /p" "$tmp/$again_name.first" >>"$tmp/flaky"
		echo "flaky: logs: $log_dir/check-$again_name.$SEED.[12]" >>"$tmp/flaky"
	done <"$tmp/again"
	flaky_runs=$(grep -c '^flaky: logs' "$tmp/flaky")
	[ "$flaky_runs" -le $MOST_FLAKY ] || {
		echo "$flaky_runs runs were flaky (passed only when repeated);" \
			"at most $MOST_FLAKY is accepted" >"$tmp/too_flaky"
		judge_lines flaky "$tmp/too_flaky"
	}
}

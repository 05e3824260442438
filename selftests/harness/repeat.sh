# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# Repeats failed runs, so that one that fails by chance does not cost a whole check. When all other
# runs have ended, at most CHECK_REPEATS failed runs are repeated once, alone and with the same SEED.
# If the second attempt passes, the run counts as passed, and the summary lists the failures of the
# first attempt ("flaky"). Two flaky runs are a failure. Sourced by check.
#
# Never repeated: a run in which a kernel complained, a VM or a script hung, or a VM or a worker
# died; and results without a log, for example "heads".

: "${tmp:?}"	# check sets it

most_repeats=${CHECK_REPEATS:-3}
attempt=1
log_dir=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff/log	# vm removes old files there

attempt_suffix() {
	[ "$attempt" = 1 ] || echo ".$attempt"
}

# may_repeat NAME
may_repeat() {
	[ "$attempt" = 1 ] && [ -s "$tmp/$1.log" ] && [ ! -e "$tmp/$1.lost" ] &&
		! grep -E '^(# )*vm: ' "$tmp/$1.log" |
			grep -qE 'the kernel complained|not finished within|the VM ended before' &&
		take_repeat
}

# take_repeat: fails after CHECK_REPEATS calls. mkdir, because several runs may end at once.
take_repeat() {
	for number in $(seq "$most_repeats"); do
		! mkdir "$tmp/repeat.$number" 2>/dev/null || return 0
	done
	return 1
}

# set_aside NAME: keep the results of the first attempt for repeat_failed()
set_aside() {
	echo "$1: failed; will be repeated after the other runs"
	mv "$tmp/$1.judged" "$tmp/$1.first"
	mkdir -p "$log_dir"
	cp "$tmp/$1.log" "$log_dir/check-$1.$SEED.1"
	echo "0 0 0" >"$tmp/$1.tally"
}

# repeat_failed: repeat all runs that set_aside() has kept
repeat_failed() {
	attempt=2
	: >"$tmp/flaky"
	for first in "$tmp"/*.first; do
		[ -e "$first" ] || return 0
		name=${first##*/}
		name=${name%.first}
		echo "$name: second attempt, with SEED=$SEED"
		rm "$tmp/$name.tally"
		awk -v name="$name" '$2 == name' "$tmp/runs" >"$tmp/again"
		spend "$(nproc)" "$tmp/again"
		cp "$tmp/$name.log" "$log_dir/check-$name.$SEED.2"
		[ "$(cut -d ' ' -f 2 "$tmp/$name.tally")" = 0 ] || continue
		where=$(head -n 1 "$tmp/$name.done" | cut -d ' ' -f 1,2)
		sed -n "1d; /^ /!s/^/flaky: $where /p" "$first" >>"$tmp/flaky"
		echo "flaky: logs: $log_dir/check-$name.$SEED.[12]" >>"$tmp/flaky"
	done
	flaky_runs=$(grep -c '^flaky: logs' "$tmp/flaky")
	[ "$flaky_runs" -le 1 ] ||
		echo "$flaky_runs runs were flaky (passed only when repeated)" | judge_lines flaky
}

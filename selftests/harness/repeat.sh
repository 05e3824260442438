# SPDX-License-Identifier: GPL-2.0
#
# Repeats failed runs: a failure by chance must not cost a whole check. When all other
# runs have ended, at most CHECK_REPEATS failed runs are repeated once, alone and with the same SEED.
# If the second attempt passes, the run counts as passed, and the summary lists the failures of the
# first attempt ("flaky"). Two flaky runs are a failure. Sourced by check.
#
# Never repeated: a run in which a kernel complained, a VM or a script hung, or a VM or a worker
# died; and results without a log, for example "heads".

: "${tmp:?}"	# check sets it

repeats_left=${CHECK_REPEATS:-3}
log_dir=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff/log	# vm removes old files there

# may_repeat NAME: the run failed, and its failure may be due to chance
may_repeat() {
	[ -s "$tmp/$1.failures" ] && [ -s "$tmp/$1.log" ] && ! grep -qE \
		'^(# )*vm: .*(the kernel complained|not finished within|the VM ended before)|: its worker died$' \
		"$tmp/$1.log" "$tmp/$1.failures"
}

# repeat_failed: repeat failed runs, in the order of $tmp/runs
repeat_failed() {
	: >"$tmp/flaky"
	while read -r cost name words <&3; do
		may_repeat "$name" || continue
		[ $((repeats_left -= 1)) -ge 0 ] || break
		echo "$name: second attempt, with SEED=$SEED"
		mkdir -p "$log_dir"
		cp "$tmp/$name.log" "$log_dir/check-$name.$SEED.1"
		sed '/^[^ ]*:  /d; s/^/flaky: /' "$tmp/$name.failures" >"$tmp/first"
		rm "$tmp/$name.tally"
		echo "$cost $name $words" >"$tmp/again"
		spend "$(nproc)" "$tmp/again"
		cp "$tmp/$name.log" "$log_dir/check-$name.$SEED.2"
		[ ! -s "$tmp/$name.failures" ] || continue
		cat "$tmp/first" >>"$tmp/flaky"
		echo "flaky: logs: $log_dir/check-$name.$SEED.[12]" >>"$tmp/flaky"
	done 3<"$tmp/runs"
	flaky_runs=$(grep -c '^flaky: logs' "$tmp/flaky")
	[ "$flaky_runs" -le 1 ] ||
		echo "$flaky_runs runs were flaky (passed only when repeated)" | judge_lines flaky
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock
# kernels: newest
# long: smp ROUNDS=20
# A run ends at a random moment, by HUP, TERM or KILL. "report --last" has what the module had
# recorded by then; after KILL the module has it, and the settings are back. ROUNDS: how often for
# each signal (default 1); SEED: of the moments. On one kernel: this is about shells and files.
# (kept: full disks, reports that cannot be written.)
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0
plan 7

ROUNDS=${ROUNDS:-1}
SEED=${SEED:-$(random 30000)}
OUT=/tmp/evidence.out
# Do not touch the runs that this host has kept.
STATE=/tmp/evidence/state
export TRACE_IRQOFF_STATE=$STATE TRACE_IRQOFF_RUN=/tmp/evidence TMPDIR=/tmp/evidence/tmp
CPU=$(last_cpu)
HELPER=$selftests/../trace-irqoff
[ -e "$HELPER" ] || HELPER=$selftests/../scripts/trace-irqoff
rm -rf /tmp/evidence
mkdir -p $STATE $TMPDIR
note "SEED=$SEED"
drawn=$SEED

# draw N: sets drawn_number, a number below it
draw() {
	drawn=$(((drawn * 1103 + 12345) % 65536))
	drawn_number=$((drawn * $1 / 65536))
}

# seqs_of_module: print the sequence numbers that the module has recorded in this round
seqs_of_module() {
	sed -n 's/^seq=\([0-9]*\) .*/\1/p' "$P/records" |
		awk -v base="$base" '$1 > base'
}

# seqs_of_report OPTION...
seqs_of_report() {
	sh "$HELPER" report "$@" --json 2>>"$OUT.err" | tr ',' '\n' | tr '{' '\n' | sed -n 's/^"seq":\([0-9]*\)$/\1/p'
}

# The option of report: none after KILL.
kept_by_then=--last

# begin_round: make windows on another CPU, one after the other
begin_round() {
	# Each round reads all records.
	put 0 trace_latency
	base=$(tail -n 1 "$P/records" | sed 's/^seq=\([0-9]*\) .*/\1/')
	base=${base:-0}
	while :; do
		inject spinlock 80000 "$CPU"
		sleep 0.1
	done &
	injector=$!
}

# end_round: no window that the module had recorded is missing
end_round() {
	kill "$injector"
	wait "$injector" 2>/dev/null
	had=$(echo "$recorded_by_then" | grep -c .)
	total=$((total + had))
	[ "$had" = 0 ] || with_windows=$((with_windows + 1))
	reads enable disabled && same 50ms "$(value threshold status)" || return
	# shellcheck disable=SC2086 # none, or one word
	[ "$had" = 0 ] || seqs_of_report $kept_by_then >/tmp/last.seqs
	for seq in $recorded_by_then; do
		grep -qx "$seq" /tmp/last.seqs || {
			echo "window $seq of $had is missing; there are: $(tr '\n' ' ' </tmp/last.seqs)"
			tail -n 8 "$OUT.err"
			return 1
		}
	done
}

# ended_by SIGNAL: a run, at a random moment
ended_by() {
	begin_round
	sh "$HELPER" run -t 40ms -d 60s >"$OUT" 2>"$OUT.err" &
	run=$!
	await sh -c "grep -q . '$P/records'"
	draw 20
	sleep $((drawn_number / 10)).$((drawn_number % 10))
	recorded_by_then=$(seqs_of_module)
	kill -s "$1" "$run"
	wait "$run"
	end_round
}

# often SIGNAL: ROUNDS times
often() {
	rounds_left=$ROUNDS total=0 with_windows=0
	while [ "$rounds_left" -gt 0 ]; do
		rounds_left=$((rounds_left - 1))
		ended_by "$1" || return 1
	done
	echo "$ROUNDS rounds, $with_windows with windows, $total in all"
	[ "$with_windows" -gt 0 ]
}

# expect_often WORDS SIGNAL: and say in how many rounds there were windows
expect_often() {
	expect "$1" often "$2"
	note "$(echo "$expect_output" | tail -n 1)"
}

expect_often "by HUP nothing is lost that had been recorded" HUP
expect_often "nor by TERM" TERM
kept_by_then=
expect_often "nor by KILL: the module has it, and the settings are back" KILL
expect "no more than five runs are kept" between 1 "$(find $STATE/runs -mindepth 1 -maxdepth 1 | wc -l)" 5

# ends_by COMMAND...: a run, once it has a window
ends_by() {
	sh "$HELPER" run -t 40ms -d 60s >"$OUT" 2>"$OUT.err" &
	run=$!
	await reads enable enabled && inject spinlock 80000 "$CPU"
	await grep -q " [1-9][0-9]* windows\? so far" "$OUT.err"
	"$@"
	wait "$run"
}

off_ends_it() {
	ends_by sh "$HELPER" off -u --end-run
	same 3 $? && grep "signal TERM" "$OUT.err" && grep -m 1 inject_spinlock "$OUT" &&
		! loaded trace_irqoff
}

expect "off -u --end-run ends a run, which reports" off_ends_it

# changed: with other settings; nothing of what was recorded is gone
changed() {
	base=0
	sh "$HELPER" on -t 40ms -p 10ms >/dev/null 2>&1
	inject spinlock 80000 "$CPU"
	await recorded kind=hardirq || return 1
	seqs_of_module >/tmp/before
	sh "$HELPER" on -p 20ms >"$OUT" 2>"$OUT.err" || return 1
	same "20ms 40ms" "$(cat "$P/sampling_period") $(value threshold status)" &&
		reads enable enabled &&
		seqs_of_module | head -n "$(wc -l </tmp/before)" | cmp - /tmp/before
}
load
put 0 trace_latency
expect "on changes settings, and loses no record" changed
expect "off -u keeps what the module had" sh -c "
	sh $HELPER off -u && sh $HELPER report --last | grep -m 1 inject_spinlock"
finish

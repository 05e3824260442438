#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock
# kernels: newest
# long: smp ROUNDS=20
# HUP, TERM or KILL ends a run at a random moment. After HUP and TERM, "report --last" must have all
# windows that the module recorded until this moment. After KILL, the module must have these
# windows, and must restore its settings. One kernel is enough, because this test is about shells
# and files. (The test "kept" is about full disks and reports that cannot be written.)
#
# Environment:
#	ROUNDS=N	end N runs with each signal (default 1)
. "$(dirname "$0")/../lib.sh"
. "$here/lib"
start_test
stay_on_cpu0
plan 5

ROUNDS=${ROUNDS:-1}
# Without this, the test would delete runs that this host has kept.
STATE=/tmp/evidence/state
export TRACE_IRQOFF_STATE=$STATE TRACE_IRQOFF_RUN=/tmp/evidence TMPDIR=/tmp/evidence/tmp
CPU=$(last_cpu)
find_helper
rm -rf /tmp/evidence
mkdir -p $STATE $TMPDIR

# seqs_of_module: print the sequence numbers that the module has recorded in this round
seqs_of_module() {
	sed -n 's/^seq=\([0-9]*\) .*/\1/p' "$P/records" |
		awk -v base="$base" '$1 > base'
}

# seqs_of_report OPTION...: print the sequence numbers in the report
seqs_of_report() {
	sh "$HELPER" report "$@" --json 2>>"$OUT.err" | tr ',' '\n' | tr '{' '\n' |
		sed -n 's/^"seq":\([0-9]*\)$/\1/p'
}

# The option of report. After KILL, it is empty: the report then reads the records of the module.
kept_by_then=--last

# begin_round: in the background, make windows on another CPU, one after the other
begin_round() {
	# Clear the records: otherwise each round would read the records of all earlier rounds.
	put 0 trace_latency
	base=$(tail -n 1 "$P/records" | sed 's/^seq=\([0-9]*\) .*/\1/')
	base=${base:-0}
	while :; do
		inject spinlock 80000 "$CPU"
		sleep 0.1
	done &
	injector=$!
}

# end_round: tracing is disabled, and the report has each window of $recorded_by_then
end_round() {
	kill "$injector"
	wait "$injector" 2>/dev/null
	had=$(echo "$recorded_by_then" | grep -c .)
	[ "$had" = 0 ] || with_windows=$((with_windows + 1))
	reads enable disabled && same 50ms "$(value threshold status)" || return
	# shellcheck disable=SC2086 # none, or one word
	[ "$had" = 0 ] || seqs_of_report $kept_by_then >/tmp/last.seqs
	for seq in $recorded_by_then; do
		grep -qx "$seq" /tmp/last.seqs || {
			echo "window $seq of $had is not in the report, which has: $(
				tr '\n' ' ' </tmp/last.seqs)"
			tail -n 8 "$OUT.err"
			return 1
		}
	done
}

# ended_by SIGNAL: one round: start a run, and send SIGNAL at a random moment
ended_by() {
	begin_round
	sh "$HELPER" run -t 40ms -d 60s >"$OUT" 2>"$OUT.err" &
	run=$!
	await sh -c "grep -q . '$P/records'"
	sleep "$(random 2).$(random 10)"
	recorded_by_then=$(seqs_of_module)
	kill -s "$1" "$run"
	wait "$run"
	end_round
}

# often SIGNAL: $ROUNDS rounds, at least one round with windows
often() {
	rounds_left=$ROUNDS with_windows=0
	while [ "$rounds_left" -gt 0 ]; do
		rounds_left=$((rounds_left - 1))
		ended_by "$1" || return 1
	done
	[ "$with_windows" -gt 0 ]
}

expect "after HUP, report --last has all recorded windows" often HUP
expect "after TERM, report --last has all recorded windows" often TERM
kept_by_then=
expect "after KILL, the module has all recorded windows, and its settings are restored" often KILL

# ends_by COMMAND...: start a run, and call COMMAND when the run has a window
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
	same 0 $? && grep "signal TERM" "$OUT.err" && grep -m 1 inject_spinlock "$OUT" &&
		! loaded trace_irqoff
}

expect "\"off -u --end-run\" ends a run, which prints its report" off_ends_it

# changed: "on -p" changes the sampling period, and keeps the threshold and all records
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
expect "\"on\" changes settings, and loses no record" changed
finish

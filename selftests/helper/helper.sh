#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: newest
# long: smp SIGNALS=100
# The helper finds windows and slow handlers, and restores the host.
#
# Environment:
#	SIGNALS=N	end N runs with a signal at a random moment (default 2)
. "$(dirname "$0")/../module.sh"
. "$(dirname "$0")/lib"
start_test

SIGNALS=${SIGNALS:-2}
# With samples, the innermost function that all samples share.
CULPRIT='inject_spinlock(_inner)?'
THRESHOLD=150ms
# Without this, the test would delete runs that this host has kept.
export TRACE_IRQOFF_STATE=/tmp/helper.state
find_helper

# start ARGUMENT...: start the helper in the background, with stdout to $OUT, and store its PID in $run
start() {
	"$selftests/bin/foreground" sh "$HELPER" "$@" >"$OUT" 2>"$OUT.err" &
	run=$!
}

# finds_window: a run finds a window of 425 ms, or less on a busy host
finds_window() {
	start run -t "$THRESHOLD" -d 60s --windows 1
	await tracing || return 1
	inject spinlock 425000 "$CPU"
	ends_with 0 wait "$run"
}

# leaves SETTINGS: the settings are SETTINGS, and no temporary file is left
leaves() {
	same "$1" "$(settings_but)" && same "" "$(ls -d /tmp/trace-irqoff.* 2>/dev/null)"
}

# run_leaves SETTINGS: a run with other settings finds nothing, and restores SETTINGS
run_leaves() {
	ends_with 0 helper_to_out run -d 1s -t 10s -p 5ms && leaves "$1"
}

# killed_often SETTINGS: after each signal that the helper handles, the run restores SETTINGS. (After SIGKILL:
# session.sh and the test "kept".)
killed_often() {
	for signal_number in $(seq "$SIGNALS"); do
		signal=$(echo HUP INT TERM QUIT | cut -d ' ' -f $((signal_number % 4 + 1)))
		start run -d 60s -t 200ms -p 50ms
		sleep "0.$(random 10)$(random 10)"
		kill -s "$signal" "$run"
		wait "$run"
		leaves "$1" || { echo "$signal"; return 1; }
	done
}

unload
expect "a run loads the module, and finds a window" finds_window
expect "the first line names function and task" \
	grep -E "^(Culprit:|Probably) ${CULPRIT}\[irqoff_inject\]: interrupts off, 1 window, longest 4[0-9]* ms" "$OUT"
expect "the report names the task" says "who task sh (PID " printed

load sampling_period=20ms threshold=70ms
found=$(settings_but)
expect "a run keeps a loaded module, and restores its settings" run_leaves "$found"
put 1 enable
found=$(settings_but)
expect "a run fails if a CPU does not exist" ends_with 1 helper_to_out run -c 9999
expect "the failed run says what the module refused" says 'refused "enable=1 cpus=9999": ' printed
expect "the failed run changes no settings" leaves "$found"

expect "a run that a signal ends restores the settings" killed_often "$found"

inject spinlock 120000 "$CPU"
await recorded kind=hardirq
records >/tmp/before
expect "\"on\" changes the settings" helper_to_out on -t 90ms -p 20ms
expect "\"on\" loses no record" sh -c "head -n $(wc -l </tmp/before) $P/records | cmp - /tmp/before"
found=$(settings_but)
expect "\"on\" fails if a CPU does not exist" ends_with 1 helper_to_out on -t 200ms -c 9999
expect "the failed \"on\" changes no settings" leaves "$found"

# "off --end-run" ends the run, whose records do not fit into the module.
unload
load nr_records=1
start run -t "$THRESHOLD" -d 60s
await tracing
inject_times 2 spinlock 425000 "$CPU"
await eval 'same 1 "$(value records_overwritten status)"'
expect "\"off --end-run\" succeeds" helper off --end-run
wait "$run"
expect "the run has ended, and succeeds" same 0 $?
expect "the run says which signal it got" says "signal TERM" printed
expect "its report names the function, although the module has kept one record" says inject_spinlock printed
expect "its report says how many records were overwritten" \
	says "Note: 1 older record was overwritten (room for 1; " printed

put 1 enable
expect "\"off\" succeeds" helper_to_out off
expect "after \"off\", tracing is disabled, and status succeeds" \
	eval "helper status >/dev/null && reads enable disabled"

# start_handlers ARGUMENT...: count handlers, and make windows in a timer function meanwhile
start_handlers() {
	start handlers "$@"
	await counting_is on && inject_times 5 softirq 30000 "$CPU"
}

names_timer() {
	head -n 2 "$OUT" | one_line |
		grep "^CPU $CPU spent .* in timer inject_softirq\[irqoff_inject\] " ||
		{ printed; return 1; }
}

forgotten() {
	same "state=off on_ns=0" "$(head -n 1 "$P/handlers" | cut -d ' ' -f 1,2)"
}

start_handlers -d 3s
wait "$run"
expect "handlers ends without an error" same 0 $?
expect "the first line names the timer function" names_timer
expect "nothing is counted any more" forgotten
start_handlers -d 60s
kill -INT "$run"
wait "$run"
expect "Ctrl-C ends handlers, without an error" same 0 $?
expect "the first line names the timer function, too" names_timer
expect "nothing is counted after Ctrl-C" forgotten
put 1 handlers
await counting_is on
expect "if another process counts, handlers changes nothing" eval \
	'says "another process counts handlers" helper handlers -d 1s && counting_is on'
put 0 handlers
await counting_is off
expect "\"off -u\" succeeds" helper_to_out off -u
expect "handlers loads the module, and prints JSON" eval \
	'helper handlers -d 1s --format json >"$OUT" && grep -qE "^.\"cpu\":0,\"kind\":\"softirq\"" "$OUT"'
expect "handlers unloads it" eval '! loaded trace_irqoff'
expect "without the module, report fails" ends_with 1 helper_to_out report
finish

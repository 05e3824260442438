#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# machine: smp
# only: stock arm64
# kernels: newest
# The command handlers names a timer function that takes long. It leaves the module as it was, also
# after a signal. If another process counts, it changes nothing.
. "$(dirname "$0")/lib"
start_test
find_helper

# start ARGUMENT...: start it, and make windows in a timer function while it counts
start() {
	"$selftests/bin/foreground" sh "$HELPER" handlers "$@" >"$OUT" 2>"$OUT.err" &
	run=$!
	await counting_is on && inject_times 5 softirq 30000 "$CPU"
}

names_timer() {
	head -n 2 "$OUT" | one_line | grep "^CPU $CPU spent .* in timer inject_softirq\[irqoff_inject\] " ||
		{ printed; return 1; }
}

forgotten() {
	same "state=off on_ns=0" "$(head -n 1 "$P/handlers" | cut -d ' ' -f 1,2)"
}

start -d 3s
wait $run
expect "it ends without an error" same 0 $?
expect "the first line names the function" names_timer
expect "nothing is counted any more" forgotten
start -d 60s --cpus
kill -INT $run
wait $run
expect "Ctrl-C ends it, without an error" same 0 $?
expect "the first line names the function, too" names_timer
expect "nothing is counted after Ctrl-C" forgotten

put 1 handlers
await counting_is on
expect "if another process counts, it changes nothing" eval \
	'says "another process counts handlers" sh "$HELPER" handlers -d 1s && counting_is on'
put 0 handlers
await counting_is off
unload_all
expect "it loads the module, and prints JSON" eval \
	'sh "$HELPER" handlers -d 1s --json >"$OUT" && grep -qE "^.\"cpu\":0,\"kind\":\"softirq\"" "$OUT"'
expect "and unloads it" eval '! loaded trace_irqoff'
finish

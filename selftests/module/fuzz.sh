#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: newest
# long: real COUNT=100000
# Writes COUNT random texts to each file that can be written. programs/fuzz compares each result
# with a model. The same SEED makes the same texts.
. "$(dirname "$0")/../lib.sh"
FUZZ=$selftests/bin/fuzz
[ -x "$FUZZ" ] || skip_all "bin/fuzz has not been built"
start_test
plan 5

COUNT=${COUNT:-$(fewer 2000 500)}
CPU=$(last_cpu)
CPUS=$(cat $P/cpus)
stay_on_cpu0

put_back() {
	put 0 enable && put "$CPUS" cpus && trace 10ms 50ms &&
		reads sampling_period 10ms && reads cpus "$CPUS" &&
		same 50ms "$(value threshold status)" && reads enable enabled
}

found() {
	records kind=hardirq "cpu=$CPU" | field stack | grep -q inject_hardirq
}

expect "$COUNT writes to each file have the results of the model" \
	"$FUZZ" "$SEED" "$COUNT"
# expect() shows the output if the command fails.
[ $ktap_failed -gt 0 ] || echo "$expect_output" | sed 's/^/# /'

expect "the settings can be restored" put_back
put 0 trace_latency
inject hardirq 120000 "$CPU"
expect "after all writes, a window is recorded" await found
expect "tracing can be disabled" accepted 0 enable disabled
expect "the module can be unloaded" unload
finish

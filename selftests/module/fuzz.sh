#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: newest
# long: real COUNT=500000
# COUNT random texts are written to the files that can be written (programs/fuzz). The same SEED
# makes the same texts.
. "$(dirname "$0")/../lib.sh"
[ -x "$selftests/bin/fuzz" ] || skip_all "bin/fuzz has not been built"
start_test
plan 2

COUNT=${COUNT:-$(fewer 10000 2000)}

expect "$COUNT writes change what they say, or nothing" "$selftests/bin/fuzz" "$SEED" "$COUNT"
# expect() shows the output if the command fails.
[ $ktap_failed -gt 0 ] || echo "$expect_output" | sed 's/^/# /'

put 0 enable
put "$(cat /sys/devices/system/cpu/online)" cpus
trace 10ms 50ms
inject hardirq 120000 "$(last_cpu)"
expect "after all writes, a window is recorded" await recorded kind=hardirq cpu="$(last_cpu)"
finish

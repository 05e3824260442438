#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: newest
# long: real DURATION=60
# Four CPUs make records, and eight processes read them, for DURATION seconds (default 4).
# The recorder has two slots. If another CPU is writing to a slot, the new record is lost, and counted.
# A read never returns part of a record.
. "$(dirname "$0")/../lib.sh"
need_cpus 4
start_anywhere nr_records=2

DURATION=${DURATION:-4}
PATIENCE=20		# seconds to wait for a lost record

# sum KEY...: of these values in status
sum() {
	awk -F ': ' -v keys=" $* " '
		index(keys, " " $1 " ") { sum += $2 }
		END { print sum }' $P/status
}

trace 1ms 2ms
expect "reads return whole records, and no record is a mix of two" \
	"$selftests/bin/hammer" "$SEED" "$DURATION" records
note "$expect_output"
end=$(($(date +%s) + PATIENCE))
while [ "$(value records_lost status)" -eq 0 ] && [ "$(date +%s)" -lt $end ]; do
	"$selftests/bin/hammer" "$SEED" 1 records >/dev/null
done
put 0 enable
note "$(grep -E '^(windows|records)_' $P/status | tr '\n' ' ')"

expect "lost records are counted" test "$(value records_lost status)" -gt 0
# The slot of a lost record may be empty.
expect "at most two records are kept" test "$(value records_kept status)" -le 2
expect "each window is kept, overwritten or lost" \
	same "$(sum windows_hardirq windows_softirq windows_nosched)" \
	"$(sum records_kept records_overwritten records_lost)"
put 0 trace_latency
expect "clearing resets the number of lost records" same 0 "$(value records_lost status)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# A full recorder keeps the newest records, and counts overwritten ones.
. "$(dirname "$0")/../lib.sh"
start_test nr_records=10
put 0 nosched

CPU=$(last_cpu)

trace 1ms 5ms
inject_times 25 hardirq 8000 "$CPU"
put 0 enable

expect "of 25 windows, the newest 10 can be read" \
	same "16 17 18 19 20 21 22 23 24 25" "$(sed 's/^seq=\([0-9]*\) .*/\1/' \
	$P/records | tr '\n' ' ' | sed 's/ $//')"
expect "the report shows 10 windows" same 10 "$(grep -c COMMAND: $P/trace_latency)"
expect "10 records are counted as kept" same 10 "$(value records_kept status)"
expect "15 records are counted as overwritten" same 15 "$(value records_overwritten status)"
expect "no record is counted as lost" same 0 "$(value records_lost status)"
# Rows below 4 ms may have windows that the kernel made (seen on debug).
expect "all 25 windows are in distribute" \
	same 25 "$(awk '$2 == "->" && $1 >= 4 { n += $5 } END { print n }' $P/distribute)"

put 0 trace_latency
expect "clearing removes the records" same 0 "$(count)"
expect "clearing does not reset the number of windows" same 25 "$(value windows_hardirq status)"
expect "clearing does not reset the sum of their lengths" \
	between $((25 * 5000)) "$(value windows_hardirq_us status)" $((25 * 8100))
expect "clearing empties distribute" reads distribute ""
expect "clearing resets the numbers of records" same "0 0 0" \
	"$(value records_kept status) $(value records_overwritten status) \
$(value records_lost status)"
put 1 enable
inject hardirq 8000 "$CPU"
expect "the next window is record 26" same "seq=26" "$(cut -d ' ' -f 1 $P/records)"
finish

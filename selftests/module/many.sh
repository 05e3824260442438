#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# Many windows: every single one is counted, and the newest are kept.
# COUNT of them (default 40), of 110 ms.
. "$(dirname "$0")/../lib.sh"
start_test nr_records=16
plan 7

COUNT=${COUNT:-40}
CPU=$(last_cpu)

# 110 ms are late by that, or by up to a period and half a scheduler tick less. A row further
# down would be a window of another length; one further up, two that became one.
counted() {
	awk '$1 == 80 && $3 == 159 { print $5 }' "$P/distribute"
}

trace 20ms 50ms
inject_times "$COUNT" hardirq 110000 "$CPU"
put 0 enable

kept=$COUNT
[ "$COUNT" -le 16 ] || kept=16
expect "all $COUNT windows are counted in distribute" same "$COUNT" "$(counted)"
expect "the newest $kept are kept" same \
	"$kept seq=$((COUNT - kept + 1)) seq=$COUNT" "$(count) \
$(cut -d ' ' -f 1 "$P/records" | sed -n '1p;$p' | tr '\n' ' ' | sed 's/ $//')"
expect "status counts $kept as kept" same "$kept" "$(value records_kept status)"
expect "and the rest as overwritten" \
	same $((COUNT - kept)) "$(value records_overwritten status)"
expect "and none as lost" same 0 "$(value records_lost status)"
put 0 trace_latency
expect "that there were $COUNT is known even when they are forgotten" \
	same "$COUNT" "$(value windows_hardirq status)"
total_us=$(value windows_hardirq_us status)
expect "and how long they lasted, at least 85 ms each" \
	between $((COUNT * 85000)) "$total_us" $((COUNT * 110000))
finish

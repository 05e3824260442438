#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# More windows at once than there is room for: a recorder of one record, and three CPUs that
# write to it. A record that finds another one being written is lost, and counted.
. "$(dirname "$0")/../lib.sh"
[ "$(last_cpu)" -ge 3 ] || skip_all "there are fewer than four CPUs"
start_test nr_records=1
stay_on_cpu0
plan 4

PATIENCE=20		# seconds
rm -f /tmp/stop

# windows CPU: short ones, one after the other
windows() {
	while [ ! -e /tmp/stop ]; do
		inject hardirq 3100 "$1"
	done
}

# sum KEY...
sum() {
	total=0
	for key; do
		total=$((total + $(value "$key" status)))
	done
	echo $total
}

trace 1ms 2ms
for cpu in 1 2 3; do
	windows "$cpu" &
done
end=$(($(date +%s) + PATIENCE))
while [ "$(value records_lost status)" -eq 0 ] && [ "$(date +%s)" -lt $end ]; do
	sleep 0.2
done
touch /tmp/stop
wait
put 0 enable
note "$(grep -E '^(windows|records)_' $P/status | tr '\n' ' ')"

expect "records are lost, and this is counted" test "$(value records_lost status)" -gt 0
# The one place there is may be the one of a record that was lost.
expect "one is kept at most" test "$(value records_kept status)" -le 1
expect "each window is kept, overwritten or lost" \
	same "$(sum windows_hardirq windows_softirq)" \
	"$(sum records_kept records_overwritten records_lost)"
put 0 trace_latency
expect "clearing starts the count again" same 0 "$(value records_lost status)"
finish

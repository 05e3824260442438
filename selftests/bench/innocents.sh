#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 4
#
# Windows that are recorded where nothing keeps a CPU: on a quiet host, under a flood of packets, and with four
# busy tasks for each CPU, of which half copy memory in the kernel. SECONDS_EACH (default 10) of each.
. "$(dirname "$0")/common.sh"

# innocents LOAD: count the windows of SECONDS_EACH, and print the first ones
innocents() {
	put 0 trace_latency
	sleep "$SECONDS_EACH"
	records | head -n 4 | cut -c 1-1000
	row "windows of innocents" "$1" "$(count)" "in $((SECONDS_EACH * (LAST + 1))) CPU seconds"
	stop_background
}

start_bench
SECONDS_EACH=${SECONDS_EACH:-10}
load sampling_period=5ms threshold=10ms enable=1
await scheduler_ticks
innocents quiet
ip link set lo up
for cpu in $(seq 0 "$LAST"); do
	background taskset -c "$cpu" ping -A -q -s 1400 127.0.0.1 >/dev/null
done
innocents "flood of packets"
for _ in $(seq 0 "$LAST"); do
	for _ in 1 2; do
		background taskset -c "0-$LAST" sh -c 'while :; do :; done'
		background taskset -c "0-$LAST" dd if=/dev/zero of=/dev/null bs=64k
	done
done
innocents "four busy tasks for each CPU"

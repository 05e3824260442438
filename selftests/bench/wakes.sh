#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 4
#
# What it costs a task that sleeps often: instructions from the timer interrupt that wakes its CPU
# to when that CPU is idle again. The task sleeps 0.3, 1 and 3 ms in turn on the last CPU. With the
# idle states of irqoff_cpuidle, which counts the instructions.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=20
LAST=$(last_cpu)

# Instructions awake, and wake-ups, of the last CPU.
awake() {
	tail -n 1 /sys/module/irqoff_cpuidle/parameters/awake
}

start_bench
insmod "$(ko irqoff_cpuidle)" on=1
taskset -c "$LAST" "$selftests/bin/sleeper" 300 1000 3000 &
# Some kernels are busy with themselves for that long. What differs between the first and the last row
# is not ours.
sleep 15
for timers in nothing "ours 10ms" "ours 2ms" "ours 1ms" "nothing again"; do
	[ "$timers" = "${timers#ours}" ] || load sampling_period="${timers#* }" enable=1
	sleep 3
	before=$(awake)
	sleep $SECONDS_EACH
	echo "$before $(awake)" | awk -v timers="$timers" '{
		printf "row:instructions a wake-up,%s,%.1f,instructions\n", timers,
			($3 - $1) / ($4 - $2)
		printf "row:wake-ups by a timer,%s,%d,wake-ups\n", timers, $4 - $2
	}'
	unload
done
kill $!

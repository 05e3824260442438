#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# What it costs a task that sleeps often: instructions from the timer interrupt that wakes its CPU
# to when that CPU is idle again. The task sleeps 0.3, 1 and 3 ms in turn. With the idle states of
# irqoff_cpuidle, which counts the instructions.
#
# A CPU alone has a timer of its own, which wakes it as well: at 5 ms twice as often as at 10 ms.
# The difference is taken off.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=20

# awake [PERIOD]: "INSTRUCTIONS WAKE-UPS" of SECONDS_EACH
awake() {
	[ $# = 0 ] || load sampling_period="$1" enable=1
	sleep 3
	read -r before_instructions before_wakes </sys/module/irqoff_cpuidle/parameters/awake
	sleep $SECONDS_EACH
	read -r after_instructions after_wakes </sys/module/irqoff_cpuidle/parameters/awake
	unload
	echo "$((after_instructions - before_instructions)) $((after_wakes - before_wakes))"
}

start_bench
insmod "$(ko irqoff_cpuidle)" on=1
"$selftests/bin/sleeper" 300 1000 3000 &
# Some kernels are busy with themselves for that long. What differs between the first and the last row
# is not ours.
sleep 15
nothing=$(awake)
at_10=$(awake 10ms)
at_5=$(awake 5ms)
again=$(awake)
kill $!

wakes=${nothing#* }
row "instructions a wake-up" "without" "$(calc "${nothing% *} / $wakes")" instructions
row "instructions a wake-up" "without again" "$(calc "${again% *} / ${again#* }")" instructions
row "instructions a wake-up" "more with ours" \
	"$(calc "(2 * ${at_10% *} - ${at_5% *} - (${nothing% *} + ${again% *}) / 2) / $wakes")" instructions
row "instructions a wake-up by our own timer" "10 ms" \
	"$(calc "(${at_5% *} - ${at_10% *}) / ($SECONDS_EACH * 100)")" instructions
row "wake-ups by a timer" "without" "$wakes" wake-ups

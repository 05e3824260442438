#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# The settings: which texts each file accepts, which it refuses with which error, and what it reads
# then. No write changes another setting.
. "$(dirname "$0")/../module.sh"
start_test

INVALID="Invalid argument"
RANGE="out of range"
BUSY="busy"
TOO_LONG="rgument list too long"

threshold_is() {
	same "$1" "$(value threshold status)" &&
		same "trace_irqoff_latency: $1" "$(head -n 1 "$P/trace_latency")"
}

sets_threshold() {
	sets_before=$(settings_but trace_latency)
	put "$1" trace_latency && threshold_is "$2" && same "$sets_before" "$(settings_but trace_latency)"
}

for word in 1 y Y yes on On true t; do
	put 0 enable
	expect "enable takes $word for yes" accepted "$word" enable enabled
done
for word in 0 n N no off OFF false f; do
	put 1 enable
	expect "enable takes $word for no" accepted "$word" enable disabled
done
expect "enable twice is fine" accepted 1 enable enabled
put 0 enable

expect "a period without a unit is in ms" accepted 20 sampling_period 20ms
expect "a period in us" accepted 500us sampling_period 500us
expect "a period in ms" accepted 20ms sampling_period 20ms
expect "a period in s" accepted 1s sampling_period 1000ms
expect "the smallest period is 100us" accepted 100us sampling_period 100us
expect "the largest period is 1000000us" accepted 1000000us sampling_period 1000ms
expect "a period that is not whole ticks of the scheduler" accepted 11ms sampling_period 11ms
expect "a newline may follow" accepted "20
" sampling_period 20ms
expect "a period of 99us is out of range" refused "$RANGE" 99us sampling_period
expect "a period of 1001ms is out of range" refused "$RANGE" 1001ms sampling_period
expect "a period of 0 is out of range" refused "$RANGE" 0 sampling_period
expect "a period that overflows when multiplied is out of range" \
	refused "$RANGE" 18446744073709552 sampling_period

put 10ms sampling_period
expect "a threshold without a unit is in ms" sets_threshold 100 100ms
expect "a threshold in us" sets_threshold 20500us 20500us
expect "a threshold in s" sets_threshold 2s 2000ms
expect "the smallest threshold is twice the period" sets_threshold 20ms 20ms
expect "a threshold below twice the period is invalid" refused "$INVALID" 19ms trace_latency
expect "the largest threshold is an hour" sets_threshold 3600s 3600000ms
expect "a threshold above an hour is out of range" refused "$RANGE" 3601s trace_latency
expect "0 keeps the threshold" sets_threshold 0 3600000ms
expect "0ms is a threshold that is too small" refused "$INVALID" 0ms trace_latency

put 50ms trace_latency
put 40ms sampling_period
expect "a longer period raises the threshold to twice the period" threshold_is 80ms
put 10ms sampling_period
expect "a shorter period leaves the threshold alone" threshold_is 80ms

expect "cpus takes a list" accepted 0 cpus 0
expect "a newline does not hide what follows it" refused "$INVALID" "0
junk" cpus
expect "a CPU that is not possible is out of range" refused "$RANGE" 0-4095 cpus

expect "nosched can be off" accepted 0 nosched disabled
expect "nosched can be on" accepted 1 nosched enabled
put 1 enable
expect "no new period while enabled" refused "$BUSY" 20ms sampling_period
expect "no new CPUs while enabled" refused "$BUSY" 0 cpus
expect "a new threshold while enabled" sets_threshold 70ms 70ms
expect "junk for a period is invalid also while enabled" refused "$INVALID" junk sampling_period
put 0 enable

put 10ms sampling_period
put 1 enable
await grep -q '^cpu: ' $P/histogram
put 0 enable
put 10ms sampling_period
expect "the same period again keeps the histograms" grep -q '^cpu: ' $P/histogram
put 20ms sampling_period
expect "a new period clears the histograms" reads histogram ""

# Texts that are not valid for any of the files.
big=$(head -c 1048576 /dev/zero | tr '\0' 9)
for file in enable sampling_period trace_latency cpus nosched handlers; do
	for text in -1 abc "10m s" "" " " "1 1" "0x10" +10; do
		[ "$file/$text" = "cpus/1 1" ] && text="0 x"
		expect "'$text' to $file is invalid" refused "$INVALID" "$text
" $file
	done
done
for text in 99999999999999999999 18446744073709551615; do
	expect "'$text' to enable is invalid" refused "$INVALID" $text enable
	for file in sampling_period trace_latency cpus; do
		expect "'$text' to $file is out of range" refused "$RANGE" $text $file
	done
done
for file in enable sampling_period trace_latency cpus nosched handlers; do
	expect "1 MiB of digits to $file is too long" refused "$TOO_LONG" "$big" $file
done

expect "a NUL does not hide what follows it" sh -c \
	"! printf '10\\0000' 2>/dev/null >$P/sampling_period"
# Root can open these files for writing, in spite of their mode.
for file in distribute histogram status active; do
	expect "$file, which is only read, refuses a write" sh -c "! echo 1 2>/dev/null >$P/$file"
done
finish

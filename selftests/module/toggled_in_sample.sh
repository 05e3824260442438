#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock
# kernels: oldest newest
# Tracing is disabled and enabled repeatedly while one CPU is stuck and NMIs sample it. A sample
# must end in the window in which it began. The test module makes each sample take milliseconds, so
# that windows end during samples. (An NMI handler once continued in the next window, and never
# returned.) Not on debug and ubuntu: the kprobe that slows down samples confuses the unwinder for
# frame pointers.
. "$(dirname "$0")/../module.sh"
start_test
need_nmi

put 500us sampling_period
put 10ms trace_latency
expect "samples can be made to take 5 ms" sh -c "printf 'window_sample 5000' >$FAIL"
inject hardirq 4000000 1 &
sleep 0.3
# Disable and enable 20 times, with longer and longer pauses, in at most two seconds: the window
# must last longer than the threshold after that.
i=0
until=$(($(now) + 200))
while [ $i -lt 20 ] && [ "$(now)" -lt $until ]; do
	i=$((i + 1))
	put 0 enable
	put 1 enable
	for _ in $(seq $i); do
		reads enable enabled
	done
done
slow_samples=$(sed -n 's/calls=\([0-9]*\) .*/\1/p' "$FAIL")
note "slow samples: $slow_samples"
expect "samples were taken while tracing was disabled and enabled" test "$slow_samples" -ge 3
wait
expect "each NMI is answered" await nmis_taken
echo off >"$FAIL"
expect "when its interrupts are on, the CPU is monitored" await runs_on
expect "the window of the stuck CPU is recorded" await recorded kind=hardirq cpu=1 begin=unseen
expect "the next window of that CPU is recorded" is_recorded hardirq 100000 1
finish

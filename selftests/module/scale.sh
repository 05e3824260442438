#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# long: smp64
# A machine with 64 CPUs: the module loads, monitors all CPUs, and records windows on several CPUs
# at once. All files can be read when the recorder is full. Prints times and memory. Times are
# long, because the VM is emulated.
. "$(dirname "$0")/../lib.sh"
need_cpus 16
start_test
unload
stay_on_cpu0
plan $(($(echo "$FILES" | wc -w) + 12))

LAST=$(last_cpu)
ALL=$(cat /sys/devices/system/cpu/online)

# took WORDS COMMAND...: run the command, and note its duration
took() {
	took_words=$1
	shift
	took_begin=$(now)
	"$@" || return 1
	note "$took_words: $(($(now) - took_begin))0 ms"
}

read_file() {
	cat "$P/$1" >/tmp/out
}

percpu=$(meminfo Percpu)
vmalloc=$(meminfo VmallocUsed)
took "load" load nr_records=1024 || exit 1
note "memory: $(($(meminfo VmallocUsed) - vmalloc)) kB of vmalloc (records and code)," \
	"$(($(meminfo Percpu) - percpu)) kB of Percpu"
expect "the memory for records does not depend on the number of CPUs" \
	test $(($(meminfo VmallocUsed) - vmalloc)) -lt 4096

expect "by default, cpus has all CPUs" reads cpus "$ALL"
put 100ms sampling_period
put 1s trace_latency
took "enable" put 1 enable
expect "after enable, all CPUs are monitored" await runs_on "$ALL"
expect "each CPU has ticked" await ticks_on "$(up_to "$LAST")"

# Three seconds: 64 CPUs that share two CPUs of the host have shorter windows by chance.
at_once="1 9 17 $LAST"
for cpu in $at_once; do
	inject hardirq 3000000 "$cpu" &
done
wait
for cpu in $at_once; do
	expect "a window on CPU $cpu is recorded while other CPUs have windows" \
		await recorded kind=hardirq cpu="$cpu"
done

# On this slow machine every tick is late: that fills the recorder.
put 0 enable
put 500us sampling_period
put 1ms trace_latency
put 0 trace_latency
put 1 enable
full() {
	[ "$(value records_overwritten status)" -gt 0 ]
}
expect "the recorder is full" await full
expect "all files can be read while records are made" \
	sh -c "cat $P/* >/tmp/out"
took "disable" put 0 enable
expect "after disable, no timer is left" same 0 "$(timers)"
for file in $FILES; do
	expect "$file can be read" took "cat $file" read_file "$file"
	note "$(echo "$expect_output" | sed 's/^# //')," \
		"$(wc -l </tmp/out) lines, $(wc -c </tmp/out) bytes"
done
kept=$(value records_kept status)
expect "1024 records are kept" same 1024 "$kept"
expect "1024 records are shown" same 1024 "$(count)"
took "unload" rmmod trace_irqoff
expect "the module is unloaded" test ! -e $P
finish

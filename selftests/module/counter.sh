#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: arm64 nmi-arm64
# kernels: newest-arm64 nmi-arm64
# long: smp COUNT=100
# CPUs of arm64 sample themselves, by the NMI of a cycle counter (parameter cycles): in COUNT windows
# (default 10), and when all CPUs are stuck at once. Only VMs with nmi-arm64 have a counter whose
# interrupt is an NMI. On Debian's kernel, status says what is missing.
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 2

COUNT=${COUNT:-10}
CYCLES=4000000	# 4 ms on this VM
CPU1=/sys/devices/system/cpu/cpu1/online

counter_is() {
	same "$1" "$(value counter status)"
}

case $(uname -r) in
*-nmi) expected=on ;;
*) expected="off (its interrupt is no NMI)" ;;
esac

# samples_of CPU: the number of samples with inject_hardirq() in its hardirq records
samples_of() {
	records kind=hardirq cpu="$1" | samples | grep -c inject_hardirq
}

# On this VM, NMIs take longer than the kernel's limit for perf. The kernel would throttle them
# until the next scheduler tick, which does not come while a CPU is stuck.
SLOW=/proc/sys/kernel/perf_cpu_time_max_percent
[ ! -e $SLOW ] || echo 0 >$SLOW

put 1 enable
expect "without the parameter, the counter is off" counter_is "off (parameter)"
unload
expect "too few cycles are refused" eval '! load cycles=99999 2>/dev/null'
load cycles=$CYCLES
expect "with the parameter, before enable, the counter is off" counter_is "off (disabled)"
put 50ms trace_latency
put 1 enable
expect "while enabled, status says whether the counter is on" await counter_is "$expected"
if [ "$expected" != on ]; then
	expect "without a counter, windows are recorded" is_recorded hardirq 120000 1
	expect "the module can be unloaded" unload
	finish
fi

sleep 2
expect "an idle host has no window and no sample" \
	same "" "$(records kind=hardirq)$(cat "$P/active")"

put 0 trace_latency
for i in $(seq "$COUNT"); do
	inject hardirq 120000 $((i % 2))
done
expect "all $COUNT windows are recorded" await eval 'same "$COUNT" "$(count kind=hardirq)"'
expect "each window has a sample with the function" \
	same "$COUNT" "$(records kind=hardirq | grep -c ' sample=[^ ]*inject_hardirq')"
expect "no sample has frames of the module or of the NMI" same "" \
	"$(records kind=hardirq | samples | grep -E '\[trace_irqoff\]|overflow|gic_handle_irq')"
expect "the time between these NMIs is no pause" same "" "$(records | grep -E 'paused_ns=|state=paused')"

# All CPUs at once: no other CPU could sample them.
put 0 trace_latency
inject hardirq 1000000 1 &
inject hardirq 1000000 0 &
wait
expect "both CPUs stuck at once: CPU 0 has at least three samples" test "$(samples_of 0)" -ge 3
expect "both CPUs stuck at once: CPU 1 has at least three samples" test "$(samples_of 1)" -ge 3

put 0 enable
expect "after disable, the counter is off" await counter_is "off (disabled)"
nmis=$(value counter_nmis status)
sleep 1
expect "after disable, the counter sends no NMIs" same "$nmis" "$(value counter_nmis status)"

inject hardirq 3000000 1 &
sleep 1
expect "enabling does not wait for a stuck CPU" within 1 put 1 enable
wait
expect "when that CPU has interrupts on again, the counter is on" await counter_is on

echo 0 >$CPU1
echo 1 >$CPU1
await runs_on 0-1
sleep 1
is_recorded hardirq 300000 1
expect "a CPU that was offline and came back samples itself" test "$(samples_of 1)" -ge 1
expect "the module can be unloaded while the counter is on" unload
finish

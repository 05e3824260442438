#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock arm64 hz
# kernels: oldest newest-rt newest newest-arm64
# The file handlers: each kind of handler that takes long is named, with its time. All softirqs and timer
# interrupts are counted, as the kernel counts them. (unit/unit tests interrupts on top of a softirq, and
# more handlers than rows.)
. "$(dirname "$0")/../module.sh"
start_test
US=3000

# rows KEY=VALUE...: those rows of the CPU. Blanks in names are \x20.
rows() {
	each_line handlers '{ print }' "cpu=$CPU" "$@"
}

sum() {
	echo "$2" | tr ' ' '\n' | awk -F= -v key="$1" '$1 == key { sum += $2 } END { print sum + 0 }'
}

# names KIND WINDOW FUNCTION: one window calls FUNCTION once
names() {
	put 0 handlers
	await counting_is off
	put 1 handlers
	await counting_is on
	inject "$2" "$US" "$CPU" || return 1
	took=$(injected_ns "$CPU")
	row=$(rows "kind=$1" "function=$3[irqoff_inject]")
	# Less: interrupts on top. The last item of the histogram is from 2^11 us.
	same 1 "$(sum count "$row")" &&
		between $((took - 900000)) "$(sum total_ns "$row")" $((took + 900000)) &&
		same "$(sum total_ns "$row")" "$(sum max_ns "$row")" &&
		same 0,0,0,0,0,0,0,0,0,0,0,0,1 "$(echo "$row" | sed 's/.*log2_us=//')"
}

# kernel_counts: "KIND NAME COUNT" of the CPU: what the kernel counts itself
kernel_counts() {
	awk -v column=$((CPU + 2)) '
		FNR == 1	{ next }
		FILENAME ~ /softirqs/ {
			sub(":", "", $1)
			print "softirq", $1, $column
		}
		$1 == "LOC:"	{ print "vector local_timer", $column }
		$NF == "arch_timer" { print "irq arch_timer", $column }
		' /proc/softirqs /proc/interrupts
}

# counts_all: each count is at least last - first, and at most after - before. The kernel counts an
# interrupt before it handles it.
counts_all() {
	while read -r kind name before; do
		read -r kind name first <&3
		read -r kind name last <&4
		read -r kind name after <&5
		got=$(sum count "$(rows "kind=$kind" "name=$name")")
		between $((last - first - 1)) "$got" $((after - before)) ||
			{ echo "$kind $name"; return 1; }
	done </tmp/before 3</tmp/first 4</tmp/last 5</tmp/after
}

# recent: the longest call of each row has ended not long ago
recent() {
	rows | tr ' ' '\n' | awk -F= -v now="$(date +%s)" '
		$1 == "max_end" {
			rows++
			bad += $2 < now - 1000 || $2 > now + 1
		}
		END { exit bad || !rows }'
}

# waited: while softirqs were off for 30 ms, the softirq of timers waited from the first tick on
waited() {
	inject bh 30000 "$CPU" && rows kind=raised name=TIMER | grep ' max_ns=[1-9][0-9]\{7\} '
}

nothing_kept() {
	same 1 "$(wc -l <"$P/handlers")" && grep -q '^state=off on_ns=0 lost=0 ' "$P/handlers"
}

expect "at load nothing is counted" nothing_kept
expect "an interrupt is named" names irq interrupt inject_interrupt
expect "the interrupt has its device" same 1 "$(sum count "$(rows kind=irq name=irqoff_inject)")"
expect "an hrtimer is named" names hrtimer handler inject_handler
expect "a timer is named" names timer softirq inject_softirq
if grep -q 'without=.*tasklet_entry' "$P/handlers"; then
	expect "status says that tasklets are missing" \
		grep -q '^handlers_missing: .*tasklet_entry' "$P/status"
else
	expect "a tasklet is named" names tasklet idle_tasklet inject_long_tasklet
fi
if grep -q 'without=.*napi_poll' "$P/handlers"; then
	skip "a poll is named" "this kernel has no network"
else
	expect "a poll is named" names poll poll inject_poll
fi

put 0 handlers
await counting_is off
kernel_counts >/tmp/before
put 1 handlers
await counting_is on
kernel_counts >/tmp/first
inject idle_irqs 20000 "$CPU"
inject loop 500000 "$CPU"
expect "a write of 1 while it counts changes nothing" put 1 handlers
kernel_counts >/tmp/last
expect "the time since the last start is shown" \
	between 300000000 "$(sum on_ns "$(head -n 1 "$P/handlers")")" 600000000000
expect "a raised softirq has the time that it waited" await waited
put 0 handlers
await counting_is off
kernel_counts >/tmp/after
expect "all softirqs and timer interrupts are counted" counts_all
expect "the longest calls ended not long ago" recent
one_read=$(dd bs=1M count=1 <"$P/handlers" 2>/dev/null | wc -c)
all=$(wc -c <"$P/handlers")
note "one read returns $one_read of $all bytes"
expect "a read takes memory for some CPUs, not for all" test "$one_read" -lt "$all"
expect "the time is kept" eval '[ "$(sum on_ns "$(head -n 1 "$P/handlers")")" -gt 0 ]'
put 0 handlers
expect "a second 0 forgets" nothing_kept

put 1 handlers
await counting_is on
expect "unloading while it counts" unload
finish

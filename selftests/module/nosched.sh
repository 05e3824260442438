#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# long: icount COUNT=1000
# Kernel code that does not let go of a CPU, though another task waits for it: COUNT windows of each kind
# (default 20, on debug 5) that begin anywhere in a period, with their place and their bounds; a tenth of
# them are longer.
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0
plan 27

COUNT=${COUNT:-$(fewer 20 5)}
all=$COUNT
CPU=$(last_cpu)
DEBUGFS=/sys/kernel/debug

# Where the waiting task is the one that runs softirqs, it is a softirq window: always on PREEMPT_RT,
# where nothing else runs them; at times up to 6.4.

# Whether code of the kernel is preempted where preemption is on. By its number, the version tells
# only what the kernel can do.
preempts_itself() {
	rt && return
	mount -t debugfs debugfs $DEBUGFS 2>/dev/null
	if [ -e $DEBUGFS/sched/preempt ]; then
		grep -qE '\((full|lazy)\)' $DEBUGFS/sched/preempt
	else
		uname -v | grep -qw PREEMPT
	fi
}

# The waiting task is noticed when it has waited for some scheduler ticks of 10 ms at most, and a
# tick of ours is a period later; the window begins and ends at looks that are less than one apart.
slack_us=$(($(bounds_us) + 40000))

within_bounds() {
	awk -v slack="${slack_us}000" '
		$1 < $2 || $1 > $3 + slack || $2 < $1 - slack {
			bad = 1
			print "true " $1 ", at least " $2 ", at most " $3
		}
		END { exit bad || NR == 0 }' /tmp/bounds
}

# measure INJECTION MICROSECONDS: COUNT of them; their true lengths and bounds in /tmp/bounds
measure() {
	: >/tmp/bounds
	put 0 trace_latency
	i=0
	while [ $i -lt "$COUNT" ]; do
		printf 'loop %d %d\n' $((1000000 + $(random 3000) * 1000)) "$CPU" >"$INJECT"
		inject "$1" "$2" "$CPU"
		injected_ns "$CPU" >>/tmp/true
		i=$((i + 1))
	done
	await all_there
	# shellcheck disable=SC2016 # fields of awk
	each_record '{ print substr($5, index($5, "=") + 1), substr($6, index($6, "=") + 1) }' |
		paste -d ' ' /tmp/true - >/tmp/bounds
	rm /tmp/true
}

all_there() {
	same "$COUNT" "$(records | grep -cE ' (kind=nosched|kind=softirq .* state=ksoftirqd) ')"
}

# each_in FUNCTION: it is in the stack or a look of each record
each_in() {
	same "$COUNT" "$(records | grep -c "[;:=]$1\[irqoff_inject\]")"
}

# kinds_of INJECTION MICROSECONDS
kinds_of() {
	measure "$1" "$2"
	expect "$1: all of $COUNT windows of $2 us are recorded" all_there
	expect "$1: with the function that did not let go" each_in "inject_$1"
	expect "$1: true lengths are within the bounds" within_bounds
	expect "$1: one cause makes one record" same "$COUNT" "$(count)"
}

# Up to 6.4 it may happen that ksoftirqd waits as well; ten times in a row it does not.
one_window() {
	i=0
	while [ $i -lt 10 ] && ! recorded kind=nosched; do
		put 0 trace_latency
		inject preempt 400000 "$CPU"
		sleep 0.1
		i=$((i + 1))
	done
}

# In the section of trace_latency is that window, with its bounds: in ms, which are no narrower. Its true
# length of 400 ms is within them, but for the time until the task that waits is noticed: where
# preemption is lazy that takes up to some scheduler ticks, and it was MAX: 396ms.
section_agrees() {
	sed -n '/^ nosched:$/,$p' "$P/trace_latency" >/tmp/section
	# shellcheck disable=SC2016 # fields of awk
	each_record '{
		for (i = 1; i <= NF; i++) {
			split($i, part, "=")
			value[part[1]] = part[2]
		}
		least = int(value["latency_ns"] / 1000000)
		most = int((value["max_ns"] + 999999) / 1000000)
		print least, most, "LATENCY: " least "ms MAX: " most "ms STATE: " value["state"] " "
	}' kind=nosched >/tmp/window
	read -r least most line </tmp/window
	between 1 "$least" 400 && between $((400 - slack_us / 1000)) "$most" 499 &&
		between $((400 - slack_us / 1000)) "$least" "$most" || return 1
	grep -q "^     COMMAND: .* $line " /tmp/section || {
		echo "expected: $line"
		cat /tmp/section
		return 1
	}
}

# So far apart two looks are, at most, with a scheduler tick of 10 ms.
LOOKS_NS=7000000

close_bounds() {
	awk -v apart="$LOOKS_NS" '
		$3 - $2 > apart { bad = 1; print "at least " $2 ", at most " $3 }
		END { exit bad || NR == 0 }' /tmp/bounds
}

tells_flag() {
	! rt && grep -q __tracepoint_sched_set_need_resched_tp /proc/kallsyms
}

trace 10ms 20ms
if tells_flag; then
	expect "the kernel tells when a task is to leave" await sh -c "grep -q '^nosched_hook: on\$' $P/status"
else
	expect "the kernel does not tell when a task is to leave" same off "$(value nosched_hook status)"
fi
length_us=$((20000 + slack_us + 5000))
kinds_of preempt $length_us
COUNT=$(((COUNT + 9) / 10))
kinds_of preempt 400000
COUNT=$all
if tells_flag; then
	expect "windows begin when it tells so: bounds are less than two looks apart" close_bounds
else
	skip "windows begin when it tells so: bounds are less than two looks apart" \
		"the kernel does not tell, or it is a softirq window"
fi
if preempts_itself || rt; then
	measure kernel 400000
	skip "kernel: all of $COUNT windows are recorded" "this kernel preempts its own code"
	expect "kernel code that is preempted makes no window" same 0 "$(count)"
else
	measure kernel $length_us
	expect "kernel: all of $COUNT windows are recorded" all_there
	skip "kernel code that is preempted makes no window" \
		"this kernel does not preempt its own code"
fi

put 0 trace_latency
inject bh 100000 "$CPU"
inject hardirq 100000 "$CPU"
await recorded kind=hardirq
expect "windows of other kinds are not also nosched windows" same 0 "$(count kind=nosched)"
expect "so there is no such section" sh -c "! grep -q nosched $P/trace_latency"
expect "nor such a distribution" sh -c "! grep -q nosched $P/distribute"

# A stay of which a part is another window's. The lazy kind of preemption would have it begin later.
PREEMPT=$DEBUGFS/sched/preempt
kind=
if [ -e $PREEMPT ]; then
	kind=$(sed 's/.*(\(.*\)).*/\1/' $PREEMPT)
	echo full >$PREEMPT
fi

# no_longer SLACK_US: a nosched window than what came behind the other one
no_longer() {
	longest=$(each_record "{ print substr(\$5, index(\$5, \"=\") + 1) }" kind=nosched |
		sort -n | tail -n 1)
	[ -n "$longest" ] || {
		starves && return
		echo "there is none"
		records
		return 1
	}
	between 1 "$longest" $(($(injected_ns "$CPU") + $1 * 1000))
}

put 0 trace_latency
inject waited_hardirq 200000 "$CPU"
expect "interrupts are off first: a hardirq window" await recorded kind=hardirq
if rt; then
	skip "which is no part of the nosched window" "on PREEMPT_RT it is a softirq window"
	skip "a softirq handler comes first: a softirq window" "on PREEMPT_RT a thread runs it"
	skip "which is no part of the nosched window" "likewise"
else
	expect "which is no part of the nosched window" no_longer 0
	put 0 trace_latency
	inject waited_softirq 200000 "$CPU"
	expect "a softirq handler comes first: a softirq window" await recorded kind=softirq
	# What comes before the handler is: 50 ms, and up to a scheduler tick.
	expect "which is no part of the nosched window" no_longer 65000
fi
[ -z "$kind" ] || echo "$kind" >$PREEMPT

if rt; then
	for what in record section distribution histogram count; do
		skip "nosched windows have a $what" "on PREEMPT_RT it is a softirq window"
	done
else
	put 0 trace_latency
	before=$(value windows_nosched status)
	one_window
	expect "nosched windows have a record that says what was off" sh -c \
		"grep -qE 'kind=nosched.* state=(preempt-off|in-kernel) ' $P/records"
	expect "nosched windows have a section" section_agrees
	expect "nosched windows have a distribution" grep -q '^nosched:$' $P/distribute
	expect "nosched windows have a histogram" grep -q "^cpu: $CPU kind: nosched count: " $P/histogram
	expect "nosched windows have a count" same $((before + 1)) "$(value windows_nosched status)"
fi

put 0 trace_latency
put 0 nosched
inject preempt 400000 "$CPU"
sleep 0.1
expect "when turned off, there are no such windows" same 0 "$(count kind=nosched)"
expect "and status says so" same off "$(value nosched status)"
expect "which says on or off, and nothing else, is taken" refused "Invalid argument" maybe nosched
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kcsan: smp
# Who follows "records" or "active" sleeps in poll(2), select(2) or epoll(7) until there is something
# new, and gets each record once. It keeps the module loaded; who only has a file open does not.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
FOLLOW=$selftests/bin/follow
[ -x "$FOLLOW" ] || skip_all "bin/follow has not been built"
stay_on_cpu0
plan 21

followers=
# follow NAME HOW ON|AGAIN SECONDS FILE: in the background, into /tmp/NAME
follow() {
	follow_out=/tmp/$1
	shift
	"$FOLLOW" "$@" >"$follow_out" 2>&1 &
	followers="$followers $!"
}

followed() {
	# shellcheck disable=SC2086 # words
	wait $followers
	followers=
}

# lines_of NAME: the records that it got
lines_of() {
	grep '^seq=' "/tmp/$1"
}

# got NAME N: so many
got() {
	same "$2" "$(lines_of "$1" | wc -l)"
}

# number KEY NAME: of its last line
number() {
	sed -n "s/.*$1=\([0-9]*\).*/\1/p" "/tmp/$2" | tail -n 1
}

# each_once NAME: the numbers of its records have no gap, and none is there twice
each_once() {
	lines_of "$1" | sed 's/^seq=\([0-9]*\) .*/\1/' |
		awk 'NR > 1 && $1 != last + 1 { print last, "and then", $1; bad = 1 }
			{ last = $1 }
			END { exit bad || !NR }'
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"

#
# records
#

inject hardirq 70000 1
for how in poll select epoll; do
	follow $how $how on 4 $P/records
done
sleep 0.5
for how in poll select epoll; do
	expect "$how: what is there is read at once" await got $how 1
done
inject hardirq 70000 1
for how in poll select epoll; do
	expect "$how: a new record wakes who sleeps" within 1 await got $how 2
done
inject bh 120000 1
expect "so does that of a softirq window" within 1 await got poll 3
cat $P/records >/tmp/records
followed
expect "they have the records as all others do" same "$(cat /tmp/records)" "$(lines_of poll)"
expect "nobody is woken while there is nothing: twice for the records, twice for their windows" \
	between 2 "$(number wakeups poll)" 4

follow quiet poll on 1 $P/records
sleep 0.3
put 0 trace_latency
followed
expect "nor by a write that clears the records" same 0 "$(number wakeups quiet)"

follow cleared poll on 2 $P/records
sleep 0.3
put 0 trace_latency
inject hardirq 70000 1
followed
expect "who follows goes on after that with what is new" \
	same "$(cat $P/records)" "$(lines_of cleared | tail -n 1)"

# Many, and on two CPUs at a time.
trace 1ms 2ms
follow storm poll on 20 $P/records
sleep 0.3
for cpu in 0 1; do
	inject_times 60 hardirq 4000 $cpu &
	injecting="${injecting:-} $!"
done
# shellcheck disable=SC2086 # words
wait $injecting
put 0 enable
last=$(tail -n 1 $P/records | sed 's/^seq=\([0-9]*\) .*/\1/')
expect "of many on two CPUs who follows gets the last" await grep -q "^seq=$last " /tmp/storm
# shellcheck disable=SC2086 # words
kill $followers
followed
expect "and each once, in order" each_once storm
expect "and those are many" between 60 "$(lines_of storm | wc -l)" 100000

#
# active
#

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"
follow open poll again 4 $P/active
sleep 0.3
inject hardirq 2000000 1 &
injecting=$!
expect "who follows active is woken while a window is open" \
	within 1 await grep -qE '^     COMMAND: .* LATENCY: [0-9]+\+ms' /tmp/open
expect "which has not ended by then" kill -0 $injecting
wait $injecting
followed
expect "and when it is over, to find nothing there any more" \
	between 1 "$(number empty open)" 2
if rt; then
	skip "so it is for a softirq window" \
		"a thread of that CPU wakes who follows, and cannot run before the window is over"
else
	follow bh poll again 2 $P/active
	sleep 0.3
	inject bh 700000 1
	followed
	expect "so it is for a softirq window" \
		grep -qE '^     COMMAND: .* STATE: bh-off' /tmp/bh
fi

#
# Unloading
#

rmmod_refused() {
	! rmmod trace_irqoff 2>&1
}

exec 4<$P/records
cat <&4 >/dev/null
expect "who has a file open and has not polled it does not keep the module loaded" \
	rmmod trace_irqoff
exec 4<&-

load enable=1
follow held poll on 1 $P/records
sleep 0.3
expect "who has does, until the file is closed" rmmod_refused
followed

# Each time there are some that have just begun to wait, and some that are done.
unloaded_often() {
	for turn in $(up_to 10); do
		for how in poll select epoll; do
			"$FOLLOW" "$how" on 0.1 "$P/records" &
			"$FOLLOW" "$how" again 0.1 "$P/active" &
		done >/dev/null 2>&1
		unload_left=100
		until rmmod trace_irqoff 2>/dev/null; do
			unload_left=$((unload_left - 1))
			[ "$unload_left" -gt 0 ] || { echo "turn $turn: not unloaded"; return 1; }
			sleep 0.02
		done
		load enable=1 || return 1
	done
	wait
}
expect "no follower is left waiting, however often it is unloaded" unloaded_often
finish

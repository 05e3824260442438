# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# What the incidents share. An incident sources this and defines:
#
#	setup		make what the incident needs, once
#	before, after	the same before and after each run, untraced
#	incident	cause it; trace-irqoff runs meanwhile
#	truth		what the report has to say: first_line, first_row, rows_at_most, innocent,
#			names_nobody
#
# and ends with "play". Only truth is a must. Prints KTAP.
#
# The head of an incident is data for ./run, one line each:
#
#	# releases: 11 12 13 backports	of Debian; "backports" is 13 with its newest kernel
#	# vm: --icount --smp 4 --mem 4096	options of "vm debian"
#	# packages: iptables conntrack	which incident-root has; may be empty
#	# limit: 600			seconds of the host for one run; ./run allows this for each
#
# Environment:
#	INCIDENT_RUNS=N		cause it N times; the first line has to be the same each time (1)
#	INCIDENT_RECORDS=1	print the records, too

selftests=$(dirname "$0")/..
# Shellcheck would take it for this file.
# shellcheck source=/dev/null
. "$selftests/lib.sh"

# shellcheck source=/dev/null
. "$(dirname "$0")/truth.sh"

HELPER=${HELPER:-$selftests/../trace-irqoff}
PATH=$(cd "$(dirname "$0")" && pwd):$PATH	# where crowd is
THRESHOLD=10ms
PERIOD=4ms
SETTLE=3		# seconds, before and after the incident

setup() { :; }
before() { :; }
incident() { :; }
after() { :; }

# --- Playing an incident

# stage WORDS FUNCTION: not by expect(), whose subshell would lose variables and wait for jobs
stage() {
	if "$2" >"${out:?}/$2" 2>&1; then
		ok "$1"
		return
	fi
	not_ok "$1"
	tail -n 20 "$out/$2" | sed 's/^/# /'
	return 1
}

# give_up: what was planned and cannot be tried fails
give_up() {
	while [ "${ktap_done:?}" -lt "${ktap_planned:?}" ]; do
		not_ok "not tried"
	done
	finish
}

is_traced() {
	grep -qx enabled "$P/enable"
}

# traced: start a run of the helper, cause the incident, and end the run
traced() {
	put 0 trace_latency
	"$HELPER" run -t $THRESHOLD -p $PERIOD -d 1h >"$out/text" 2>"$out/helper" &
	traced_pid=$! traced_status=0
	await is_traced || return
	sleep $SETTLE
	incident || return
	sleep $SETTLE
	kill $traced_pid
	wait $traced_pid || traced_status=$?
	# 3 is "windows were found".
	case $traced_status in
	0 | 3) ;;
	*)
		cat "$out/helper"
		return 1 ;;
	esac
	"$HELPER" report --last --json >"$out/json" 2>>"$out/helper" || [ $? = 3 ]
}

# show: what people, and whoever makes tests of it, want to read
show() {
	note "first line, run $run: $(grep -m 1 . "$out/text")"
	note "rows, run $run: $(named_rows | wc -l)"
	sed 's/^/# text: /' "$out/text"
	[ -z "${INCIDENT_RECORDS:-}" ] || sed 's/^/# record: /' "$P/records"
}

# allow_tasks: 200,000; systemd limits each unit to 15 % of what the kernel allows at boot
allow_tasks() {
	echo 200000 >/proc/sys/kernel/threads-max
	echo 200000 >/proc/sys/kernel/pid_max
	limit=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
	while [ "$limit" != /sys/fs/cgroup ] && [ -e "$limit" ]; do
		[ ! -e "$limit/pids.max" ] || echo max >"$limit/pids.max"
		limit=${limit%/*}
	done
}

play() {
	INCIDENT_RUNS=${INCIDENT_RUNS:-1}
	[ -n "${VM_CONTROL:-}" ] || skip_it "an incident harms the machine: only in a VM"
	mkdir -p "${out:?}"
	allow_tasks
	count_truth
	plan $((2 + INCIDENT_RUNS * (${counted:?} + 1) + (INCIDENT_RUNS > 1)))
	expect "the module is loaded" load
	stage "the incident is prepared" setup || give_up
	: >"$out/answers"
	run=0
	while [ $((run += 1)) -le "$INCIDENT_RUNS" ]; do
		before >"$out/before" 2>&1 || {
			sed 's/^/# /' "$out/before"
			not_ok "run $run: it is prepared"
			give_up
		}
		sleep $SETTLE
		stage "run $run: it is caused and traced" traced || {
			sed 's/^/# /' "$out/before"
			give_up
		}
		after >"$out/after" 2>&1
		show
		truth
		answer | cut -f 1,3 >>"$out/answers"
	done
	[ "$INCIDENT_RUNS" = 1 ] ||
		expect "each run has the same function and kind on its first line" always_the_same
	finish
}

always_the_same() {
	cat "$out/answers"
	[ "$(sort -u "$out/answers" | wc -l)" -le 1 ]
}

# --- For incidents

# start COMMAND...: in the background, as $started; and wait until it prints "ready"
start() {
	: >"$out/started"
	"$@" >"$out/started" 2>&1 &
	started=$!
	start_left=6000
	until grep -q '^ready' "$out/started"; do
		start_left=$((start_left - 1))
		if [ $start_left = 0 ] || ! kill -0 $started; then
			cat "$out/started"
			return 1
		fi
		sleep 0.1
	done
}

# stop [PID]: of what start() has started
stop() {
	kill -9 "${1:-$started}"
	wait "${1:-$started}" 2>/dev/null || :
}

# trigger: what start() has started does the harmful thing now
trigger() {
	kill -USR1 "$started"
}

# kernel_before MAJOR MINOR
kernel_before() {
	uname -r | awk -F. -v major="$1" -v minor="$2" \
		'{ exit !($1 < major || ($1 == major && $2 + 0 < minor)) }'
}

# repeat N SECONDS COMMAND...: N times, with a pause after each
repeat() {
	repeat_left=$1 repeat_pause=$2
	shift 2
	while [ $((repeat_left -= 1)) -ge 0 ]; do
		"$@"
		sleep "$repeat_pause"
	done
}

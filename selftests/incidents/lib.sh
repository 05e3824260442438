# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# Functions that all incidents use. The script of an incident sources this file, defines the
# functions below, and ends with "play". Only truth() is required. Prints KTAP.
#
#	setup		prepare the incident, once
#	before, after	run before and after each run, while nothing is traced
#	incident	cause the incident, while trace-irqoff runs
#	truth		what the report must say: first_line, first_row, rows_at_most, innocent,
#			no_task, names_nobody
#
# The head of an incident has a line with each of these keys, which ./run reads:
#
#	# releases: 11 12 13 backports	Debian releases; "backports" is 13 with its newest kernel;
#					"light" adds the incident to make check
#	# vm: --icount --smp 4 --mem 4096	options of "vm debian"
#	# packages: iptables conntrack	needed packages, which incident-root must have; may be empty
#	# limit: 600			time limit of one run, in seconds of the host
#
# Environment:
#	INCIDENT_RUNS=N		run each incident N times (default 1); the first line of the
#				report must name the same function and kind each time
#	INCIDENT_RECORDS=1	print the records, too

selftests=$(dirname "$0")/..
# Shellcheck would read this file instead.
# shellcheck source=/dev/null
. "$selftests/lib.sh"

# shellcheck source=/dev/null
. "$(dirname "$0")/truth.sh"

HELPER=${HELPER:-$selftests/../trace-irqoff}
PATH=$(cd "$(dirname "$0")" && pwd):$PATH	# has crowd
THRESHOLD=10ms
PERIOD=4ms
SETTLE=3		# seconds, before and after the incident

setup() { :; }
before() { :; }
incident() { :; }
after() { :; }

# --- Run an incident

# stage WORDS FUNCTION: one check: FUNCTION must succeed. Unlike expect(), it needs no subshell: a
# subshell would lose variables, and would wait for background jobs.
stage() {
	if "$2" >"${out:?}/$2" 2>&1; then
		ok "$1"
		return
	fi
	not_ok "$1"
	tail -n 20 "$out/$2" | sed 's/^/# /'
	return 1
}

# give_up: fail all checks that are left, and end the test
give_up() {
	while [ "${ktap_done:?}" -lt "${ktap_planned:?}" ]; do
		not_ok "not tried"
	done
	finish
}

is_traced() {
	grep -qx enabled "$P/enable"
}

# traced: start a run of the helper, cause the incident, end the run, and write its report to
# $out/text and $out/json
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
	# Exit status 3: windows were found.
	case $traced_status in
	0 | 3) ;;
	*)
		cat "$out/helper"
		return 1 ;;
	esac
	"$HELPER" report --last --json >"$out/json" 2>>"$out/helper" || [ $? = 3 ]
}

# show: print the report for people, and the records for new tests of the helper
show() {
	note "first line, run $run: $(grep -m 1 . "$out/text")"
	note "rows, run $run: $(named_rows | wc -l)"
	sed 's/^/# text: /' "$out/text"
	[ -z "${INCIDENT_RECORDS:-}" ] || sed 's/^/# record: /' "$P/records"
}

# allow_tasks: allow 200,000 tasks. systemd limits each unit to 15 % of the number that the kernel
# allows at boot.
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
	[ -n "${VM_CONTROL:-}" ] || skip_it "not in a VM: an incident harms the machine"
	mkdir -p "${out:?}"
	allow_tasks
	count_truth
	plan $((2 + INCIDENT_RUNS * (${counted:?} + 1) + (INCIDENT_RUNS > 1)))
	expect "the module is loaded" load
	stage "the incident is prepared" setup || give_up
	# Wait until udev has loaded its modules: that makes windows, too.
	! command -v udevadm >/dev/null || udevadm settle
	: >"$out/answers"
	run=0
	while [ $((run += 1)) -le "$INCIDENT_RUNS" ]; do
		before >"$out/before" 2>&1 || {
			sed 's/^/# /' "$out/before"
			not_ok "run $run: the incident is prepared"
			give_up
		}
		sleep $SETTLE
		stage "run $run: the incident is caused and traced" traced || {
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

# start COMMAND...: run COMMAND in the background, store its PID in $started, and wait until it
# prints "ready"
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

# stop [PID]: kill the process PID (default: the last one that start() started)
stop() {
	kill -9 "${1:-$started}"
	wait "${1:-$started}" 2>/dev/null || :
}

# trigger: send the crowd that start() started SIGUSR1, at which it causes the incident
trigger() {
	kill -USR1 "$started"
}

# rules N CHAIN: print N rules for iptables-restore, which drop packets to N addresses
rules() {
	awk -v n="$1" -v chain="$2" 'BEGIN {
		print "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]"
		for (i = 1; i <= n; i++)
			printf "-A %s -d 172.%d.%d.%d/32 -j DROP\n", chain,
				16 + int(i / 65536), int(i / 256) % 256, i % 256
		print "COMMIT"
	}'
}

# kernel_before MAJOR MINOR: the kernel is older than this version
kernel_before() {
	uname -r | awk -F. -v major="$1" -v minor="$2" \
		'{ exit !($1 < major || ($1 == major && $2 + 0 < minor)) }'
}

# repeat N SECONDS COMMAND...: run COMMAND N times, with a pause of SECONDS after each
repeat() {
	repeat_left=$1 repeat_pause=$2
	shift 2
	while [ $((repeat_left -= 1)) -ge 0 ]; do
		"$@"
		sleep "$repeat_pause"
	done
}

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

HELPER=${HELPER:-$selftests/../trace-irqoff}
PATH=$(cd "$(dirname "$0")" && pwd):$PATH	# where crowd is
THRESHOLD=10ms
PERIOD=4ms
SETTLE=3		# seconds, before and after the incident
out=${INCIDENT_OUT:-/tmp/incident}

# Functions that only wait, only end something, or are the kernel's way to run something else. The
# report may never name them.
INNOCENT="native_safe_halt pv_native_safe_halt default_idle default_idle_call do_idle
	acpi_idle_do_entry cpuidle_enter_state mwait_idle
	native_queued_spin_lock_slowpath __pv_queued_spin_lock_slowpath queued_spin_lock_slowpath
	queued_read_lock_slowpath queued_write_lock_slowpath _raw_spin_lock _raw_spin_lock_irq
	_raw_spin_lock_irqsave _raw_spin_unlock_irq _raw_spin_unlock_irqrestore
	_raw_read_lock _raw_write_lock_irq smp_call_function_single smp_call_function_many_cond
	finish_task_switch __schedule schedule hrtimer_interrupt update_curr scheduler_tick
	sched_tick rcu_sched_clock_irq multi_cpu_stop
	__list_add_valid __list_add_valid_or_report __list_del_entry_valid
	__list_del_entry_valid_or_report"

setup() { :; }
before() { :; }
incident() { :; }
after() { :; }

# --- Reading the report

# answer: the first line of $out/text that has an answer, as "FUNCTION<tab>WHO<tab>KIND". KIND is
# "interrupts" or "softirqs". All knowledge of that line's words is here.
answer() {
	awk '
		/^(Culprit|Nobody named): / {
			line = substr($0, index($0, ": ") + 2)
			kind = ""
			if (match(line, /: interrupts off(,|$)/))
				kind = "interrupts"
			else if (match(line, /: softirqs (held up|delayed)(,|$)/))
				kind = "softirqs"
			if (kind == "")
				exit
			name = substr(line, 1, RSTART - 1)
			who = ""
			if (at = index(name, ", in ")) {
				who = substr(name, at + length(", in "))
				name = substr(name, 1, at - 1)
			}
			printf "%s\t%s\t%s\n", name, who, kind
			exit
		}' "$out/text" | plain_names
}

# rows: the culprits of $out/json, one a line: "FUNCTION<tab>KIND<tab>CONTEXT<tab>COMM<tab>WINDOWS".
# The report has one culprit on each line.
rows() {
	awk '
		function value(key,	text) {
			if (!match($0, "\"" key "\":(\"([^\"\\\\]|\\\\.)*\"|[0-9]+)"))
				return ""
			text = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
			gsub(/^"|"$/, "", text)
			return text
		}
		index($0, "{\"function\":") == 1 {
			kind = value("kind") == "hardirq" ? "interrupts" : "softirqs"
			printf "%s\t%s\t%s\t%s\t%s\n", value("function"), kind, value("context"),
				value("comm"), value("windows")
		}' "$out/json" | plain_names
}

# plain_names: without the module, and what compilers add to names, in the first column
plain_names() {
	awk -F '\t' -v OFS='\t' '
		{
			if ($1 !~ /^\[/)	# "[user]" is a name
				sub(/\[[^]]*\]$/, "", $1)
			sub(/(\.(isra|constprop|part|cold|llvm)(\.[0-9]+)?)+$/, "", $1)
			print
		}'
}

# The start of a name that is none: "(unknown, ...)", "the hypervisor or firmware stopped ..."
NO_NAME='^([(]|the (hypervisor|host|firmware))'

# culprits: the rows that name a function
culprits() {
	rows | grep -vE "$NO_NAME"
}

# named_rows: of the text, where minor culprits have none, those that name a function. Column 62 has it.
named_rows() {
	awk -v OFS='\t' '/^ *[0-9]+ +[0-9.]+ m?s / && substr($0, 62, 1) != "(" {
		print substr($0, 62), / interrupts off / ? "interrupts" : "softirqs"
	}' "$out/text" | plain_names
}

show_answer() {
	head -n 4 "$out/text"
	rows | head -n 12
}

# --- What truth() is made of

counting=''
counted=0

# claim WORDS COMMAND...: one expectation; while play counts, it is only counted
claim() {
	if [ -n "$counting" ]; then
		counted=$((counted + 1))
	else
		expect "run $run: $1" reported "$@"
	fi
}

reported() {
	shift
	"$@" || {
		show_answer
		return 1
	}
}

# first_line FUNCTION WHO KIND: extended regular expressions. FUNCTION is for the whole name, WHO
# for a part of what stands behind it: "task sh", "softirq handler, on top of task ping".
first_line() {
	claim "the first line names $1, $3" answers "$1" "$2" "$3"
}

answers() {
	answer | awk -F '\t' -v name="$1" -v who="$2" -v kind="$3" '
		{ found = $1 ~ "^(" name ")$" && $2 ~ who && $3 ~ "^(" kind ")$" }
		END { exit !found }' && return
	echo "expected: $1, in $2: $3"
	return 1
}

# first_row KEY VALUE: of the first culprit in JSON; VALUE is an extended regular expression
first_row() {
	claim "the first row has $1: $2" first_row_has "$1" "$2"
}

first_row_has() {
	grep '^{"function":' "$out/json" | head -n 1 | grep -E "\"$1\":\"?$2"
}

# innocent [FUNCTION]...: none of these is a culprit, nor are those that never are. User space is not
# where interrupts were off.
innocent() {
	# shellcheck disable=SC2086 # words
	claim "nobody innocent is named" none_named $INNOCENT "$@"
}

none_named() {
	named_rows | awk -F '\t' -v names="$*" '
		BEGIN {
			n = split(names, name, " ")
			for (i = 1; i <= n; i++)
				innocent[name[i]] = 1
		}
		$1 in innocent || ($1 == "[user]" && $2 == "interrupts") {
			print "innocent: " $0
			named = 1
		}
		END { exit named }'
}

# no_task TASK: no culprit is code of such a task; an extended regular expression
no_task() {
	claim "no task $1 is named" no_task_named "$1"
}

no_task_named() {
	culprits | awk -F '\t' -v task="^($1)\$" '
		$3 == "task" && $4 ~ task { print "innocent: " $0; named = 1 }
		END { exit named }'
}

rows_at_most() {
	claim "at most $1 rows" few_rows "$1"
}

few_rows() {
	[ "$(named_rows | wc -l)" -le "$1" ]
}

# names_nobody: neither on the first line nor in a row
names_nobody() {
	claim "the report names nobody" nobody_named
}

nobody_named() {
	! answer | grep -vE "$NO_NAME" && ! culprits
}

# --- Playing an incident

# stage WORDS FUNCTION: not by expect(), whose subshell would lose variables and wait for jobs
stage() {
	if "$2" >"$out/$2" 2>&1; then
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

count_truth() {
	counting=1
	truth
	counting=''
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
	mkdir -p "$out"
	allow_tasks
	count_truth
	plan $((2 + INCIDENT_RUNS * (counted + 1) + (INCIDENT_RUNS > 1)))
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

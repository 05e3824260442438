# SPDX-License-Identifier: GPL-2.0
#
# Functions for tests that trace: make windows, read ticks and records. Sourced by module.sh.

: "${P:?}"	# lib.sh sets it

INJECT=/proc/irqoff_inject
# shellcheck disable=SC2034	# for the tests
FAIL=/proc/irqoff_fail

# trace PERIOD THRESHOLD: enable tracing with these settings, and clear the records
trace() {
	put 0 enable
	put "$1" sampling_period
	put "$2" trace_latency
	put 0 trace_latency
	put 1 enable
}

# tracing: a run of the helper has the session, and tracing is enabled
tracing() {
	[ "$(value session status)" != none ] && reads enable enabled
}

# runs_on [CPUS]: exactly these CPUs are monitored; default: all that are online
runs_on() {
	same "${1:-$(cat /sys/devices/system/cpu/online)}" "$(value cpus_running status)"
}

# scheduler_ticks: all CPUs are monitored by the scheduler's tick
scheduler_ticks() {
	same scheduler "$(value tick_source status)" &&
		same none "$(value cpus_own_timer status)"
}

# trace_all PERIOD THRESHOLD: trace, and wait until all CPUs are monitored by the scheduler's tick
trace_all() {
	trace "$@"
	await runs_on
	await scheduler_ticks
}

# timers [CPU]: the number of queued timers of the module, on CPU or on all CPUs. A callback without
# a name belongs to a module that was unloaded: /proc/timer_list shows its address, 5.10 a hash.
timers() {
	awk -v cpu="${1:-all}" '
		/^cpu: /		{ here = cpu == "all" || $2 == cpu }
		here && /, (tick|watch|softirqs)_timer_fn|, (0x[0-9a-f]+|<[0-9a-f]+>), S:/ {
			timers++
		}
		END			{ print timers + 0 }' /proc/timer_list
}

# ticks_on "CPU CPU...": exactly these CPUs tick while busy. Ticks of idle CPUs are not counted.
ticks_on() {
	for ticks_cpu in $1; do
		inject loop 5000000 "$ticks_cpu"
	done
	same "$1 " "$(sed -n 's/^cpu: \([0-9]*\) kind: hardirq .*/\1/p' "$P/histogram" |
		tr '\n' ' ')"
}

ticks() {
	value ticks status
}

# bounds_us: the largest difference between the two bounds of a window, in microseconds
bounds_us() {
	value bounds status | sed 's/us$//; s/ms$/000/'
}

# interrupts NAME [CPU]: the interrupts since boot, of this CPU or of all CPUs. NAME is an extended
# regular expression for the last column of /proc/interrupts.
interrupts() {
	awk -v name="$1" -v cpu="${2:-}" '
		$0 ~ " (" name ")$" {
			for (i = 2; $i ~ /^[0-9]+$/; i++)
				if (cpu == "" || cpu == i - 2)
					sum += $i
		}
		END { print sum + 0 }' /proc/interrupts
}

# timer_interrupts: the local timer interrupts of each CPU since boot, on one line
timer_interrupts() {
	sed -n 's/^ *LOC: *\([0-9 ]*\).*/\1/p' /proc/interrupts
}

nmis_taken() {
	same "$(value nmi_sent status)" "$(value nmi_taken status)"
}

# has_samples: hardirq windows are sampled by NMIs
has_samples() {
	[ "$(value nmi status)" = on ]
}

# expect_sample WORDS COMMAND...: a check that is skipped if hardirq windows are not sampled
expect_sample() {
	if has_samples; then
		expect "$@"
	else
		skip "$1" "no samples: nmi is $(value nmi status)"
	fi
}

# need_nmi: skip the test if hardirq windows are not sampled
need_nmi() {
	has_samples || skip_all "hardirq windows are not sampled: nmi is $(value nmi status)"
}

# starves: softirqs wait for a starved ksoftirqd. Up to 6.4, the kernel does not run softirqs on the
# way out of an interrupt while ksoftirqd is runnable; PREEMPT_RT always leaves softirqs to threads.
# Decided by the version: the check was a static function of kernel/softirq.c, without a symbol or a
# header.
starves() {
	rt && return
	case $(uname -r) in
	*el9*) return 1 ;;	# it has the change of 6.5
	esac
	uname -r | awk -F. '{ exit !($1 < 6 || ($1 == 6 && $2 < 5)) }'
}

# hides_softirqs: on an idle CPU, the kernel counts softirqs as idle time after an interrupt in them. Up
# to 5.19; EL 9 has the change of 6.0.
hides_softirqs() {
	case $(uname -r) in
	*el9*) return 1 ;;
	5.*) return 0 ;;
	*) return 1 ;;
	esac
}

inject() {
	echo "$*" >"$INJECT"
}

# made INJECTION MICROSECONDS [N]: clear the records, and make N windows (default 1) on $CPU
made() {
	put 0 trace_latency
	inject_times "${3:-1}" "$1" "$2" "$CPU"
	sleep 0.2
}

# inject_times N INJECTION MICROSECONDS [CPU]: make N windows, one after the other
inject_times() {
	inject_nr=$1
	shift
	for _ in $(seq "$inject_nr"); do
		inject "$@"
	done
}

# injected_ns CPU: the true length of the last window on CPU, measured inside the window
injected_ns() {
	sed -n "s/^cpu=$1 .*elapsed_ns=//p" "$INJECT"
}

# each_line FILE ACTION [KEY=VALUE]...: run an awk action for each line that has all of these
# fields. Needs one process only: a process takes 20 million instructions on the kernel "debug".
each_line() {
	each_file=$1 each_action=$2
	shift 2
	keys=$* awk '
		BEGIN { n = split(ENVIRON["keys"], key, " ") }
		{
			for (i = 1; i <= n; i++)
				if (!index(" " $0 " ", " " key[i] " "))
					next
		}
		'"$each_action" "$P/$each_file"
}

# records [KEY=VALUE]...: print the records that have all of these fields
records() {
	each_line records '{ print }' "$@"
}

# count [KEY=VALUE]...: the number of records that have all of these fields
count() {
	each_line records '{ count++ } END { print count + 0 }' "$@"
}

# recorded [KEY=VALUE]...: at least one record has all of these fields
recorded() {
	each_line records '{ found = 1; exit } END { exit !found }' "$@"
}

# limit TIGHT LOOSE: print TIGHT if the clock counts instructions; otherwise LOOSE: a busy host changes
# what happens
limit() {
	[ "${CLOCK:-}" = instructions ] && echo "$1" || echo "$2"
}

# no_window_of SECONDS: no window lasted SECONDS or longer. A busy host makes shorter windows.
no_window_of() {
	! records | cut -c 1-300 | awk -v seconds="$1" '
		{ split($5, latency, "=") }
		latency[2] >= seconds * 1000000000' | grep .
}

# field KEY: the value of KEY in each record on stdin
field() {
	sed -n "s/.* $1=\([^ ]*\).*/\1/p"
}

# samples: the stacks of all samples in the records on stdin, one per line, outermost frame first
samples() {
	tr ' ' '\n' | sed -n 's/^sample=[0-9]*://p'
}

# is_recorded INJECTION MICROSECONDS CPU [KIND]: clear the records, and make a window, which has a
# record of KIND (default: hardirq)
is_recorded() {
	put 0 trace_latency
	inject "$1" "$2" "$3"
	await recorded "kind=${4:-hardirq}" "cpu=$3"
}

# true_and_bounds KIND CPU: the last window's true length, and the two bounds of its record, in ns
true_and_bounds() {
	await recorded "kind=$1" "cpu=$2"
	echo "$(injected_ns "$2")" "$(records "kind=$1" "cpu=$2" |
		sed 's/.* latency_ns=\([0-9]*\) max_ns=\([0-9]*\) .*/\1 \2/' | tr '\n' ' ')"
}

# bounds_hold FILE SLACK_NS: in all lines, from true_and_bounds(), the true length is within the
# bounds. The lower bound may exceed the true length by SLACK_NS.
bounds_hold() {
	! awk -v slack="$2" '$1 + slack < $2 || $1 > $3 {
		print "true " $1 ", at least " $2 ", at most " $3 }' "$1" | grep .
}

# made_by FUNCTION CPU: the hardirq records with FUNCTION in their stack; a busy host adds others
made_by() {
	records kind=hardirq "cpu=$2" | grep " stack=[^ ]*$1"
}

# times_of: for each record on stdin, its length, then the offsets of its samples, in nanoseconds
times_of() {
	awk '{
		times = ""
		for (i = 1; i <= NF; i++)
			if (split($i, part, /[=:]/) > 1 && part[1] ~ /^(latency_ns|sample)$/)
				times = times part[2] " "
		print times
	}'
}

# sample_offsets: the offsets of all samples in the records on stdin, in nanoseconds
sample_offsets() {
	tr ' ' '\n' | sed -n 's/^sample=\([0-9]*\):.*/\1/p'
}

# counting_is STATE: the state of the file handlers
counting_is() {
	grep -q "^state=$1 " "$P/handlers"
}

# still_traced: all online CPUs are monitored and tick, and the next window is recorded
still_traced() {
	still_before=$(ticks)
	runs_on || return 1
	# Not is_recorded(): clearing the records also clears the number of ticks.
	inject hardirq 700000 1
	await recorded kind=hardirq cpu=1 || return 1
	[ "$(ticks)" -gt "$still_before" ] || { echo "no more ticks"; return 1; }
	put 0 trace_latency
}

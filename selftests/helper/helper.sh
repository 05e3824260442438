#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: oldest
# long: smp SIGNALS=25 KILLS=200
# The helper finds windows with one command, and restores the host. Each test uses the next shell:
# the shell of the VM, dash or bash. SIGNALS: how often each signal ends a run at a random moment
# (default 1); KILLS: how often SIGKILL does (default 3).
. "$(dirname "$0")/../lib.sh"
case $(uname -r) in
*-debug) skip_all "a shell takes its time there, and has nothing to do with the kernel" ;;
esac
start_test
stay_on_cpu0
plan 35

SIGNALS=${SIGNALS:-1}
KILLS=${KILLS:-3}
CULPRIT=inject_spinlock
THRESHOLD=150ms
SCREEN=/dev/tty1
SCREEN_SHOWS=/dev/vcs1
[ -x "$selftests/bin/foreground" ] || skip_all "bin/foreground has not been built"
CPU=$(last_cpu)
OUT=/tmp/helper.out
HELPER=$selftests/../trace-irqoff
[ -e "$HELPER" ] || HELPER=$selftests/../scripts/trace-irqoff
mkdir -p /run

# next_shell: set shell. The libraries of dash and bash are beside them.
next_shell() {
	case ${shell:-} in
	sh) shell_name=dash ;;
	*dash) shell_name=bash ;;
	*)
		shell="sh"
		return ;;
	esac
	shell="$selftests/shells/ld.so --library-path $selftests/shells $selftests/shells/$shell_name"
}
shell=
next_shell

helper() {
	# shellcheck disable=SC2086 # words
	$shell "$HELPER" "$@" >"$OUT" 2>"$OUT.err"
}

# start_on OUTPUT ARGUMENT...: the helper in the background, as $run
start_on() {
	start_output=$1
	shift
	# shellcheck disable=SC2086 # words
	"$selftests/bin/foreground" $shell "$HELPER" "$@" >"$start_output" 2>"$OUT.err" &
	run=$!
}

# ends_with STATUS COMMAND...
ends_with() {
	ends_status=$1
	shift
	"$@"
	ends_seen=$?
	[ "$ends_seen" = "$ends_status" ] || {
		echo "ended with $ends_seen"
		tail -n 5 "$OUT" "$OUT.err"
		return 1
	}
}

# says TEXT: on stdout or on stderr
says() {
	grep -qF -e "$1" "$OUT" "$OUT.err" || {
		head -n 20 "$OUT" "$OUT.err"
		return 1
	}
}

# begins PATTERN: the first line of the report, which is the answer
begins() {
	head -n 1 "$OUT" | grep -q "$1" || {
		head -n 20 "$OUT" "$OUT.err"
		return 1
	}
}

tracing() {
	[ "$(value session status)" != none ] && reads enable enabled
}

# finds COMMAND KIND [N]: run or top, during N windows (1) of 425 ms, one after the other. A busy
# host may cause shorter windows.
finds() {
	start_on "$OUT" "$1" -t "$THRESHOLD" -d 60s --until "${3:-1}"
	await tracing || return 1
	inject_times "${3:-1}" "$2" 425000 "$CPU"
	ends_with 3 wait "$run"
}

# two_lines: and no line twice. A busy host may cause more windows.
two_lines() {
	between 2 "$(grep -c "interrupts off for 4" "$OUT")" 9 &&
		same "" "$(sort "$OUT" | uniq -d)"
}

settings() {
	! loaded trace_irqoff || cat $P/enable $P/sampling_period $P/cpus
	! loaded trace_irqoff || value threshold status
}

# leaves SETTINGS: these are restored, and no temporary file is left
leaves() {
	same "$1" "$(settings)" && same "" "$(ls -d /tmp/trace-irqoff.* 2>/dev/null)"
}

# run_leaves SETTINGS: a run with other settings that finds nothing
run_leaves() {
	ends_with 0 helper run -d 1s -t 10s -p 5ms && leaves "$1"
}

# killed SIGNAL: at any moment of a run with other settings
killed() {
	start_on "$OUT" run -d 60s -t 200ms -p 50ms
	sleep "0.$(random 10)$(random 10)"
	kill -s "$1" "$run"
	wait "$run"
}

# killed_often SETTINGS: by each signal that it handles
killed_often() {
	kills_left=$SIGNALS
	while [ "$kills_left" -gt 0 ]; do
		kills_left=$((kills_left - 1))
		for signal in INT TERM HUP QUIT; do
			next_shell
			killed "$signal"
			leaves "$1" || {
				echo "$signal, $shell"
				return 1
			}
		done
	done
}

# killed_for_good SETTINGS: by KILL, and the kernel restores the settings within two seconds: a
# program that the helper had started may have to end first, and CPUs are emulated
killed_for_good() {
	mkdir -p /tmp/killed
	kills_left=$KILLS
	while [ "$kills_left" -gt 0 ]; do
		kills_left=$((kills_left - 1))
		next_shell
		TMPDIR=/tmp/killed killed KILL
		killed_at=$(now)
		until leaves "$1" >/tmp/killed.leaves; do
			[ $(($(now) - killed_at)) -lt 200 ] || {
				cat /tmp/killed.leaves
				return 1
			}
		done
	done
}

# shows PATTERN: the screen, which is one long line
shows() {
	fold -w 80 "$SCREEN_SHOWS" | grep "$1" || {
		fold -w 80 "$SCREEN_SHOWS" | grep '[^ ]'
		return 1
	}
}

# draws_until_interrupted: nothing scrolls, so that the first line is still the first
draws_until_interrupted() {
	start_on "$SCREEN" top -t "$THRESHOLD" -d 60s
	await tracing || return 1
	inject spinlock 425000 "$CPU"
	draws_status=0
	{
		await shows "1  $CULPRIT.*, in task sh (PID " &&
			shows "^     interrupts off, 1 window, worst 4[0-9]* ms, 4[0-9]* ms in all, CPU $CPU *\$" &&
			fold -w 80 "$SCREEN_SHOWS" | head -n 1 | grep "^trace-irqoff on "
	} || draws_status=1
	kill -s INT "$run"
	ends_with 3 wait "$run" && return "$draws_status"
}

unload
expect "a run without the module loads it and finds a window" \
	finds run spinlock
expect "the first line names function and task" \
	begins "^Culprit: ${CULPRIT}\[irqoff_inject\], in task sh (PID [0-9]*): interrupts off, 1 window, worst 4[0-9]* ms"
expect "the module is not left behind" leaves ""

next_shell
expect "a softirq that runs long is found" finds run softirq
expect "and told from the task below it" \
	begins "^Culprit: inject_softirq\[irqoff_inject\], in a softirq handler, "
next_shell
if starves; then
	expect "a task that starves ksoftirqd is found" finds run ksoftirqd
	expect "and it is named" \
		begins "^Culprit: inject_ksoftirqd\[irqoff_inject\], in task sh (PID [0-9]*): softirqs delayed"
else
	skip "a task that starves ksoftirqd is found" \
		"softirqs do not starve on this kernel"
	skip "and it is named" "likewise"
fi

next_shell
if [ -e $SCREEN_SHOWS ]; then
	expect "on a screen of 80 columns top draws the culprit, until it is interrupted" \
		draws_until_interrupted
	expect "and leaves nothing" leaves ""
else
	skip "on a screen of 80 columns top draws the culprit" "this kernel has no screen"
	skip "and leaves nothing" "this kernel has no screen"
fi

expect "a run that finds nothing exits with 0" ends_with 0 helper run -d 1s -t 10s
expect "and says so" begins "^Nothing found: no window of 10000ms or more"

load sampling_period=20ms threshold=70ms
found=$(settings)
expect "a module that was loaded stays loaded, with its settings" run_leaves "$found"
expect "a run monitors the CPUs that it is given" ends_with 0 helper run -d 1s -t 10s -p 5ms -c 0
expect "as its report says" says "period 5ms, CPUs 0,"
put 1 enable
found=$(settings)
expect "and stays enabled" run_leaves "$found"
expect "CPUs that do not exist are refused by the module" ends_with 1 helper run -c 9999
expect "with a reason" says 'refused "enable=1 cpus=9999": '
expect "and nothing has changed" leaves "$found"

expect "a run that a signal ends restores the settings" killed_often "$found"
expect "after SIGKILL the kernel does" killed_for_good "$found"

expect "on changes the settings for good" helper on -t 90ms -p 20ms
found=$(settings)
expect "and the next run does not undo it" run_leaves "$found"
expect "on with CPUs that do not exist fails" ends_with 1 helper on -t 200ms -c 9999
expect "and changes nothing" leaves "$found"

# After clearing, sequence numbers go on. Disabled, so that tracing() can tell when the run begins.
next_shell
put 0 enable
put 0 trace_latency
expect "top without a screen ends after as many windows as requested" finds top spinlock 2
expect "and prints a line for each of them, once" two_lines
expect "which names the culprit" says ": ${CULPRIT}[irqoff_inject], in task sh (PID"
unload
load nr_records=1
next_shell
expect "a run with more windows than there is room for ends" finds run spinlock 2
expect "and says that some are missing" \
	says "Note: 1 older record was overwritten (room for 1; "

start_on "$OUT" run -d 60s
await tracing
OUT=$OUT.2
expect "a second run is refused" ends_with 1 helper run
expect "with the process that has the session" says "a run is going on: process $run"
kill -s TERM "$run"
wait "$run"

put 1 enable
expect "off disables" helper off
expect "which status shows" eval "helper status && reads enable disabled"
expect "off -u unloads" helper off -u
expect "and without a module nothing is reported" ends_with 1 helper report
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: oldest
# long: smp SIGNALS=25 KILLS=200
# The operator's helper: one command from "it stalls" to a name, and the host is then as it was. All
# that happens in one shell after the other: the one of this machine, and those that check brought along.
# SIGNALS: how often each signal ends it at a random moment (default 1); KILLS: how often SIGKILL does (3).
. "$(dirname "$0")/../lib.sh"
case $(uname -r) in
*-debug) skip_all "a shell takes its time there, and has nothing to do with the kernel" ;;
esac
start_test
stay_on_cpu0
plan 43

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

# next_shell: from here on. The VM has no library of theirs but what lies beside them.
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

# start ARGUMENT...: in the background, as $run
start() {
	start_on "$OUT" "$@"
}

# start_on OUTPUT ARGUMENT...
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

# Whatever the helper says, on stdout or on stderr.
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

# finds COMMAND KIND: run or top, while there is such a window, of 425 ms. Shorter ones may be
# the doing of a host that had no time for this VM.
finds() {
	start "$1" -t "$THRESHOLD" -d 60s --until 1
	await tracing || return 1
	inject "$2" 425000 "$CPU"
	ends_with 3 wait "$run"
}

# Two, and one after the other.
finds_two() {
	start "$1" -t "$THRESHOLD" -d 60s --until 2
	await tracing || return 1
	inject_times 2 "$2" 425000 "$CPU"
	ends_with 3 wait "$run"
}

# Of the host's doing there may be more.
two_lines() {
	between 2 "$(grep -c "interrupts off for 4" "$OUT")" 9 &&
		same "" "$(sort "$OUT" | uniq -d)"
}

settings() {
	! loaded trace_irqoff || cat $P/enable $P/sampling_period $P/cpus
	! loaded trace_irqoff || value threshold status
}

# leaves SETTINGS: all is as it was found, and nothing lies about
leaves() {
	same "$1" "$(settings)" && same "" "$(ls -d /tmp/trace-irqoff.* 2>/dev/null)"
}

# killed SIGNAL: at any moment of a run with other settings
killed() {
	start run -d 60s -t 200ms -p 50ms
	sleep "0.$(random 10)$(random 10)"
	kill -s "$1" "$run"
	wait "$run"
}

# killed_often SETTINGS: by each signal that it can do something about
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

# killed_for_good SETTINGS: by KILL, and the kernel restores the settings within two seconds: a program that
# the helper had started may have to end first, and CPUs are emulated
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
expect "its first line names function and task" \
	begins "^Culprit: ${CULPRIT}\[irqoff_inject\], in task sh (PID [0-9]*): interrupts off, 1 window, worst 4[0-9]* ms"
expect "the module is not left behind" leaves ""

next_shell
expect "a softirq that runs long is found" finds run softirq
expect "and told from the task below it" \
	begins "^Culprit: inject_softirq\[irqoff_inject\], in a softirq handler, "
next_shell
if starves; then
	expect "so is a task that starves ksoftirqd" finds run ksoftirqd
	expect "and it is named" \
		begins "^Culprit: inject_ksoftirqd\[irqoff_inject\], in task sh (PID [0-9]*): softirqs delayed"
else
	skip "a task that starves ksoftirqd is found" \
		"softirqs do not starve on this kernel"
	skip "and it is named" "likewise"
fi

expect "top ends with the window that it was to wait for" \
	finds top spinlock
expect "which is a line where there is no screen" \
	says "interrupts off for 4"
expect "that names it" says ": ${CULPRIT}[irqoff_inject], in task sh (PID"

next_shell
if [ -e $SCREEN_SHOWS ]; then
	expect "on a screen of 80 columns top draws who it was, until it is interrupted" \
		draws_until_interrupted
	expect "and has put all back" leaves ""
else
	skip "on a screen of 80 columns top draws who it was" "this kernel has no screen"
	skip "and has put all back" "likewise"
fi

expect "a run that finds nothing says so by its status" \
	ends_with 0 helper run -d 1s -t 10s
expect "and in words" begins "^Nothing found: no window of 10000ms or more"

load sampling_period=20ms threshold=70ms
found=$(settings)
expect "what was loaded stays so" ends_with 0 helper run -d 1s -t 10s -p 5ms -c 0
expect "a run monitors the CPUs that it was told" says "period 5ms, CPUs 0,"
expect "with its settings" leaves "$found"
put 1 enable
found=$(settings)
expect "and what was on stays on" ends_with 0 helper run -d 1s -t 10s -p 5ms
expect "likewise" leaves "$found"
expect "a threshold below twice the period is refused" ends_with 2 helper run -t 7ms -p 4ms
expect "with a reason" says "Try --period 3.5ms"
expect "and nothing has changed" leaves "$found"
expect "CPUs that cannot be are refused by the module" ends_with 1 helper run -c 9999
expect "with a reason" says 'refused "cpus=9999"'
expect "and nothing has changed" leaves "$found"

expect "stopped by any signal, it leaves all as it was" killed_often "$found"
expect "killed, the kernel does" killed_for_good "$found"

expect "on changes the settings for good" helper on -t 90ms -p 20ms
found=$(settings)
expect "and the next run does not undo it" ends_with 0 helper run -d 1s -t 10s
expect "but leaves it" leaves "$found"
expect "on with what cannot be fails" ends_with 2 helper on -t 200ms -p 9s
expect "and changes nothing" leaves "$found"

# Records are numbered on. Off, so that tracing() can tell when the run has turned it on.
next_shell
put 0 enable
put 0 trace_latency
expect "top waits for windows also when older ones have been cleared" \
	finds_two top spinlock
expect "and has a line for each of them, once" two_lines
unload
load nr_records=1
next_shell
expect "a run with more windows than there is room for ends" \
	finds_two run spinlock
expect "and says that some are missing" \
	says "Note: 1 older record was overwritten (room for 1; "

start run -d 60s
await tracing
OUT=$OUT.2
expect "a second run at a time is refused" ends_with 1 helper run
expect "with the process that is at it" says "a run is going on: process $run"
kill -s TERM "$run"
wait "$run"

put 1 enable
expect "off turns it off" helper off
expect "which status says" helper status && reads enable disabled
expect "what it does not know it says" ends_with 2 helper rnu
expect "off -u unloads" helper off -u
expect "and without a module nothing is reported" ends_with 1 helper report
finish

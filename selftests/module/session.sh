#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# long: smp KILLS=200
# The file session: a process changes the settings, and they are restored when it ends. The process
# is killed KILLS times at a random moment (default 10).
. "$(dirname "$0")/../module.sh"
start_test

KILLS=${KILLS:-10}
S=$P/session

# in_force: print all settings on one line
in_force() {
	for setting in enable sampling_period cpus nosched; do
		cat "$P/$setting"
	done | tr '\n' ' '
	value threshold status
}

# session TEXT...: in a session, write each TEXT by one system call, and print all settings
session() {
	(
		exec 8>"$S" || exit
		for text; do
			printf '%s' "$text" >&8 || exit
		done
		in_force
	)
}

# sets TEXT SETTINGS: a session with TEXT has SETTINGS, and its end restores the settings before
sets() {
	sets_before=$(in_force)
	sets_in=$(session "$1") || return
	same "$2" "$sets_in" && same "$sets_before" "$(in_force)"
}

# write_session TEXT: by one system call, and print the errno
write_session() {
	printf '%s' "$1" | dd bs=64k status=none >&8
}

# changes_nothing ERROR TEXT: TEXT is refused with ERROR, and no setting changes
changes_nothing() {
	(
		exec 8>"$S" || exit
		changes_before=$(in_force)
		fails_saying "$1" write_session "$2" && same "$changes_before" "$(in_force)"
	)
}

# hold SECONDS TEXT: start a process that opens the session and writes TEXT; its PID is $!
hold() {
	sh -c "exec 8>$S; printf '%s' '$2' >&8; exec sleep $1" &
	await grep -q "^session: $! " "$P/status"
}

put 0 enable
put 10ms sampling_period
put 50ms trace_latency
put 0-1 cpus
before=$(in_force)

expect "status says that no session is open" same none "$(value session status)"
expect "a session sets all settings at once" \
	sets "enable=1 sampling_period=4ms threshold=20ms cpus=1 nosched=0" \
	"enabled 4ms 1 disabled 20ms"
expect "a session sets only the threshold" sets "threshold=30ms" "disabled 10ms 0-1 enabled 30ms"
expect "a session accepts settings in any order" \
	sets "threshold=8ms sampling_period=4ms" "disabled 4ms 0-1 enabled 8ms"
expect "a longer period raises the threshold in a session" \
	sets sampling_period=40ms "disabled 40ms 0-1 enabled 80ms"
expect "a newline may follow the settings" sets "threshold=30ms
" "disabled 10ms 0-1 enabled 30ms"
for text in "enable=1 threshold=19ms" "threshold=60ms sampling_period=40ms" "enable=1 junk=1" \
	"enable=1 threshold" "enable=1  threshold=60ms" "enable=maybe" "threshold=0" "cpus=" "=1" \
	" "; do
	expect "'$text' is invalid" changes_nothing "Invalid argument" "$text"
done
for text in "enable=1 cpus=0-4095" "enable=1 sampling_period=2s"; do
	expect "'$text' is out of range" changes_nothing "out of range" "$text"
done

put 1 enable
expect "while enabled, a session can change period and CPUs" \
	sets "sampling_period=4ms cpus=1" "enabled 4ms 1 enabled 50ms"
# restarts: after each of 20 restarts, all CPUs are monitored
restarts() {
	exec 9>"$S" || return
	for restart in $(seq 20); do
		printf 'sampling_period=%sms' $((4 + restart % 2)) >&9
		sleep 0.05
		same "none 0-1" "$(value cpus_late status) $(value cpus_running status)" || return
	done
	exec 9>&-
}
expect "after each of 20 restarts, all CPUs are monitored" restarts
session "sampling_period=4ms" "enable=0" "enable=1" >/dev/null
expect "after a session, windows of CPU 1 are recorded" is_recorded hardirq 120000 1
put 0 enable

hold 100 "enable=1 threshold=30ms"
holder=$!
expect "status and session name the process that has the session open" \
	same "$holder (sh) $holder (sh)" "$(value session status) $(cat "$S")"
expect "another process cannot open the session" fails_saying busy sh -c ": 8>$S"
for write in "1 enable" "10ms sampling_period" "50ms trace_latency" "0 trace_latency" "0 cpus" \
	"0 nosched"; do
	expect "another process cannot write ${write% *} to ${write#* }" \
		fails_saying busy put_any "${write% *}" "${write#* }"
done
expect "while the session is open, the module cannot be unloaded" \
	sh -c "! rmmod trace_irqoff 2>/dev/null"
kill -KILL "$holder"
wait "$holder" 2>/dev/null
expect "when the process is killed, the settings are restored" same "$before" "$(in_force)"

unshare -p -f sh -c "exec 8>$S; exec sleep 100" &
holder=$!
await grep -q '^session: [1-9]' "$P/status"
pid_and_name=$(value session status)
kill -KILL "${pid_and_name%% *}"
wait "$holder" 2>/dev/null
expect "status names the PID of a holder in another PID namespace" \
	same none "$(value session status)"
hold 100 threshold=30ms
holder=$!
expect "read in another PID namespace, session names PID 0" \
	same "0 (sh)" "$(unshare -p -f cat "$S")"
kill -KILL "$holder"
wait "$holder" 2>/dev/null

holder=$(sh -c "exec 8>$S; sleep 100 >/dev/null & echo \$!")
expect "when the process has ended, and a child keeps the session open, status names PID 0" \
	await eval 'same "0 (sh)" "$(value session status)"'
kill -KILL "$holder"
await grep -q "^session: none" "$P/status"

# killed_often: kill the process at any moment from opening the session to after the last write
killed_often() {
	for _ in $(seq "$KILLS"); do
		sh -c "exec 8>$S; for t in 20ms 30ms 40ms; do
				printf '%s' \"enable=1 sampling_period=4ms threshold=\$t cpus=1\" >&8
			done; exec sleep 9" &
		killed_pid=$!
		usleep $(($(random 20) * 1000))
		kill -KILL "$killed_pid"
		wait "$killed_pid" 2>/dev/null
		same "$before" "$(in_force)" || return
	done
}
expect "killed $KILLS times at random moments, the settings are restored" killed_often
expect "at the end, status says that no session is open" same none "$(value session status)"
finish

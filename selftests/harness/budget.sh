# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# How many runs go on at the same time. Sourced by check.
#
# The budget is the number of CPUs of the host (make check-long: one more). All running VMs together
# use at most that number: otherwise a test that measures real time would measure how long one VM
# waits for another. A VM with more CPUs than the host (debug.real on two CPUs) runs while no other
# VM does. A VM that counts instructions is one thread, and uses one CPU. A run starts when its
# kernel is ready; a run that uses several CPUs, when no kernel is built any more.
#
# Runs with the cost "idle" are outside of the budget: tests of the helper, which need no VM. Check
# gives them a lower priority. At most one per CPU; one more when no VM is left to start.

: "${tmp:?}"	# check sets it

PROGRESS_S=60	# between two progress lines

# spend CPUS FILE: start the runs in FILE, and wait for them. A line is "COST NAME WORD...", and
# COST is a number of CPUs or "idle". For each line, a new process calls start_run NAME WORD... If
# the process ends without writing $tmp/NAME.tally, lost_run NAME is called.
spend() {
	spend_cpus=$1 spend_free=$1 spend_idle=0
	spend_running=
	spend_all=$(wc -l <"$2")
	spend_begun=$(date +%s)
	spend_said=$spend_begun
	cp "$2" "$tmp/todo"
	while :; do
		reap
		start_what_fits
		[ -n "$spend_running" ] || [ -s "$tmp/todo" ] || break
		say_progress
		sleep 0.2
	done
}

# say_progress: once a minute, print which runs go on, for how long, and how many runs are left
say_progress() {
	spend_now=$(date +%s)
	[ $((spend_now - spend_said)) -ge $PROGRESS_S ] || return 0
	spend_said=$spend_now
	spend_names=
	for spend_job in $spend_running; do
		spend_name=${spend_job##*:}
		spend_took=$((spend_now - $(cat "$tmp/$spend_name.begun")))
		spend_names="$spend_names, $spend_name ($spend_took s)"
	done
	spend_left=$(wc -l <"$tmp/todo")
	spend_done=$((spend_all - spend_left - $(echo "$spend_running" | wc -w)))
	echo "... $((spend_now - spend_begun)) s: $spend_done of $spend_all runs done," \
		"$spend_left not started; running: ${spend_names#, }"
}

# reap: remove runs that have ended from the list. By polling: "wait" for one process does not
# return when another process is killed.
reap() {
	spend_still=
	for spend_job in $spend_running; do
		spend_pid=${spend_job%%:*}
		spend_name=${spend_job##*:}
		spend_cost=${spend_job#*:}
		spend_cost=${spend_cost%%:*}
		if is_alive "$spend_pid"; then
			spend_still="$spend_still $spend_job"
			continue
		fi
		wait "$spend_pid"
		if [ "$spend_cost" = idle ]; then
			spend_idle=$((spend_idle - 1))
		else
			spend_free=$((spend_free + spend_cost))
		fi
		[ -e "$tmp/$spend_name.tally" ] || lost_run "$spend_name"
	done
	spend_running=$spend_still
}

# is_alive PID: a child that has ended is a zombie until the shell waits for it
is_alive() {
	read -r spend_stat 2>/dev/null <"/proc/$1/stat" || return 1
	case ${spend_stat##*) } in
	Z*) return 1 ;;
	esac
}

# start_what_fits: start each run of $tmp/todo that is ready and fits into the budget, from the top
start_what_fits() {
	[ -s "$tmp/todo" ] || return 0
	spend_idle_max=$spend_cpus
	grep -q '^[0-9]' "$tmp/todo" || spend_idle_max=$((spend_cpus + 1))
	: >"$tmp/left"
	while read -r spend_cost spend_name spend_words; do
		if ! fits "$spend_cost" || ! is_ready "${spend_words%% *}"; then
			echo "$spend_cost $spend_name $spend_words" >>"$tmp/left"
			continue
		fi
		date +%s >"$tmp/$spend_name.begun"
		if [ "$spend_cost" = idle ]; then
			spend_idle=$((spend_idle + 1))
		else
			[ "$spend_cost" -le "$spend_cpus" ] || spend_cost=$spend_cpus
			spend_free=$((spend_free - spend_cost))
		fi
		# shellcheck disable=SC2086 # words
		(start_run "$spend_name" $spend_words) &
		spend_running="$spend_running $!:$spend_cost:$spend_name"
	done <"$tmp/todo"
	mv "$tmp/left" "$tmp/todo"
}

# fits COST
fits() {
	case $1 in
	idle) [ "$spend_idle" -lt "$spend_idle_max" ] ;;
	1) [ "$spend_free" -gt 0 ] ;;
	*)
		all_ready &&
			{ [ "$1" -le "$spend_free" ] || [ "$spend_free" = "$spend_cpus" ]; } ;;
	esac
}

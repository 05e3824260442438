# SPDX-License-Identifier: GPL-2.0
#
# How many runs go on at the same time, and how much time each took. Sourced by check.
#
# The budget is the number of CPUs of the host (make check-long: one more). All running VMs together
# use at most that number: otherwise a test that measures real time would measure how long one VM
# waits for another. A VM with more CPUs than the host (debug.real on two CPUs) runs while no other
# VM does. A VM that counts instructions is one thread, and uses one CPU. A run starts when its
# kernel is ready; a run that uses several CPUs, when no kernel is built any more.
#
# Runs with the cost "idle" are outside of the budget: tests of the helper, which need no VM. Check
# gives them a lower priority. At most one per CPU.

: "${tmp:?}"	# check sets it

PROGRESS_S=60	# between two progress lines

# spend CPUS FILE: start the runs in FILE, and wait for them. A line is "COST NAME WORD...", and
# COST is a number of CPUs or "idle". For each line, a new process calls start_run NAME WORD..., which
# writes $tmp/NAME.tally at its end.
spend() {
	spend_cpus=$1 spend_free=$1 spend_free_idle=$1
	spend_running=
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

# say_progress: once a minute, print which runs go on, and how many are left
say_progress() {
	spend_now=$(date +%s)
	[ $((spend_now - spend_said)) -ge $PROGRESS_S ] || return 0
	spend_said=$spend_now
	echo "... $((spend_now - spend_begun)) s: $(wc -l <"$tmp/todo") runs not started;" \
		"running:$(echo "$spend_running" | sed 's/ [^:]*:/ /g')"
}

# reap: remove runs that have ended from the list, whose elements are COST:NAME
reap() {
	spend_still=
	for spend_job in $spend_running; do
		if [ -e "$tmp/${spend_job#*:}.tally" ]; then
			use "${spend_job%%:*}" -1
		else
			spend_still="$spend_still $spend_job"
		fi
	done
	spend_running=$spend_still
}

# use COST SIGN: take the cost from the budget (1), or give it back (-1)
use() {
	if [ "$1" = idle ]; then
		spend_free_idle=$((spend_free_idle - $2))
	else
		spend_free=$((spend_free - $1 * $2))
	fi
}

# start_what_fits: start each run of $tmp/todo that is ready and fits into the budget, from the top
start_what_fits() {
	[ -s "$tmp/todo" ] || return 0
	: >"$tmp/left"
	while read -r spend_cost spend_name spend_words; do
		if ! fits "$spend_cost" || ! is_ready "${spend_words%% *}"; then
			echo "$spend_cost $spend_name $spend_words" >>"$tmp/left"
			continue
		fi
		use "$spend_cost" 1
		# shellcheck disable=SC2086 # words
		{
			(start_run "$spend_name" $spend_words)
			[ -e "$tmp/$spend_name.tally" ] ||
				echo "its worker died" | judge_lines "$spend_name"
		} &
		spend_running="$spend_running $spend_cost:$spend_name"
	done <"$tmp/todo"
	mv "$tmp/left" "$tmp/todo"
}

fits() {
	case $1 in
	idle) [ "$spend_free_idle" -gt 0 ] ;;
	1) [ "$spend_free" -gt 0 ] ;;
	*)
		all_ready &&
			{ [ "$1" -le "$spend_free" ] || [ "$spend_free" = "$spend_cpus" ]; } ;;
	esac
}

# core_seconds FILE...: the CPU time of all children, from files with the output of "times"
core_seconds() {
	cat "$@" 2>/dev/null | sed 's/[ms]/ /g' |
		awk 'NR % 2 == 0 { sum += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f", sum }'
}

# in_host_time: copy the log of a VM. The seconds of a test become those of the host: a VM that
# counts instructions is faster than the host while it sleeps, and slower while a CPU spins.
in_host_time() {
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		"# selftests: "*) test_begun=$(date +%s) ;;
		"# seconds: "*) line="# seconds: $(($(date +%s) - test_begun)) (VM: ${line#*: })" ;;
		esac
		printf '%s\n' "$line"
	done
}

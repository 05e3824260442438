# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# How much goes on at a time. Sourced by check.
#
# The runs together never have more virtual CPUs than the host has real ones: what a test
# measures in real time is then not the wait for another VM. One that has more than the host
# (debug.real on two) counts as all of them, and runs alone: it waits for itself at most, and not
# running it would test less. A VM that counts instructions is one thread, and wants one.
#
# Builds and the tests of the helper, which need no VM, are in no budget: as many at a time as there
# are CPUs give way to all others, and get what a VM leaves while it sleeps; many of them sleep, too.
# When no other is left to be started, one more of them runs.

: "${tmp:?}"	# check sets it

# spend CPUS FILE: works off the lines of FILE: CPUS NAME WORD... (or "idle" for CPUS). For
# each start_run NAME WORD... runs in a process of its own; when that has not left
# $tmp/NAME.tally at its end, lost_run NAME is called.
spend() {
	spend_cpus=$1 spend_free=$1 spend_idle=0
	spend_running=
	cp "$2" "$tmp/todo"
	while :; do
		reap
		start_what_fits
		[ -n "$spend_running" ] || break
		sleep 0.2
	done
}

# Which of what was started has ended: a shell that polls can see that one was killed.
reap() {
	spend_still=
	for spend_job in $spend_running; do
		spend_pid=${spend_job%%:*}
		spend_name=${spend_job##*:}
		spend_cost=${spend_job#*:}
		spend_cost=${spend_cost%%:*}
		if running "$spend_pid"; then
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

# running PID: a child that has ended stays until it is waited for, as a zombie
running() {
	read -r spend_stat 2>/dev/null <"/proc/$1/stat" || return 1
	case ${spend_stat##*) } in
	Z*) return 1 ;;
	esac
}

# Takes from $tmp/todo all that there is room for, from the top.
start_what_fits() {
	[ -s "$tmp/todo" ] || return 0
	spend_idle_max=$spend_cpus
	grep -q '^[0-9]' "$tmp/todo" || spend_idle_max=$((spend_cpus + 1))
	: >"$tmp/left"
	while read -r spend_cost spend_name spend_words; do
		if ! fits "$spend_cost"; then
			echo "$spend_cost $spend_name $spend_words" >>"$tmp/left"
			continue
		fi
		# shellcheck disable=SC2086 # words
		if [ "$spend_cost" = idle ]; then
			spend_idle=$((spend_idle + 1))
			(give_way; start_run "$spend_name" $spend_words) &
		else
			[ "$spend_cost" -le "$spend_cpus" ] || spend_cost=$spend_cpus
			spend_free=$((spend_free - spend_cost))
			(start_run "$spend_name" $spend_words) &
		fi
		spend_running="$spend_running $!:$spend_cost:$spend_name"
	done <"$tmp/todo"
	mv "$tmp/left" "$tmp/todo"
}

fits() {
	if [ "$1" = idle ]; then
		[ "$spend_idle" -lt "$spend_idle_max" ]
	else
		[ "$1" -le "$spend_free" ] || [ "$spend_free" = "$spend_cpus" ]
	fi
}

# The subshell that calls this, and all that it starts.
give_way() {
	# shellcheck disable=SC2016 # for the other shell
	renice -n 19 -p "$(exec sh -c 'echo $PPID')" >/dev/null
}

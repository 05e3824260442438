# SPDX-License-Identifier: GPL-2.0
#
# CPUs that take no interrupts, as far as /proc tells: to load a module the kernel waits for
# all CPUs, so one with interrupts off keeps us from looking into it with the module. What is
# known of them is in $tmp/stuck.state, and what there is to report in $tmp/stuck.

# take_reading [tasks]: for stuck.awk. Threads too, of which there may be many thousands: only
# where it matters.
take_reading() {
	read_line /proc/uptime
	echo "uptime $line"
	cat /proc/stat /proc/interrupts
	[ -z "${1:-}" ] || printf '%s\n' /proc/[0-9]*/task/[0-9]*/stat |
		xargs cat 2>/dev/null || :
}

# look_for_stuck [tasks]: one more reading. Succeeds when no CPU stood still since the one before.
look_for_stuck() {
	program_file stuck
	# awk counts no file that is empty.
	[ -e "$tmp/stuck.state" ] || echo >"$tmp/stuck.state"
	take_reading "$@" >"$tmp/stuck.reading"
	look_status=0
	awk -v stuck="$tmp/stuck" -f "$program" "$tmp/stuck.state" "$tmp/stuck.reading" \
		>"$tmp/stuck.new" || look_status=$?
	mv "$tmp/stuck.new" "$tmp/stuck.state"
	[ $look_status != $FOUND_WINDOWS ]
}

# some_stand_still: since the reading before, be it for less than a second
some_stand_still() {
	awk '
		/^uptime=/ { uptime = substr($0, 8) }
		/^cpu=/ && substr($2, 7) + 0 < uptime { found = 1 }
		END { exit !found }' "$tmp/stuck.state"
}

# stuck_so_far: in words, a line for each
stuck_so_far() {
	report "$tmp" stuck || :
}

# Before the module is loaded: once the kernel waits for a CPU, there may be none left to run
# us. A fifth of a second, and one more if there is reason to.
look_before_loading() {
	look_for_stuck || :
	sleep 0.2 2>/dev/null || sleep 1
	look_for_stuck || :
	some_stand_still || return 0
	look_for_stuck tasks || :
	sleep 1
	look_for_stuck tasks || stuck_so_far | while read -r stuck_line; do
		say "$stuck_line"
	done
}

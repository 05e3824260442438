# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff top: the same, on a screen that is redrawn each second, or as lines.

# screen_size: "LINES COLUMNS" of the terminal; a serial line knows nothing, or 0
screen_size() {
	screen_is=$(stty size <&1 2>/dev/null) || screen_is=
	case $screen_is in
	'' | "0 "* | *" 0") echo 24 80 ;;
	*) echo "$screen_is" ;;
	esac
}

# draw_screen SECONDS-LEFT
draw_screen() {
	read_host
	read_status || :
	read_period
	{
		echo "trace-irqoff on $host_name${1:+, $1 s left}:" \
			"threshold $status_threshold, period $period"
		echo
		report "$P" live base_seq="$base_seq" || :
	} >"$tmp/screen"
	screen=$(screen_size)
	printf '\033[H\033[J'
	# The cursor needs the last line.
	head -n $((${screen% *} - 1)) "$tmp/screen" | cut -c "1-${screen#* }"
}

# new_lines DIRECTORY: one for each window since the last call
new_lines() {
	report "$1" lines base_seq="$live_seq" last_to="$tmp/last" || :
	live_seq=$(cat "$tmp/last")
}

# What top shows: a screen, or lines.
live() {
	if [ -t 1 ]; then
		draw_screen "$1"
	elif [ "$heartbeat_windows" != "$live_windows" ]; then
		live_windows=$heartbeat_windows
		new_lines "$P"
	fi
}

# What was found before tracing began. The screen has it each time.
first_lines() {
	[ -t 1 ] || report "$tmp" before held_up="$held_up_s" || :
}

# What there is to print of a run that has ended, and its status.
last_lines() {
	[ -t 1 ] || new_lines "$tmp"
	last_status=0
	report "$tmp" open base_seq="$live_seq" held_up="$held_up_s" || last_status=$?
	[ "$happened" = 0 ] || return $FOUND_WINDOWS
	return $last_status
}

command_top() {
	begin
	first_lines
	live_windows=0 live_seq=$base_seq
	wait_for_windows "$opt_seconds" "$opt_until" live
	finish
	print_run last_lines
}

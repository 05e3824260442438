# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff top: the report on a screen, drawn again when a window has begun or ended; without a
# screen, a line for each window.

draw_screen() {
	read_host
	read_status || :
	{
		echo "trace-irqoff on $host_name: threshold $status_threshold," \
			"period $status_sampling_period"
		echo
		report "$P" live base_seq="$base_seq" || :
	} >"$tmp/screen"
	{ screen=$(screen_size); } 3>&1
	printf '\033[H\033[J'
	# The last line shows the seconds that are left.
	head -n $((${screen% *} - 2)) "$tmp/screen" | cut -c "1-${screen#* }"
}

# new_lines DIRECTORY: print a line for each window since the last call
new_lines() {
	report "$1" lines base_seq="$live_seq" last_to="$tmp/last" || :
	! read_line "$tmp/last" || live_seq=$line
}

# live SECONDS-LEFT: draw if there is something new. An open window is new each second.
live() {
	live_open=
	! read_line "$P/active" || live_open=1
	if [ -t 1 ]; then
		if [ "$heartbeat_windows,$live_was_open$live_open" != "$live_windows," ]; then
			draw_screen
		fi
		[ -z "$1" ] || printf '\r%s s left \033[K' "$1"
	elif [ "$heartbeat_windows" != "$live_windows" ]; then
		new_lines "$P"
	fi
	live_windows=$heartbeat_windows live_was_open=$live_open
}

# last_lines: print what is new since the last call of live(), and the windows that are still open
last_lines() {
	[ -t 1 ] || new_lines "$run_dir"
	last_status=0
	report "$run_dir" open base_seq="$live_seq" || last_status=$?
	[ "$happened" = 0 ] || return $FOUND_WINDOWS
	return $last_status
}

command_top() {
	begin
	live_windows=none live_was_open='' live_seq=$base_seq
	wait_for_windows "$(whole_seconds "$opt_duration")" "$opt_windows" live
	finish
	print_run last_lines
}

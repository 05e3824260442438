# SPDX-License-Identifier: GPL-2.0
#
# Waiting for windows, and what is shown meanwhile.

# How many windows since begin(): that costs less than to read them all. What runs in $(...)
# gets a Ctrl-C too, and fails.
windows_so_far() {
	windows_now=$(all_windows) && echo $((windows_now - base_windows))
}

# In the background, so that a signal need not wait.
wait_a_second() {
	sleep 1 &
	wait $! || :
}

# heartbeat SECONDS-LEFT: one line, in the same place where it can
heartbeat() {
	heartbeat_text="$heartbeat_windows windows so far"
	[ "$heartbeat_windows" -ne 1 ] || heartbeat_text="1 window so far"
	[ -z "$heartbeat_worst" ] || heartbeat_text="$heartbeat_text, worst $heartbeat_worst"
	[ -z "$1" ] || heartbeat_text="$1 s left, $heartbeat_text"
	heartbeat_open=$(sed -n 's/^ cpu: //p' "$P/active" | tr '\n' ' ')
	[ -z "$heartbeat_open" ] || heartbeat_text="$heartbeat_text; open now on CPU $heartbeat_open"
	if [ -t 2 ]; then
		printf '\r%-78s' "$heartbeat_text" >&2
	elif [ "$((heartbeat_beats % 10))" = 0 ]; then
		say "$heartbeat_text"
	fi
	heartbeat_beats=$((heartbeat_beats + 1))
}

# wait_for_windows SECONDS WINDOWS SHOW: until one of the two is reached (empty: never), a
# signal comes, or the module goes. SHOW, a command, is called once a second with the seconds
# that are left.
wait_for_windows() {
	heartbeat_windows=0 heartbeat_worst='' heartbeat_beats=0
	while [ -z "$stopped" ] && still_there; do
		wait_windows=$(windows_so_far) || {
			wait_a_second
			continue
		}
		if [ "$wait_windows" != "$heartbeat_windows" ]; then
			heartbeat_windows=$wait_windows
			# Somebody may unload the module at any time.
			snapshot || :
			heartbeat_worst=$(report "$P" worst base_seq="$base_seq") || :
		fi
		wait_left=
		[ -z "$1" ] || wait_left=$((begun_s + $1 - $(uptime_s))) || continue
		"$3" "$wait_left" || :
		[ -z "$2" ] || [ "$heartbeat_windows" -lt "$2" ] || break
		[ -z "$wait_left" ] || [ "$wait_left" -gt 0 ] || break
		wait_a_second
	done
	[ ! -t 2 ] || [ "$3" != heartbeat ] || echo >&2 2>/dev/null || :
}

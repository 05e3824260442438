# SPDX-License-Identifier: GPL-2.0
#
# Waiting for windows, and what is shown meanwhile.

# Set while wait_seconds() waits, for clean_up().
sleeping=''

# wait_seconds N: in the background, so that a signal ends the wait. If this program is killed, the sleep
# outlives it: it must not keep the output, the file of -o, the records or the session open.
wait_seconds() {
	sleep "$1" >/dev/null 2>&1 5>&- 7<&- 8>&- &
	sleeping=$!
	wait $sleeping || kill $sleeping 2>/dev/null || :
	sleeping=
}

# heartbeat SECONDS-LEFT: the progress line: each second on a terminal, else every 10 seconds
heartbeat() {
	heartbeat_beats=$((heartbeat_beats + 1))
	[ -t 2 ] || [ $((heartbeat_beats % 10)) = 1 ] || return 0
	heartbeat_text="$heartbeat_windows windows so far"
	[ "$heartbeat_windows" -ne 1 ] || heartbeat_text="1 window so far"
	[ -z "$1" ] || heartbeat_text="$1 s left, $heartbeat_text"
	! read_line "$P/active" || heartbeat_text="$heartbeat_text; open now on CPU $(
		sed -n 's/.* cpu=\([0-9]*\) .*/\1/p' "$P/active" | sort -nu | tr '\n' ' ')"
	if [ -t 2 ]; then
		# A serial console has no size, or 0.
		[ -n "$heartbeat_columns" ] || heartbeat_columns=$(stty size <&2 2>/dev/null) || :
		heartbeat_columns=${heartbeat_columns#* }
		[ "${heartbeat_columns:-0}" != 0 ] || heartbeat_columns=80
		printf "\r%-$((heartbeat_columns - 2)).$((heartbeat_columns - 2))s" "$heartbeat_text" >&2
	else
		say "$heartbeat_text"
	fi
}

# wait_for_windows SECONDS WINDOWS SHOW: until this time has passed or there are as many windows
# (empty: never), or a signal comes. Calls SHOW once a second with the seconds that are left.
wait_for_windows() {
	heartbeat_windows=0 heartbeat_beats=0 heartbeat_columns='' wait_left=''
	while [ -z "$stopped" ]; do
		# The records would be slow to read each second.
		! all_windows || heartbeat_windows=$((windows - base_windows))
		[ -z "$1" ] || {
			read_uptime
			wait_left=$((begun_s + $1 - uptime_s))
		}
		"$3" "$wait_left" || :
		[ -z "$2" ] || [ "$heartbeat_windows" -lt "$2" ] || break
		[ -z "$wait_left" ] || [ "$wait_left" -gt 0 ] || break
		wait_seconds 1
	done
	[ ! -t 2 ] || [ "$3" != heartbeat ] || echo >&2 2>/dev/null || :
}

# SPDX-License-Identifier: GPL-2.0
#
# The report of ping and correlate: replies beside windows. Where replies are missing, the
# windows by themselves too: when all stands still there is none, and it is then that they count.

# say_no_reply: what is wrong with a log that has none
say_no_reply() {
	if [ -s "$pings_from/ping.err" ]; then
		tr -cd '[:print:]\n' <"$pings_from/ping.err" | head -n 5 >&2
	fi
	say "there is no reply with a time: none came, or it has to be of ping -D" \
		"(busybox's knows no -D: install iputils-ping)"
}

# report_pings DIRECTORY REPORT: of the log in there; REPORT is called with a mode. Fails with 3 when there
# are windows.
report_pings() {
	pings_from=$1
	shift
	program_file replies
	pings_replies=$(awk -f "$program" "$pings_from/pinglog")
	pings_lost=${pings_replies#* }
	pings_replies=${pings_replies% *}
	pings_status=0
	if [ "$pings_replies" -gt 0 ]; then
		"$1" ping slow_ns="$opt_slow" || pings_status=$?
		[ "$pings_lost" -gt 0 ] || return "$pings_status"
		printf '\nAs replies are missing, all windows:\n\n'
	else
		say_no_reply
		pings_status=$ERROR
	fi
	windows_status=0
	"$1" text top=5 || windows_status=$?
	[ "$windows_status" = 0 ] || pings_status=$windows_status
	return "$pings_status"
}

# SPDX-License-Identifier: GPL-2.0
#
# The report of ping and correlate: replies beside windows. Where replies are missing, the
# windows by themselves too: when all stands still there is none, and it is then that they count.

# say_no_reply: what is wrong with a log that has none
say_no_reply() {
	if [ -s "$tmp/ping.err" ]; then
		tr -cd '[:print:]\n' <"$tmp/ping.err" | head -n 5 >&2
	fi
	say "there is no reply with a time: none came, or it has to be of ping -D" \
		"(busybox's knows no -D: install iputils-ping)"
}

# report_pings REPORT: of $tmp; REPORT is called with a mode. It ends with 3 when windows explain
# replies, or when there are windows and replies are missing.
report_pings() {
	program_file replies
	pings_replies=$(awk -f "$program" "$tmp/pinglog")
	pings_lost=${pings_replies#* }
	pings_replies=${pings_replies% *}
	pings_status=0
	if [ "$pings_replies" -gt 0 ]; then
		"$1" ping slow="$opt_slow" || pings_status=$?
		[ "$pings_lost" -gt 0 ] || return "$pings_status"
		printf '\nAs replies are missing, all windows:\n\n'
	else
		say_no_reply
		pings_status=$ERROR
	fi
	windows_status=0
	"$1" text newest=5 || windows_status=$?
	[ "$windows_status" = 0 ] || pings_status=$windows_status
	return "$pings_status"
}

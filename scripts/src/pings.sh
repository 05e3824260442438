# SPDX-License-Identifier: GPL-2.0
#
# The report of ping and correlate.

# report_pings DIRECTORY REPORT: of the log in there; calls REPORT with a mode. If replies are
# missing, it also shows all windows: a host that stands still sends no reply. Fails with 3 when
# there are windows.
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
		[ ! -s "$pings_from/ping.err" ] ||
			tr -cd '[:print:]\n' <"$pings_from/ping.err" | head -n 5 >&2
		say "no reply has a time: none came, or ping ran without -D" \
			"(busybox's ping has no -D: install iputils-ping)"
		pings_status=$ERROR
	fi
	windows_status=0
	"$1" text top="$opt_top" || windows_status=$?
	[ "$windows_status" = 0 ] || pings_status=$windows_status
	return "$pings_status"
}

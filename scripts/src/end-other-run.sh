# SPDX-License-Identifier: GPL-2.0
#
# off --end-run: a run of somebody else that is going on ends at once, keeps what it saw and
# reports it, and we wait for that.

END_RUN_LIMIT=60	# seconds: restoring takes none but where the module is unloaded

end_other_run() {
	end_left=$END_RUN_LIMIT
	end_asked=
	while others_in_lock && [ -n "$others" ] && [ $end_left -gt 0 ]; do
		for other in $others; do
			case " $end_asked " in
			*" $other "*) continue ;;
			esac
			end_asked="$end_asked $other"
			say "a run is going on, process ${other%%.*}: it is told to end"
			echo "\"trace-irqoff off --end-run\" ends it, process $$" >"$END" || :
			kill -s TERM "${other%%.*}" 2>/dev/null || :
		done
		end_left=$((end_left - 1))
		sleep 1
	done
	rm -f "$END"
}

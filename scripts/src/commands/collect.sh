# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff collect: all that an incident ticket needs, in one archive.

command_collect() {
	need_loaded
	[ -z "$opt_redact" ] || opt_arguments=
	make_tmp
	umask 077
	collect_name=trace-irqoff-$(date -u +%Y%m%dT%H%M%SZ)
	collection=$tmp/$collect_name
	collect_out=${opt_out:-$collect_name.tar.gz}
	mkdir "$collection"
	: >"$collection/missing"
	new_file "$collect_out"

	keep_counters begin
	say "collecting for $opt_seconds s"
	sleep "$opt_seconds"
	keep_counters end
	for file in $COUNTERS; do
		file=${file##*/}
		[ ! -e "$collection/$file.begin" ] || [ ! -e "$collection/$file.end" ] ||
			difference "$file" >"$collection/$file.difference"
	done

	for file in $FILES; do
		# Most of the time nothing is open, and there may be no records.
		cat "$P/$file" >"$collection/$file" ||
			echo "$file: cannot be read" >>"$collection/missing"
	done
	keep host uname -n
	keep release uname -r
	keep host_cpus host_cpus
	cgroups "$collection" >"$collection/cgroups"
	for mode in text json; do
		name=report
		[ $mode = text ] || name=report.json
		# In a shell of its own, which may die.
		(report "$collection" $mode newest=20) >"$tmp/report" || [ $? = $FOUND_WINDOWS ] ||
			echo "$name: could not be made" >>"$collection/missing"
		mv "$tmp/report" "$collection/$name"
	done
	[ -n "$opt_redact" ] || keep cmdline cat /proc/cmdline
	keep version cat /proc/version
	keep cpuinfo cat /proc/cpuinfo
	keep modules modules
	keep clocksource cat /sys/devices/system/clocksource/clocksource0/current_clocksource
	keep sched_features sched_features
	keep dmesg kernel_log
	keep processes processes
	keep uptime cat /proc/uptime
	keep helper command_version
	[ -z "$opt_redact" ] || redact

	tar -C "$tmp" -czf "$unfinished" "$collect_name" ||
		die "tar failed; what was collected is lost"
	finish_file "$collect_out" 600
	if [ -s "$collection/missing" ]; then
		say "this host does not have, or does not show:"
		cat "$collection/missing" >&2
	fi
	printf '%s\n' "$collect_out"
}

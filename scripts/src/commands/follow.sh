# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff follow: print each window when it ends: text on a terminal, else JSON. It opens no session
# and changes no setting, so a run can go on at the same time. Without the module, it waits.

EXEC_EVERY_S=60	# --exec runs its command at most once in this time

# follow_last: the last record that was read or skipped; "unknown"; empty before records are opened
follow_is_open='' follow_last='' follow_waits='' open_for_s=0 exec_after_s=0 exec_pid=''

# open_records: open the module's records as descriptor 7. Reads of this descriptor return each
# record once, and fail when the module has been unloaded. At the start, skip what is there.
open_records() {
	{ command exec 7<"$P/records"; } 2>/dev/null || {
		! loaded || need_loaded
		return 1
	}
	follow_is_open=1
	[ -z "$follow_last" ] || return 0
	follow_last=$(cat <&7 2>/dev/null | sed -n '$s/^seq=\([0-9]*\) .*/\1/p')
	follow_last=${follow_last:-unknown}
}

# close_records: a module that is loaded again numbers its records from 1
close_records() {
	exec 7<&-
	follow_is_open='' follow_last=0
}

# has_files: systemd removes files from /tmp that were not written for days
has_files() {
	[ -d "$tmp/open" ] || mkdir "$tmp/open" || return
	[ -e "$tmp/report.awk" ] || { print_report >"$tmp/awk" && mv "$tmp/awk" "$tmp/report.awk"; }
}

# print_open: windows that have not ended, for people: when they are noticed, and then every 10 seconds
print_open() {
	if ! read_line "$P/active"; then
		open_for_s=0
	elif { has_files && cat "$P/active" >"$tmp/open/active"; } 2>/dev/null; then
		[ $((open_for_s % 10)) != 0 ] || report "$tmp/open" open || [ $? = $FOUND_WINDOWS ]
		open_for_s=$((open_for_s + 1))
	fi
}

# count_missing FILE: report gaps: records that were overwritten or cleared before they were read
count_missing() {
	follow_gap=$(awk -F '[ =]' -v last="$follow_last" '
		last != "unknown" && $2 > last + 1 { gap += $2 - last - 1 }
		last == "unknown" || $2 > last { last = $2 }
		END { print gap + 0, last }' "$1")
	follow_last=${follow_gap#* }
	follow_gap=${follow_gap% *}
	[ "$follow_gap" = 0 ] ||
		say "windows before window $follow_last that were not printed: $follow_gap. Their records" \
			"were overwritten or cleared first. For more room, load the module with --nr-records"
}

# cgroups_of_tasks FILE: print "ID PATH" for tasks that still run: find is slow if there are many cgroups
cgroups_of_tasks() {
	awk 'match($0, / tgid=[0-9]+ cgroup=[0-9]+ /) { print substr($0, RSTART + 6, RLENGTH - 7) }' "$1" |
		sort -u | head -n 64 | while IFS=' =' read -r tgid _ id; do
			path=$(sed -n 's/^0:://p' "$ROOT/proc/$tgid/cgroup" 2>/dev/null) || continue
			[ -z "$path" ] || [ "$(stat -c %i "$ROOT$cgroups_root$path" 2>/dev/null)" != "$id" ] ||
				printf '%s %s\n' "$id" "$path"
		done | sort -u
}

# start_exec FILE: give it to the command of --exec, once a minute, and not while the last one runs
start_exec() {
	# Another process may have this PID by now: the last command is a child of this program.
	[ -z "$exec_pid" ] || ! grep -qs "^PPid:.$$\$" "/proc/$exec_pid/status" || return 0
	read_uptime
	[ "$uptime_s" -ge "$exec_after_s" ] || return 0
	exec_after_s=$((uptime_s + EXEC_EVERY_S))
	# The command may run for minutes: its input must stay as it is. It must not keep the records open.
	exec 6<"$1"
	rm "$1"
	sh -c "$opt_exec" <&6 >&2 6<&- 7<&- &
	exec_pid=$!
	exec 6<&-
}

# report_new MODE: without the records that were printed before, which a new descriptor returns, too
report_new() {
	report "$tmp/follow" "$1" base_seq="${follow_last#unknown}" || [ $? = $FOUND_WINDOWS ]
}

# take_new: copy the new records, and write what is printed of them to files
take_new() {
	cat <&7 >"$tmp/follow/records" || return
	[ -s "$tmp/follow/records" ] || return 0
	has_files || return
	name_host "$tmp/follow"
	cat "$P/status" >"$tmp/follow/status" 2>/dev/null || :
	cgroups_of_tasks "$tmp/follow/records" >"$tmp/follow/cgroups"
	report_new "$follow_mode" >"$tmp/new" || return
	[ -z "$opt_exec" ] || report_new jsonl >"$tmp/input" || return
	has_room
}

# print_new: print all windows that have come since the last call, or leave them to the next call
print_new() {
	if ! follow_why=$(take_new 2>&1); then
		# Only a new descriptor returns these records again. Without the module, there is none.
		{ command exec 7</proc/self/fd/7; } 2>/dev/null || {
			close_records
			return
		}
		[ -d "$tmp/follow" ] || die "the new windows could not be printed: $tmp was removed"
		has_room || follow_why="no room in ${tmp%/*}"
		[ -n "$follow_waits" ] || say "the new windows are not printed yet: ${follow_why##*trace-irqoff: }." \
			"The next try is in a second"
		follow_waits=1
		return
	fi
	follow_waits=
	[ -z "$follow_why" ] || printf '%s\n' "$follow_why" >&2
	if [ -s "$tmp/follow/records" ]; then
		count_missing "$tmp/follow/records"
		cat "$tmp/new" || output_failed "the new windows could not be printed"
		[ -z "$opt_exec" ] || start_exec "$tmp/input"
	fi
	loaded || close_records
}

command_follow() {
	need_root
	make_tmp
	mkdir "$tmp/follow"
	follow_mode=$opt_format
	[ "$follow_mode" != text ] || follow_mode=lines
	find_cgroups
	if loaded; then
		need_loaded
		[ "$follow_mode" != lines ] || hint_off
	else
		follow_last=0
		say "the module is not loaded. Windows are printed once it is loaded and traces"
	fi
	while :; do
		[ -n "$follow_is_open" ] || open_records || :
		[ -z "$follow_is_open" ] || print_new
		[ "$follow_mode" != lines ] || print_open
		wait_seconds 1
	done
}

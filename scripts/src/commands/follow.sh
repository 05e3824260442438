# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff follow: print each window as it comes. It opens no session and changes no setting, so a
# run can go on meanwhile, and it waits while the module is not loaded.

EXEC_EVERY_S=60	# --exec runs its command at most once in this time

follow_is_open='' follow_last='' exec_after_s=0

# open_records: open the module's records as descriptor 7; the reads of this descriptor return each
# record once, and fail when the module has been unloaded. At the start, skip what is there.
open_records() {
	{ command exec 7<"$P/records"; } 2>/dev/null || return 1
	follow_is_open=1
	[ -n "$follow_last" ] || cat <&7 >/dev/null 2>&1 || :
	follow_last=0
}

# count_missing FILE: say how many records are missing before those of FILE, as newer records replaced
# them, or before they could be written. The records are numbered.
count_missing() {
	follow_gap=$(awk -F '[ =]' -v last="$follow_last" '
		last > 0 && $2 > last + 1 { gap += $2 - last - 1 }
		{ last = $2 }
		END { print gap + 0, last }' "$1")
	follow_last=${follow_gap#* }
	[ "${follow_gap% *}" = 0 ] || say "windows are missing before $follow_last: ${follow_gap% *}." \
		"Newer records replaced them"
}

# cgroups_of_tasks FILE: print "ID PATH" of the cgroups of its records whose task still lives. Looking for
# the others in the whole hierarchy would take long where there are tens of thousands.
cgroups_of_tasks() {
	awk 'match($0, / tgid=[0-9]+ cgroup=[0-9]+ /) { print substr($0, RSTART + 6, RLENGTH - 7) }' "$1" |
		sort -u | head -n 64 | while IFS=' =' read -r tgid _ id; do
			path=$(sed -n 's/^0:://p' "$ROOT/proc/$tgid/cgroup" 2>/dev/null) || continue
			[ -z "$path" ] || [ "$(stat -c %i "$ROOT/sys/fs/cgroup$path" 2>/dev/null)" != "$id" ] ||
				echo "$id $path"
		done | sort -u
}

# start_exec FILE: give these lines to the command of --exec, at most once a minute
start_exec() {
	[ -n "$opt_exec" ] || return 0
	read_uptime
	[ "$uptime_s" -ge "$exec_after_s" ] || return 0
	exec_after_s=$((uptime_s + EXEC_EVERY_S))
	# It may take long. It must not keep the records open.
	sh -c "$opt_exec" <"$1" >&2 7<&- &
}

# write_journal FILE: an entry for each window. An empty line ends an entry.
write_journal() {
	while IFS= read -r entry_line; do
		[ -z "$entry_line" ] || {
			printf '%s\n' "$entry_line" >>"$tmp/entry"
			continue
		}
		logger --journald="$tmp/entry" || say "logger could not write to the journal"
		: >"$tmp/entry"
	done <"$1"
}

# print_new: print the windows that have come since the last call
print_new() {
	if ! cat <&7 >"$tmp/follow/records" 2>/dev/null || ! loaded; then
		exec 7<&-
		follow_is_open='' follow_last=0
	fi
	[ -s "$tmp/follow/records" ] || return 0
	count_missing "$tmp/follow/records"
	cat "$P/status" >"$tmp/follow/status" 2>/dev/null || :
	cgroups_of_tasks "$tmp/follow/records" >"$tmp/follow/cgroups"
	report "$tmp/follow" jsonl >"$tmp/new" || :
	start_exec "$tmp/new"
	if [ -z "$opt_journal" ]; then
		cat "$tmp/new" || die "the windows could not be written"
	else
		report "$tmp/follow" journal >"$tmp/entries" || :
		write_journal "$tmp/entries"
	fi
}

command_follow() {
	need_root
	[ -z "$opt_journal" ] || command -v logger >/dev/null || die "--journal needs logger, of util-linux"
	make_tmp
	mkdir "$tmp/follow"
	name_host "$tmp/follow"
	if loaded; then
		need_loaded
	else
		follow_last=0
		say "the module is not loaded. Windows are printed once it is loaded and traces"
	fi
	while :; do
		[ -n "$follow_is_open" ] || open_records || :
		[ -z "$follow_is_open" ] || print_new
		wait_seconds 1
	done
}

# SPDX-License-Identifier: GPL-2.0
#
# What runs recorded: a directory for each, named by the time at which the run began, in $RUNS; where
# that cannot be written, in $RUNS_INSTEAD, which is in memory. The newest five are kept. The file
# "helper" marks a directory as ours: no other one is ever removed.

RUNS_KEPT=5
# Of the records the newest, as far as they have room. Other files are small.
RECORDS_MAX=16777216	# bytes

run_dir=''

# is_ours DIRECTORY
is_ours() {
	[ ! -L "$1" ] && is_input "$1/helper" && read_line "$1/helper" &&
		[ "${line#"trace-irqoff "}" != "$line" ]
}

# new_run_in DIRECTORY: sets run_dir; fails, and says why, if others may write to DIRECTORY
new_run_in() {
	[ -d "$1" ] || (umask 077 && mkdir -p "$1") 2>/dev/null || return 1
	[ -n "$(find -H "$1" -prune -type d -user 0 ! -perm -0002 ! -perm -0020)" ] || {
		say "others may write to $1: nothing is kept there"
		return 1
	}
	run_dir=$1/$run_name
	mkdir -m 700 "$run_dir" 2>/dev/null && keep_text helper "trace-irqoff $VERSION" 2>/dev/null
}

# new_run: sets run_dir, to $tmp if there is no room elsewhere
new_run() {
	run_name=$(date -u +%Y%m%dT%H%M%SZ).$$
	! new_run_in "$RUNS" || return 0
	if new_run_in "$RUNS_INSTEAD"; then
		say "cannot write to $RUNS: this run is kept in $RUNS_INSTEAD, until the next boot"
	else
		say "cannot write to $RUNS, nor to $RUNS_INSTEAD: this run is not kept"
		run_dir=$tmp
	fi
}

# drop_run: one that recorded nothing
drop_run() {
	[ -z "$run_dir" ] || [ "$run_dir" = "$tmp" ] || ! is_ours "$run_dir" || rm -rf "$run_dir"
}

# copy_module: the module's files as they are now, into $run_dir: all of them or none
copy_module() {
	# Files of /proc say that they have 0 bytes, which a cp might believe; status never has.
	cp "$P/records" "$P/histogram" "$P/active" "$P/status" "$run_dir" 2>/dev/null &&
		[ -s "$run_dir/status" ] || return 1
	[ "$(wc -c <"$run_dir/records")" -gt $RECORDS_MAX ] || return 0
	# Without the line that is cut.
	tail -c $RECORDS_MAX "$run_dir/records" | sed 1d >"$run_dir/newest" &&
		mv "$run_dir/newest" "$run_dir/records"
}

# snapshot: copy_module(), in another place if there is no room
snapshot() {
	copy_module && return
	[ "$run_dir" != "$tmp" ] || return 1
	for run_place in "$RUNS_INSTEAD" "$tmp"; do
		run_before=$run_dir
		if [ "$run_place" = "$tmp" ]; then
			run_dir=$tmp
		else
			new_run_in "$run_place" || continue
		fi
		if cp "$run_before"/* "$run_dir" 2>/dev/null && copy_module; then
			say "no room in $run_before: going on in $run_dir"
			rm -rf "$run_before"
			return
		fi
		drop_run
		run_dir=$run_before
	done
	return 1
}

# keep_text NAME TEXT: a file of $run_dir
keep_text() {
	printf '%s\n' "$2" >"$run_dir/$1"
}

# describe_run COMMAND [KEY=VALUE]...: what is to be known of it, besides the module's files
describe_run() {
	read_host
	keep_text host "$host_name" && keep_text release "$host_release" &&
		keep_text boot_id "$host_boot_id" && describe_command="command=$1" && shift &&
		printf '%s\n' "$describe_command" "$@" >"$run_dir/run"
}

# runs: the directories of runs, the newest first
runs() {
	for runs_dir in "$RUNS"/* "$RUNS_INSTEAD"/*; do
		! is_ours "$runs_dir" || echo "${runs_dir##*/} $runs_dir"
	done | sort -r | sed 's/^[^ ]* //'
}

remove_old_runs() {
	runs | sed "1,${RUNS_KEPT}d" | while read -r runs_dir; do
		rm -rf "$runs_dir"
	done
}

# list_runs: one a line, the newest first
list_runs() {
	list_n=0 list_command='' list_spent='' list_happened=''
	printf '%3s  %-20s %-8s %8s %8s\n' RUN BEGAN COMMAND SECONDS WINDOWS
	runs | while read -r runs_dir; do
		list_n=$((list_n + 1))
		list_at=${runs_dir##*/}
		read_values "$runs_dir/run" = list command spent happened || list_command=killed
		printf '%3s  %-20s %-8s %8s %8s\n' "$list_n" "${list_at%%.*}" \
			"$list_command" "$list_spent" "$list_happened"
	done
}

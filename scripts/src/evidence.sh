# SPDX-License-Identifier: GPL-2.0
#
# What runs recorded: a directory TIME.N for each in $RUNS, or in memory, $RUNS_INSTEAD. N is larger than
# those of older runs: the clock may be set back. The newest five are kept. The file "helper" marks a
# directory as ours: no other one is removed. The file "run" is written last: a run without it goes on or
# was killed.

RUNS_KEPT=5
# The newest records are kept, at most this many bytes. Other files are small.
RECORDS_MAX=16777216

run_dir=''

# is_ours DIRECTORY
is_ours() {
	[ ! -L "$1" ] && is_input "$1/helper" && read_line "$1/helper" &&
		[ "${line#"trace-irqoff "}" != "$line" ]
}

# keep_before: what the module and the kernel had counted before the run
keep_before() {
	keep_interrupts begin
	cat "$P/histogram" >"$run_dir/histogram.before" && cat "$P/status" >"$run_dir/status.before"
}

# keep_interrupts SUFFIX: their counts and times. A container may not show them.
keep_interrupts() {
	cat "$INTERRUPTS" >"$run_dir/interrupts.$1" 2>/dev/null || :
	cat "$ROOT/proc/stat" >"$run_dir/stat.$1" 2>/dev/null || :
}

# kernel_counts: print "KIND N" for the lockups and RCU stalls that the kernel has reported since boot (6.16)
kernel_counts() {
	for kernel_count in softlockup hardlockup rcu_stall; do
		! read_line "$KERNEL_COUNTS/${kernel_count}_count" || echo "$kernel_count $line"
	done
}

# new_run_in DIRECTORY: set run_dir to a new directory in there; fails without room, or if others may
# write to DIRECTORY
new_run_in() {
	# A small host may have no /var/lib, which is for all users.
	[ -d "$1" ] || (umask 022 && mkdir -p "${1%/*/*}/" && umask 077 && mkdir -p "$1") 2>/dev/null || return 1
	[ -n "$(find -H "$1" -prune -type d -user 0 ! -perm -0002 ! -perm -0020)" ] || {
		say "no run is kept in $1: it is not root's, or others may write to it"
		return 1
	}
	run_dir=$1/$run_name
	mkdir -m 700 "$run_dir" 2>/dev/null || return 1
	{ echo "trace-irqoff $VERSION" >"$run_dir/helper" && keep_before; } 2>/dev/null && return
	rm -rf "$run_dir"
	return 1
}

# is_kept: the run outlives this program
is_kept() {
	[ "${run_dir%/*}" != "$tmp" ]
}

# new_run: set begun_at and run_dir, in $tmp if there is no room elsewhere
new_run() {
	run_number=0
	for run_dir in "$RUNS"/* "$RUNS_INSTEAD"/*; do
		case ${run_dir##*.} in
		*[!0-9]* | '' | 0* | ??????????*) continue ;;
		esac
		[ "${run_dir##*.}" -le "$run_number" ] || run_number=${run_dir##*.}
	done
	begun=$(date -u '+%Y%m%dT%H%M%SZ %s')
	begun_at=${begun#* } run_name=${begun% *}.$((run_number + 1))
	! new_run_in "$RUNS" || return 0
	if new_run_in "$RUNS_INSTEAD"; then
		say "cannot write to $RUNS: this run is kept in $RUNS_INSTEAD, until the next boot"
	else
		say "cannot write to $RUNS and to $RUNS_INSTEAD: this run is not kept"
		new_run_in "$tmp" || die "cannot write to $tmp, either"
	fi
}

# drop_run: of a run that recorded nothing
drop_run() {
	[ -z "$run_dir" ] || ! is_ours "$run_dir" || rm -rf "$run_dir"
}

# copy_module: the module's files as they are now, into $run_dir: all of them or none
copy_module() {
	# A cp may believe that files of /proc are empty, as their size is 0. status never is.
	cp "$P/records" "$P/histogram" "$P/active" "$P/status" "$run_dir" 2>/dev/null &&
		[ -s "$run_dir/status" ] || return 1
	[ "$(wc -c <"$run_dir/records")" -gt $RECORDS_MAX ] || return 0
	# The first line is cut.
	tail -c $RECORDS_MAX "$run_dir/records" | sed 1d >"$run_dir/newest" &&
		mv "$run_dir/newest" "$run_dir/records"
}

# snapshot: copy_module(); if there is no room, move the run to memory, or to $tmp
snapshot() {
	copy_module && return
	full_dir=$run_dir
	for run_place in "$RUNS_INSTEAD" "$tmp"; do
		new_run_in "$run_place" || continue
		if cp "$full_dir"/* "$run_dir" 2>/dev/null && copy_module; then
			say "no room in $full_dir: going on in $run_dir"
			rm -rf "$full_dir"
			return
		fi
		drop_run
	done
	run_dir=$full_dir
	return 1
}

# describe_run KEY=VALUE...: what else is to be known of the run
describe_run() {
	name_host "$run_dir" && printf '%s\n' "$@" >"$run_dir/run"
}

# runs: "NAME DIRECTORY" of each, the newest first
runs() {
	for runs_dir in "$RUNS"/* "$RUNS_INSTEAD"/*; do
		! is_ours "$runs_dir" || echo "${runs_dir##*/} $runs_dir"
	done | sort -t . -k 2,2nr
}

# take_run N: set kept_in to what the Nth newest run recorded
take_run() {
	need_root
	kept_in=$(runs | sed -n "$1s/^[^ ]* //p")
	[ -n "$kept_in" ] || die "there is no run $1 in $RUNS." \
		"To list the runs: trace-irqoff report --list; to make one: trace-irqoff run"
	[ -s "$kept_in/run" ] || die "run $1 goes on or was killed, and left no records." \
		"What the module has of it: trace-irqoff report"
}

remove_old_runs() {
	runs | sed "1,${RUNS_KEPT}d" | while read -r _ runs_dir; do
		rm -rf "$runs_dir"
	done
}

# list_runs: one a line, the newest first, with the function that its report names
list_runs() {
	list_n=0 list_command='' list_spent='' list_happened='' list_culprit=''
	printf '%3s  %-16s  %-10s %7s %7s  %s\n' RUN BEGAN COMMAND SECONDS WINDOWS CULPRIT
	runs | while read -r list_name list_dir; do
		list_n=$((list_n + 1))
		read_values "$list_dir/run" = list command spent happened || :
		read_values "$list_dir/suspects" ' ' list culprit || :
		printf '%3s  %-16s  %-10s %7s %7s  %s\n' "$list_n" "${list_name%%.*}" \
			"${list_command:-unfinished}" "$list_spent" "$list_happened" "$list_culprit"
	done
}

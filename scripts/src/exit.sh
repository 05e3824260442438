# SPDX-License-Identifier: GPL-2.0
#
# How it ends, whatever ends it: what was changed is restored, and no file is left behind.

tmp='' unfinished=''

# A directory of our own with room for what is needed in any case; clean_up() removes it.
make_tmp() {
	tmp=$(mktemp -d 2>/dev/null) || tmp=
	case $tmp in
	'' | /*) ;;
	*) tmp=$PWD/$tmp ;;
	esac
	if [ -z "$tmp" ] || ! program_file report 2>/dev/null; then
		tmp_elsewhere program_file report || die "no room for temporary files"
	fi
}

# tmp_elsewhere COMMAND...: another one, with what is in the one before, where COMMAND succeeds
tmp_elsewhere() {
	tmp_before=$tmp
	for tmp_place in "${LOCK%/*}" /dev/shm "$STATE"; do
		tmp=$(mktemp -d "$tmp_place/trace-irqoff.XXXXXX" 2>/dev/null) || continue
		[ -z "$tmp_before" ] || cp -r "$tmp_before/." "$tmp" 2>/dev/null || :
		if "$@" 2>/dev/null; then
			say "no room in ${tmp_before:-${TMPDIR:-/tmp}}: going on in $tmp"
			[ -z "$tmp_before" ] || rm -rf "$tmp_before"
			return
		fi
		rm -rf "$tmp"
	done
	tmp=$tmp_before
	return 1
}

# Runs once, and no signal interrupts it.
clean_up() {
	clean_status=$?
	trap '' HUP INT QUIT PIPE TERM
	trap - EXIT
	# Ended in the midst of a run.
	[ -z "$recording" ] || end_recording || :
	if [ -n "$owns_lock" ] && { [ -n "$unkept" ] || [ -d "$BEGUN" ]; }; then
		say "the module is left as it is, with what it has recorded: the next run keeps that"
		clean_status=$ERROR
	elif [ -n "$owns_lock" ]; then
		# What is incomplete stays: who came upon it said so.
		! read_saved "$SAVED" || restore || clean_status=$ERROR
		[ ! -e "$SAVED.new" ] || rm -f "$SAVED.new"
	fi
	[ -z "$lock_name" ] || drop_lock
	[ -z "$unfinished" ] || rm -f "$unfinished"
	[ -z "$tmp" ] || rm -rf "$tmp"
	exit "$clean_status"
}

catch_signals() {
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
}

# new_file FILE: $unfinished, beside it; mktemp makes sure that nobody else put it there
new_file() {
	[ ! -d "$1" ] || die "$1 is a directory"
	unfinished=$(mktemp "$1.XXXXXX") || die "cannot write $1"
}

# finish_file FILE MODE: whoever reads it sees the old one or the new one. What has become a
# directory meanwhile is not written into, also when that is seen too late.
finish_file() {
	[ -d "$1" ] || { chmod "$2" "$unfinished" && mv -f "$unfinished" "$1"; } ||
		die "cannot write $1"
	[ ! -d "$1" ] || {
		rm -f "$1/${unfinished##*/}"
		die "$1 has become a directory"
	}
	unfinished=
}

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

# new_file FILE UMASK: creates $unfinished beside FILE, and opens it as descriptor 5. Nothing
# opens it by name again: the owner of the directory can put a link there. With -C a shell uses
# O_EXCL, unless the name leads to a device: so the name is random.
new_file() {
	[ ! -d "$1" ] || die "$1 is a directory"
	[ -n "$tmp" ] || make_tmp
	unfinished=$(mktemp -u "$1.XXXXXX") || die "cannot write $1"
	umask "$2"
	set -C
	# Without "command", a failing exec ends some shells at once.
	{ command exec 5>"$unfinished"; } 2>|"$tmp/why" || unfinished=
	set +C
	[ -n "$unfinished" ] || {
		read_line "$tmp/why" || :
		die "cannot write $1: ${line##*: }"
	}
	# Default ACLs of a directory replace the umask, and some file systems have no modes.
	[ "$2" != 077 ] || case $(stat -L -c %a /proc/self/fd/0 <&5) in
	*00) ;;
	*) die "cannot write $1: others could read it in that directory; write it elsewhere" ;;
	esac
}

# finish_file FILE: renames $unfinished to FILE, so a reader sees the old file or the new one. If FILE
# has become a directory, nothing is written into it. Without -T, mv follows a link to a directory
# that is put there after the check; the file is then removed from that directory.
finish_file() {
	exec 5>&-
	finish_how=-f
	case $(mv --help 2>&1) in
	*-T*) finish_how=-fT ;;
	esac
	[ -d "$1" ] || mv "$finish_how" "$unfinished" "$1" || die "cannot write $1"
	[ ! -d "$1" ] || {
		rm -f "$1/${unfinished##*/}"
		die "$1 has become a directory"
	}
	unfinished=
}

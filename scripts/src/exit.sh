# SPDX-License-Identifier: GPL-2.0
#
# Messages, temporary files, files that are written whole or not at all, and how this program ends.

tmp='' unfinished=''

# say WORDS...: to stderr. A terminal that is gone is no reason to end.
say() {
	printf 'trace-irqoff: %s\n' "$*" >&2 2>/dev/null || :
}

die() {
	say "$@"
	exit $ERROR
}

# output_failed WORDS...: after a command that could not write to stdout: die with these words, or without
# them if the reader has seen enough, as in "report | head"
output_failed() {
	[ $? != 141 ] || exit 141
	die "$@"
}

# make_tmp: set tmp to a directory of ours with room for the awk program; clean_up() removes it
make_tmp() {
	[ -z "$tmp" ] || return 0
	set -- "${TMPDIR:-/tmp}" "${RUNS_INSTEAD%/*}" /dev/shm
	case $command${TMPDIR:-} in
	# systemd removes files from /tmp that were not written for days. Any user can then make them anew.
	run | ping | follow) set -- "$2" "$1" "$3" ;;
	esac
	for tmp_place; do
		# The owner of a directory can replace ours in it, and root runs the awk program that is there.
		# shellcheck disable=SC3067 # dash, bash and busybox know it
		[ ! -O / ] || [ -O "$tmp_place" ] || continue
		case $tmp_place in
		/*) ;;
		*) tmp_place=$PWD/$tmp_place ;;
		esac
		tmp=$(mktemp -d "$tmp_place/trace-irqoff.XXXXXX" 2>/dev/null) || continue
		! print_report 2>/dev/null >"$tmp/report.awk" || return 0
		rm -rf "$tmp"
	done
	tmp=
	die "no room for temporary files in ${TMPDIR:-/tmp}, ${RUNS_INSTEAD%/*} and /dev/shm." \
		"Set TMPDIR to a directory that has 1 MB"
}

# clean_up: once, and no signal interrupts it
clean_up() {
	clean_status=$?
	[ "$clean_status" != "$FOUND_WINDOWS" ] || [ -n "${opt_exit_code:-}" ] || clean_status=0
	trap '' HUP INT QUIT PIPE TERM
	trap - EXIT
	[ -z "$sleeping" ] || kill "$sleeping" 2>/dev/null || :
	stop_counting
	# The message of a command that could not write may name neither the file nor what to do.
	[ "$clean_status" != $ERROR ] || [ ! -d "$tmp" ] || has_room ||
		say "no room for temporary files in ${tmp%/*}. Make room, or set TMPDIR to another directory"
	if [ -n "$recording" ]; then
		end_recording || :
	else
		[ -z "$session_is_open$keeping" ] || drop_run
		close_session
	fi
	unload || clean_status=$ERROR
	[ -z "$unfinished" ] || rm -f "$unfinished"
	[ -z "$tmp" ] || rm -rf "$tmp"
	exit "$clean_status"
}

# note_signals: from here on, signals only set "stopped"
note_signals() {
	for signal in HUP INT QUIT PIPE TERM; do
		# shellcheck disable=SC2064 # this one
		trap "stopped=$signal" $signal
	done
}

catch_signals() {
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
}

# new_file FILE UMASK: create $unfinished beside FILE, and open it as descriptor 5. Nothing opens it
# by name again: the owner of the directory can put a link there. With -C a shell uses O_EXCL,
# unless the name leads to a device: so the name is random.
new_file() {
	[ ! -d "$1" ] || die "cannot write $1: it is a directory. Give the name of a file"
	# The file would replace a device, such as /dev/null, or /dev/stdout, which is a link to /proc/self/fd/1.
	new_link=$(readlink "$1" 2>/dev/null) || :
	if [ "${new_link#/proc/}" != "$new_link" ] || { [ -e "$1" ] && [ ! -f "$1" ]; }; then
		die "cannot write $1: it is no regular file. Give the name of a file"
	fi
	make_tmp
	unfinished=$(mktemp -u "$1.XXXXXX") || die "cannot write $1"
	umask "$2"
	set -C
	# Without "command", a failing exec ends some shells at once.
	{ command exec 5>"$unfinished"; } 2>|"$tmp/why" || unfinished=
	set +C
	[ -n "$unfinished" ] || {
		read_line "$tmp/why" || :
		die "cannot write $1: ${line##*: }. Write it elsewhere: -o FILE"
	}
	# Default ACLs of a directory replace the umask, and some file systems have no modes.
	[ "$2" != 077 ] || case $(stat -L -c %a /proc/self/fd/0 <&5) in
	*00) ;;
	*) die "cannot write $1: others could read it in that directory. Write it elsewhere" ;;
	esac
}

# finish_file FILE: rename $unfinished to FILE, so a reader sees the old file or the new one. If
# FILE has become a directory, nothing is written into it. Without -T, mv follows a link to a
# directory that is put there after the check; the file is then removed from that directory.
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

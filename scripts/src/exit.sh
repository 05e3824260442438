# SPDX-License-Identifier: GPL-2.0
#
# How it ends, whatever ends it: what was changed is restored, and no file is left behind.

tmp='' unfinished=''

# A directory of our own; clean_up() removes it.
make_tmp() {
	tmp=$(mktemp -d) || die "cannot make a temporary directory"
}

# Runs once, and no signal interrupts it.
clean_up() {
	clean_status=$?
	trap '' HUP INT QUIT PIPE TERM
	trap - EXIT
	if [ -n "$owns_lock" ]; then
		# What is incomplete stays: who came upon it said so.
		! is_complete "$SAVED" || restore || clean_status=$ERROR
		rm -f "$SAVED.new"
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

# finish_file FILE MODE: whoever reads it sees the old one or the new one
finish_file() {
	if ! chmod "$2" "$unfinished" || ! mv -f "$unfinished" "$1"; then
		die "cannot write $1"
	fi
	unfinished=
}

# SPDX-License-Identifier: GPL-2.0
#
# The lock: one process at a time changes the module's settings, as a run, or as on and off.
#
# $LOCK is a directory. Each process that wants the lock makes a file of its own there, named
# by its PID and when it began, and then looks at the others: it owns the lock if no other
# process in there lives. Of two, the one that made its file later sees the file of the
# other, so two never own it. What a killed process leaves counts for nothing and may be
# removed by anybody, as no later process has that name. There is no step at which the lock
# of a dead process is taken away from it, which another one might have done meanwhile.
#
# Two that make their files at the same time might both give up. So the owner writes "owner"
# into its file; while neither has, the lower PID waits, and the higher one gives up.

lock_name='' owns_lock=''

# process PID: sets process_name to its name in the lock, PID.START; fails when it does not live.
# A zombie does nothing more.
process() {
	read_line "/proc/$1/stat" || return 1
	# PID (NAME) STATE ... where NAME may have brackets and blanks in it. START is the 22nd.
	# shellcheck disable=SC2086 # words
	set -- "$1" ${line##*") "}
	case ${2:-} in
	'' | [ZXx]) return 1 ;;
	esac
	process_name=$1.${21:-}
}

# lives NAME: whether the process does that has this name in the lock
lives() {
	process "${1%%.*}" && [ "$process_name" = "$1" ]
}

# others_in_lock: sets others to the names of other processes in there that live
others_in_lock() {
	others=
	for other_file in "$LOCK"/*; do
		other=${other_file##*/}
		[ "$other" = "$lock_name" ] || ! lives "$other" || others="$others $other"
	done
}

# may_own OTHER...: whether these let us own the lock. Fails while that cannot be said.
may_own() {
	for other; do
		if [ -s "$LOCK/$other" ] || [ "${other%%.*}" -lt $$ ]; then
			die_locked "$other"
		fi
	done
	[ $# = 0 ]
}

die_locked() {
	die "a run is going on: process ${1%%.*}"
}

# In the loop: whoever drops the lock removes an empty directory.
enter_lock() {
	enter_tries=10
	until { [ -d "$LOCK" ] || mkdir -m 700 "$LOCK"; } 2>/dev/null &&
		{ printf '' >"$LOCK/$lock_name"; } 2>/dev/null; do
		enter_tries=$((enter_tries - 1))
		[ $enter_tries -gt 0 ] || die "cannot make $LOCK"
	done
}

take_lock() {
	process $$ || die "cannot read /proc/$$/stat"
	lock_name=$process_name
	enter_lock
	take_tries=3
	# shellcheck disable=SC2086 # names have no blanks
	until others_in_lock && may_own $others; do
		take_tries=$((take_tries - 1))
		[ $take_tries -gt 0 ] || die_locked "$other"
		sleep 1
	done
	owns_lock=1
	echo owner >"$LOCK/$lock_name"
	for other_file in "$LOCK"/*; do
		lives "${other_file##*/}" || rm -rf "$other_file"
	done
}

drop_lock() {
	rm -f "$LOCK/$lock_name"
	# Not while others wait in there.
	rmdir "$LOCK" 2>/dev/null || :
	lock_name='' owns_lock=''
}

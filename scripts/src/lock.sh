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

# process PID: its name in the lock, PID.START; fails when it does not live. A zombie does
# nothing more.
process() {
	process_stat=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) || return 1
	case $process_stat in
	'' | [ZXx]*) return 1 ;;
	esac
	echo "$1.$(echo "$process_stat" | cut -d ' ' -f 20)"
}

# others_in_lock: names of other processes in there that live
others_in_lock() {
	for other_file in "$LOCK"/*; do
		other=${other_file##*/}
		if [ -e "$other_file" ] && [ "$other" != "$lock_name" ] &&
			[ "$other" = "$(process "${other%%.*}")" ]; then
			echo "$other"
		fi
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
	lock_name=$(process $$) || die "cannot read /proc/$$/stat"
	enter_lock
	take_tries=3
	# shellcheck disable=SC2046 # names have no blanks
	until may_own $(others_in_lock); do
		take_tries=$((take_tries - 1))
		[ $take_tries -gt 0 ] || die_locked "$other"
		sleep 1
	done
	owns_lock=1
	echo owner >"$LOCK/$lock_name"
	for other_file in "$LOCK"/*; do
		other=${other_file##*/}
		[ "$other" = "$(process "${other%%.*}")" ] || rm -rf "$other_file"
	done
}

drop_lock() {
	rm -f "$LOCK/$lock_name"
	# Not while others wait in there.
	rmdir "$LOCK" 2>/dev/null || :
	lock_name='' owns_lock=''
}

# SPDX-License-Identifier: GPL-2.0
#
# What a run saw is kept before the module is unloaded and before anything is printed, in the
# directory "last" of $STATE; what was there before becomes last.1, and then last.2. Only the
# owner of the lock comes here to write.
#
# A generation is made aside and renamed when it is whole. Nothing is written through to the
# disk: it outlives us, whatever kills us, but maybe not a host that crashes at that moment.

# Of the records the newest, as far as they have room. Other files are as small as the number
# of CPUs makes them.
RECORDS_MAX=16777216	# bytes

# keep_text NAME TEXT: a file of $tmp
keep_text() {
	printf '%s\n' "$2" >"$tmp/$1"
}

# describe_run COMMAND [KEY=VALUE]...: what is to be known of it, besides the module's files
describe_run() {
	read_host
	keep_text helper "trace-irqoff $VERSION" &&
		keep_text when "$(date -u +%Y-%m-%dT%H:%M:%SZ)" &&
		{ [ -e "$tmp/host" ] || keep_text host "$host_name"; } &&
		{ [ -e "$tmp/release" ] || keep_text release "$host_release"; } &&
		describe_command="command=$1" && shift &&
		printf '%s\n' "$describe_command" "$@" >"$tmp/run"
}

# snapshot: the module's files as they are now, into $tmp: all of them or none
snapshot() {
	{ [ -d "$tmp/new" ] || mkdir "$tmp/new"; } 2>/dev/null || return 1
	# Files of /proc say that they have 0 bytes, which a cp might believe; status never has.
	cp "$P/records" "$P/histogram" "$P/active" "$P/status" "$tmp/new" 2>/dev/null &&
		[ -s "$tmp/new/status" ] && mv -f "$tmp/new"/* "$tmp"
}

# copy_newest DIRECTORY: of more records than there is room for, without the line that is cut
copy_newest() {
	tail -c $RECORDS_MAX "$tmp/records" | sed 1d >"$1/records" &&
		[ "$(tail -n 1 "$tmp/records")" = "$(tail -n 1 "$1/records")" ]
}

# sums DIRECTORY FILE...: by which copies are compared; for $(...), as it goes there
sums() {
	cd "$1" && shift && sha256sum "$@"
}

# copy_evidence DIRECTORY: what there is of it in $tmp. Whether all of it came there is looked at,
# as not every program tells.
copy_evidence() {
	copy_to=$1 copy_files='' copy_cut=''
	set --
	for file in $EVIDENCE; do
		[ -e "$tmp/$file" ] || continue
		if [ "$file" = records ] && [ "$(wc -c <"$tmp/records")" -gt $RECORDS_MAX ]; then
			copy_cut=1
			continue
		fi
		set -- "$@" "$tmp/$file"
		copy_files="$copy_files $file"
	done
	# shellcheck disable=SC2086 # words
	copy_sums=$(sums "$tmp" $copy_files) && cp "$@" "$copy_to" &&
		[ "$copy_sums" = "$(sums "$copy_to" $copy_files)" ] &&
		{ [ -z "$copy_cut" ] || copy_newest "$copy_to"; }
}

# is_ours DIRECTORY: a run made it, and its file "helper" says so. No other directory in $STATE
# is ever renamed or removed.
is_ours() {
	[ ! -L "$1" ] && is_input "$1/helper" && read_line "$1/helper" &&
		[ "${line#"trace-irqoff "}" != "$line" ]
}

# new_generation DIRECTORY: makes a directory for this run, and prints its path. Fails if other users
# can write to DIRECTORY, or if a run did not make "last", "last.1" and "last.2". Removes what a
# killed run has left unfinished.
new_generation() {
	# Not -m, which is for the last of them only.
	[ -d "$1" ] || (umask 077 && mkdir -p "$1") || return 1
	[ -n "$(find -H "$1" -prune -type d -user 0 ! -perm -0002 ! -perm -0020)" ] || {
		echo "others may write to $1" >&2
		return 1
	}
	for generation in "$1/last" "$1/last.1" "$1/last.2"; do
		[ -e "$generation" ] || [ -L "$generation" ] || continue
		is_ours "$generation" || {
			echo "$generation was not made by trace-irqoff; move it elsewhere" >&2
			return 1
		}
	done
	for generation in "$1"/new.*; do
		! is_ours "$generation" || rm -rf "$generation"
	done
	new_path=$(mktemp -d "$1/new.XXXXXX") || return 1
	copy_evidence "$new_path" || {
		rm -rf "$new_path"
		return 1
	}
	echo "$new_path"
}

# found_something DIRECTORY
found_something() {
	[ ! -s "$1/stuck" ] || return 0
	grep -q -e COMMAND: -e '^held_up=.' -e '^cpus_late: [0-9]' \
		"$1/active" "$1/run" "$1/status" 2>/dev/null && return
	[ -s "$1/records" ] && ! grep -qx happened=0 "$1/run" 2>/dev/null
}

# make_way DIRECTORY: for $new as "last". However many runs found nothing, only one of them is there.
make_way() {
	[ -d "$1/last" ] || return 0
	if ! found_something "$1/last"; then
		mv "$1/last" "$new.old"
	else
		if [ -d "$1/last.1" ]; then
			[ ! -d "$1/last.2" ] || mv "$1/last.2" "$new.old" || return 1
			mv "$1/last.1" "$1/last.2" || return 1
		fi
		mv "$1/last" "$1/last.1"
	fi || return 1
	rm -rf "$new.old"
}

# keep_in DIRECTORY: what is in $tmp, as "last"; fails and sets keep_why
keep_in() {
	new=$(new_generation "$1" 2>"$tmp/why") && make_way "$1" 2>"$tmp/why" &&
		mv "$new" "$1/last" 2>"$tmp/why" && return
	keep_why=$(tail -n 1 "$tmp/why" 2>/dev/null) || :
	[ -z "$new" ] || rm -rf "$new"
	return 1
}

# What shows what was kept.
kept_as=''

# keep_last: what is in $tmp, and sets kept_as
keep_last() {
	kept_as=''
	for keep_place in "$STATE" "$STATE_INSTEAD"; do
		if keep_in "$keep_place"; then
			kept_as="trace-irqoff report --last"
			return
		fi
		say "what was recorded cannot be kept in $keep_place: ${keep_why:-no room}"
	done
	umask 077
	if keep_place=$(mktemp -d "${TMPDIR:-/tmp}/trace-irqoff.XXXXXX") &&
		copy_evidence "$keep_place" 2>/dev/null; then
		kept_as="trace-irqoff report --from $keep_place"
		say "it is kept in $keep_place: \"$kept_as\""
		return
	fi
	[ -z "$keep_place" ] || rm -rf "$keep_place"
	return 1
}

# generations: their directories, the newest first
generations() {
	for generation_place in "$STATE" "$STATE_INSTEAD"; do
		for generation in last last.1 last.2; do
			generation=$generation_place/$generation
			[ -f "$generation/records" ] || continue
			read_line "$generation/when" || :
			echo "$line $generation"
		done
	done | awk '{ print $1, 1000 - NR, $0 }' | sort -r | sed 's/^[^ ]* [^ ]* [^ ]* //'
}

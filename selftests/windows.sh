# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Makes windows, and reads their records. Sourced by lib.sh.

: "${P:?}"	# lib.sh sets it

INJECT=/proc/irqoff_inject

inject() {
	echo "$*" >"$INJECT"
}

# inject_times N KIND MICROSECONDS [CPU]: N windows, one after the other
inject_times() {
	inject_left=$1
	shift
	while [ "$inject_left" -gt 0 ]; do
		inject "$@"
		inject_left=$((inject_left - 1))
	done
}

# injected_ns CPU: the true length of its last window, measured inside the window
injected_ns() {
	sed -n "s/^cpu=$1 .*elapsed_ns=//p" "$INJECT"
}

# each_record ACTION [KEY=VALUE]...: an action of awk for each line of "records" that has all of these
# fields. One process, because a process takes 20 million instructions on the kernel "debug".
each_record() {
	each_action=$1
	shift
	keys=$* awk '
		BEGIN { n = split(ENVIRON["keys"], key, " ") }
		{
			for (i = 1; i <= n; i++)
				if (!index($0 " ", " " key[i] " "))
					next
		}
		'"$each_action" "$P/records"
}

# records [KEY=VALUE]...: the lines that have all of these fields
records() {
	each_record '{ print }' "$@"
}

# count [KEY=VALUE]...: the number of lines that have all of these fields
count() {
	each_record '{ count++ } END { print count + 0 }' "$@"
}

# recorded [KEY=VALUE]...: at least one line has all of these fields
recorded() {
	each_record '{ found = 1; exit } END { exit !found }' "$@"
}

# no_window_of SECONDS: no record is that long. Windows that a busy host makes are shorter.
no_window_of() {
	! records | cut -c 1-300 | awk -v seconds="$1" '
		{ split($5, latency, "=") }
		latency[2] >= seconds * 1000000000' | grep .
}

# field KEY: its value in each record on stdin
field() {
	sed -n "s/.* $1=\([^ ]*\).*/\1/p"
}

# samples: the stacks of all samples in the records on stdin, one a line, outermost frame first
samples() {
	tr ' ' '\n' | sed -n 's/^sample=[0-9]*://p'
}

# still_traced: all online CPUs tick, and the next window is recorded
still_traced() {
	still_before=$(ticks)
	runs_on "$(cat /sys/devices/system/cpu/online)" || return 1
	inject hardirq 700000 1
	await recorded kind=hardirq cpu=1 || return 1
	[ "$(ticks)" -gt "$still_before" ] || { echo "no more ticks"; return 1; }
	put 0 trace_latency
}

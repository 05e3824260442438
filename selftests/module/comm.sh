#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# A task can choose any name. In the files, no part of a name may be taken for a line or a field.
. "$(dirname "$0")/../lib.sh"
start_test

CPU=$(last_cpu)
NEWLINE='
'
ESCAPE=$(printf '\033')

# window_of NAME: make a window of each kind while this shell has the name NAME
window_of() {
	before=$(cat /proc/$$/comm)
	put 0 trace_latency
	if [ -n "$1" ]; then
		printf '%s' "$1" >/proc/$$/comm
	else
		printf '\0' >/proc/$$/comm
	fi
	inject hardirq 30000 "$CPU"
	inject bh 50000 "$CPU"
	printf '%s' "$before" >/proc/$$/comm
	await recorded kind=softirq
}

lines() {
	cat $P/trace_latency $P/records | grep -c "$1"
}

trace 1ms 20ms
window_of "a${NEWLINE}LATENCY: 9ms"
expect "a newline in a name does not begin a line" same 0 "$(lines '^ *LATENCY:')"
expect "a newline is printed as an escape" \
	same 2 "$(grep -c 'comm=a\\x0aLATENCY:\\x209ms ' $P/records)"

window_of "${ESCAPE}[2J${ESCAPE}[31mred"
expect "an escape character is not printed as it is" same 0 "$(lines "$ESCAPE")"
expect "an escape character is printed as an escape" \
	same 2 "$(grep -c 'comm=\\x1b\[2J\\x1b\[31mred ' $P/records)"

window_of "x pid=1 seq=2"
expect "a blank in a name does not begin a field in records" \
	same 2 "$(grep -c 'comm=x\\x20pid=1\\x20seq=2 ' $P/records)"
expect "a blank in a name does not begin a field in the report" \
	grep -qF 'COMMAND: x\x20pid=1\x20seq=2 PID: ' $P/trace_latency

window_of "$(printf '\377\377\177\\x41')"
expect "other bytes and the backslash are printed as escapes" \
	same 2 "$(grep -c 'comm=\\xff\\xff\\x7f\\x5cx41 ' $P/records)"

window_of ""
expect "an empty name is printed as an escape" same 2 "$(grep -c 'comm=\\x00 ' $P/records)"
expect "each record has one line" same "$(value records_kept status)" "$(wc -l <$P/records)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: newest
# long: smp WINDOWS=5000
# follow prints each window once, also while the module is unloaded and loaded again.
#
# Environment:
#	WINDOWS=N	make N windows before the module is loaded again, and N after it (default 50)
. "$(dirname "$0")/../module.sh"
. "$(dirname "$0")/lib"
start_test nr_records=65536
WINDOWS=${WINDOWS:-50}
find_helper

# traced N: make N windows, and set last_seq to the number of the last record
traced() {
	trace 1ms 2ms
	inject_times "$1" spinlock 10000 "$CPU"
	put 0 enable
	last_seq=$(sed -n '$s/^seq=\([0-9]*\) .*/\1/p' "$P/records")
	last_seq=${last_seq:-0}
}

# printed_to SEQ: follow has printed the record SEQ since it began to print records of this module
printed_to() {
	sed 's/.*"seq":\([0-9]*\),.*/\1/' "$OUT" | awk -v n="$1" 'END { exit $1 != n }'
}

# all_once N M: follow has printed the new records up to N and then 1 to M, and nothing else
all_once() {
	{ seq $((old + 1)) "$1"; seq "$2"; } >/tmp/expected
	sed 's/.*"seq":\([0-9]*\),.*/\1/' "$OUT" >/tmp/seqs
	diff /tmp/expected /tmp/seqs
}

# has_read: follow has read the records that are there; if there are none, this cannot be seen
has_read() {
	[ "$(sed -n 's/^pos:[^0-9]*//p' "/proc/$follower/fdinfo/7")" -gt 0 ]
}

traced 1
old=$last_seq
sh "$HELPER" follow >"$OUT" 2>"$OUT.err" &
follower=$!
expect "follow reads the old records" await has_read
traced "$WINDOWS"
expect "windows are made while it follows" [ "$last_seq" -ge "$WINDOWS" ]
first=$last_seq
expect "follow has printed the last of them" await printed_to "$first"
expect "the module can be unloaded meanwhile" rmmod trace_irqoff
expect "it is loaded again" load nr_records=65536
traced "$WINDOWS"
expect "new windows are made" [ "$last_seq" -ge "$WINDOWS" ]
expect "follow has printed each window once" await all_once "$first" "$last_seq"
kill $follower
wait $follower
status=$?
expect "follow has ended by the signal" same 143 $status
expect "it had nothing to say" same "" "$(cat "$OUT.err")"
finish

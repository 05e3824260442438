#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock hz
# kernels: oldest newest
# long: smp4 ROUNDS=100
# Samples of a stack that is garbage: the walk of the stack does not crash, the records can be read,
# and no file has an address. ROUNDS windows of each kind (default 4). The kernel's unwinder warns
# about the stack, with each warning once. Not on debug: its unwinder goes by frame pointers, follows
# the garbage, and KASAN complains.
. "$(dirname "$0")/../module.sh"
[ -n "${VM_CONTROL:-}" ] || skip_all "the kernel complains: only in a VM"
start_test
need_cpus 2
need_nmi

ROUNDS=${ROUNDS:-4}
OUT=/tmp/garbage.$$

WARNING="WARNING: (stack going in the wrong direction|can't access (iret )?registers at"
WARNING="$WARNING|missing (R10|R13|RDI|DX|AX) value|stack recursion on stack type"
WARNING="$WARNING|kernel stack (regs|frame pointer) at)"

record='seq=[0-9]+ kind=(hardirq|softirq|nosched) cpu=[0-9]+( [a-z_]+=[^ ]+)* stack=[^ ]+'
sample=' sample=[0-9]+:[^ ]+ in=(task|idle|softirq|interrupt),[a-z-]+(,[0-9]+){3},[^ ]+'
sample="$sample moved=(-|0|([0-9]+|<),([0-9]+|<))( lock=[^ ]+)?"
# A number in the place of a function; an address of a 64-bit kernel or its modules
ADDRESS='[:;= ]0x|(0x)?[fF]{4}[0-9a-fA-F]{12}'

warnings() {
	dmesg | grep -oE "$WARNING"
}

# read_all: on CPU 1, read the files until $OUT.reading is gone, and keep what is wrong
read_all() {
	line="^$record($sample)*\$" address=$ADDRESS out=$OUT dir=$P exec taskset -c 1 sh -c '
		while [ -e "$out.reading" ]; do
			grep -vE "$line" "$dir/records"
			cat "$dir/records" "$dir/active" | grep -E "$address"
			echo >>"$out.reads"
		done >"$out.wrong"'
}

# make_windows INJECTION KIND: make ROUNDS windows, and keep their records
make_windows() {
	put 0 trace_latency
	for _ in $(seq "$ROUNDS"); do
		inject "$1" 300000 "$CPU"
		sleep 0.1
	done
	await enough_records "$2"
	# The windows took 300 ms. A busy host makes others, most of them shorter.
	records "kind=$2" "cpu=$CPU" | awk '
		{ split($5, latency, "=") }
		latency[2] >= 250000000' >"$OUT.$2"
	note "$1: $(wc -l <"$OUT.$2") records, $(samples <"$OUT.$2" | wc -l) samples," \
		"$(samples <"$OUT.$2" | awk -F ';' '{ frames += NF } END { print frames + 0 }') frames," \
		"$(grep -oE ' moved=[0-9<]' "$OUT.$2" | wc -l) compared"
}

enough_records() {
	[ "$(count "kind=$1" "cpu=$CPU")" -ge "$ROUNDS" ]
}

# check KIND: the records of make_windows
check() {
	expect "$1: each window has a record" test "$(wc -l <"$OUT.$1")" -ge "$ROUNDS"
	expect "$1: each record has samples" same "" "$(grep -v ' sample=' "$OUT.$1" | cut -c 1-300)"
	expect "$1: each record is whole, with moved= behind each sample" \
		same "" "$(grep -vE "^$record($sample)+\$" "$OUT.$1" | cut -c 1-2000)"
}

old_warnings=$(warnings | wc -l)
trace_all 10ms 20ms
touch "$OUT.reading"
background read_all
make_windows garbage_bh softirq
check softirq
make_windows garbage_hardirq hardirq
check hardirq
cat "$P"/* >"$OUT.all"
rm "$OUT.reading"
wait
note "the files were read $(wc -l <"$OUT.reads") times meanwhile"
expect "the files were read meanwhile" test -s "$OUT.reads"
expect "each record that was read meanwhile is whole, and has no address" \
	same "" "$(head -n 3 "$OUT.wrong" | cut -c 1-2000)"
expect "no file has an address" same "" "$(grep -aE "$ADDRESS" "$OUT.all" | head -n 3)"
expect "the next window, with a good stack, is recorded" is_recorded hardirq 100000 "$CPU"

# Deferred messages of the kernel
sleep 0.3
warnings | tail -n +$((old_warnings + 1)) | while read -r warning; do
	note "the unwinder: $warning"
	echo "expect $warning" >"$VM_CONTROL"
done
rm -f "$OUT".*
finish

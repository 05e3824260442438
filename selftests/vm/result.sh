# SPDX-License-Identifier: GPL-2.0
#
# The part of vm that judges a run: the script's exit status, the kernel log, and what the CPUs did
# if the VM did not finish. Sourced by vm, after boot.sh.

# vm and boot.sh set these.
: "${cache:?} ${KEEP_DAYS:?} ${tmp=} ${kernel=} ${limit=}"

# dump_cpus: write the registers of all CPUs to $tmp/where, then the instructions that they executed, and
# a second later the registers again. QEMU answers within hundredths of a second.
dump_cpus() {
	timeout 4 cat "$tmp/monitor.out" >"$tmp/where" &
	cat_pid=$!
	tell_monitor "info registers -a"
	sleep 1
	sed -n 's/^RIP=\([0-9a-f]*\).*/x\/i 0x\1/p' "$tmp/where" | sort -u >"$tmp/rips"
	while read -r line; do
		tell_monitor "$line"
	done <"$tmp/rips"
	sleep 1
	tell_monitor "info registers -a"
	wait $cat_pid || :
}

# say_where: print which instruction each CPU executed when the time was up, and a second later, and its
# flags. The names of the addresses are in /proc/kallsyms of another VM with this kernel.
say_where() {
	tr -d '\r' <"$tmp/where" | grep -E '^(CPU#|RIP=| PC=|PSTATE=|0x.*:)' | cut -c 1-70 |
		while read -r line; do
			say "$kernel: $line"
		done
}

# give_up STATUS WORDS: keep the kernel log under a new name, and exit
give_up() {
	mkdir -p "$cache/log"
	find "$cache/log" -type f -mtime +"$KEEP_DAYS" -exec rm -f {} +
	kept=$(mktemp "$cache/log/$kernel.XXXXXX")
	cp "$tmp/console" "$kept"
	[ ! -e "$tmp/where" ] || cp "$tmp/where" "$kept.where"
	cp "$tmp/status" "$kept.status"
	say "$kernel: $2; the kernel log is $kept"
	exit "$1"
}

OURS='\[(trace_irqoff|irqoff_inject)\]'

# complaint: the first line of the kernel's first complaint, and the next line that names our modules
complaint() {
	grep -ahE -A 60 -f "$tmp/complaints" "$tmp/log" | tr -d '\r' | awk '
		/ cut here /	{ next }
		{ sub(/^\[[ 0-9.]*\] /, "") }
		!said		{ said = 1; printf "%s", $0; if (!/'"$OURS"'/) next; exit }
		/'"$OURS"'/	{ sub(/^ */, ""); printf "; %s", $0; exit }'
}

# unexpected LOG: print LOG without the lines that the script has announced by "expect TEXT" on the
# status line. Each "expect" removes one line. A line that is announced and missing is a complaint.
unexpected() {
	sed -n '/^--- dmesg/q; s/^expect //p' "$tmp/status" >"$tmp/expected"
	awk -v expected="$tmp/expected" '
		BEGIN {
			while ((getline <expected) > 0)
				text[++n] = $0
		}
		{
			for (i = 1; i <= n; i++)
				if (!came[i] && index($0, text[i])) {
					came[i] = 1
					next
				}
			print
		}
		END {
			for (i = 1; i <= n; i++)
				if (!came[i])
					print "BUG: expected, but missing: " text[i]
		}' "$1"
}

# stale_int3 LOG: the first complaint is an int3, but the dump of the code has another byte there: QEMU
# executed an old translation. It is not the kernel's fault, which handles each int3 of its own until all
# CPUs have seen the new code (text_poke_bp()). Seen once, on debug.
stale_int3() {
	grep -aE -m 1 -f "$tmp/complaints" "$1" | grep -q 'int3: ' || return 1
	stale_byte=$(sed -n 's/.*Code:.* \([0-9a-f]*\) <[0-9a-f]*>.*/\1/p' "$1" | head -n 1)
	[ -n "$stale_byte" ] && [ "$stale_byte" != cc ]
}

# stuck_on_nop WHERE: two CPUs stay at the same no-op, so QEMU executes an old translation, an int3. Kernels
# before 5.13 take it for a kprobe that has just been removed, and try again, forever. Seen once, on 5.10: five
# CPUs at the no-op of a tracepoint in __schedule(), for 20 minutes.
stuck_on_nop() {
	tr -d '\r' <"$1" | awk -F '[=: ]+' '
		/^RIP=/		{ at[again, $2]++ }
		/^0x/		{ again = 1 }
		/^0x.* nop/	{ nop[substr($1, 3)] }
		END {
			for (rip in nop)
				if (at["", rip] > 1 && at[1, rip] > 1)
					found = 1
			exit !found
		}'
}

# judge QEMU-STATUS: exit with the script's status; with 125 or 124 if the kernel complained, the VM
# died, or the time was up
judge() {
	touch "$tmp/status"
	sed -n '/^--- dmesg/,$p' "$tmp/status" >"$tmp/dmesg"
	{
		unexpected "$tmp/console"
		[ ! -s "$tmp/dmesg" ] || unexpected "$tmp/dmesg"
	} >"$tmp/log"
	if grep -aE -m 1 -B 2 -A 40 -f "$tmp/complaints" "$tmp/log" >&2; then
		! stale_int3 "$tmp/log" || give_up 125 "QEMU executed an int3 that was no longer there"
		give_up 125 "the kernel complained: $(complaint)"
	fi
	script_status=$(sed -n 's/^status //p' "$tmp/status" | tail -n 1)
	[ "$1" -eq 0 ] && [ -n "$script_status" ] && exit "$script_status"

	tail -n 20 "$tmp/console" >&2
	case $1 in
	124)
		say_where
		! stuck_on_nop "$tmp/where" || give_up 125 "QEMU executed an int3 that was no longer there"
		give_up 124 "not finished within $limit s, given up" ;;
	*) give_up 125 "the VM ended before the script (QEMU's status: $1)" ;;
	esac
}

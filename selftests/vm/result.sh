# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The part of vm that judges a run: the script's exit status, the kernel log, and what the CPUs did
# if the VM did not finish. Sourced by vm, after boot.sh.

# vm and boot.sh set these.
: "${here:?} ${cache:?} ${KEEP_DAYS:?} ${tmp=} ${kernel=} ${bzimage=} ${limit=}"

# dump_cpus: stop the VM, and write registers and stacks of all CPUs to $tmp/where, for where.awk.
# QEMU answers within some hundredths of a second.
dump_cpus() {
	timeout 5 cat "$tmp/monitor.out" >"$tmp/where" &
	cat_pid=$!
	tell_monitor stop "info registers -a"
	sleep 1
	tr -d '\r' <"$tmp/where" | awk '
		/^CPU#/	{ cpu = substr($1, 5) }
		/ R?SP=/	{ sub(/.* R?SP=/, ""); print cpu, $1 }' |
		while read -r cpu stack; do
			tell_monitor "print/d $cpu" "x/512gx 0x$stack"
		done
	wait $cat_pid || :
}

# symbols_of KERNEL: the path of a file with its kallsyms. No package has that file, and vmlinux has
# no symbols: so the first call boots the kernel and reads /proc/kallsyms.
symbols_of() {
	symbols=$(root_of "$1")/vm/$1.symbols
	if [ ! -s "$symbols" ]; then
		# On a busy host, this VM may be too slow, too: it must not start another one.
		[ -z "${VM_ASKS:-}" ] || return
		echo "cat /proc/kallsyms" >"$tmp/ask"
		VM_ASKS=1 "$here/vm" run "$1" --icount --timeout 60 "$tmp/ask" >"$tmp/symbols" || return
		mv "$tmp/symbols" "$symbols"
	fi
	echo "$symbols"
}

# say_where: print what each CPU did when the time was up. The output has addresses instead of names
# after "vm debian", and for a bzImage, which does not run at the addresses of its symbols.
say_where() {
	symbols=/dev/null
	if [ -z "$bzimage" ] && (suite_of "$kernel") >/dev/null 2>&1; then
		symbols=$(symbols_of "$kernel") || return 0
	fi
	awk -v map="$symbols" -v deepest=12 -f "$here/where.awk" "$symbols" "$tmp/where" |
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

# complaint: the first line of the kernel's first complaint, and the first line after that with a
# name of our modules
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
		give_up 125 "the kernel complained: $(complaint)"
	fi
	script_status=$(sed -n 's/^status //p' "$tmp/status" | tail -n 1)
	[ "$1" -eq 0 ] && [ -n "$script_status" ] && exit "$script_status"

	tail -n 20 "$tmp/console" >&2
	case $1 in
	124)
		say_where
		give_up 124 "not finished within $limit s, given up" ;;
	*) give_up 125 "the VM ended before the script (QEMU's status: $1)" ;;
	esac
}

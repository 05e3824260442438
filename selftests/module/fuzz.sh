#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: newest
# long: real COUNT=50000
# COUNT random texts are written to the files that can be written. A text that is refused changes no
# setting. A text that is accepted changes no other setting, except that a longer period may raise
# the threshold; and the file then shows what the text means. The end of a session restores all
# settings. The same SEED makes the same texts. (settings.sh tests the errors.)
. "$(dirname "$0")/../lib.sh"
start_test

COUNT=${COUNT:-$(fewer 1500 300)}

# texts: print COUNT lines "FILE TEXT". TEXT has the escapes of printf. Between "session open" and
# "session close" most texts are for the session, as it refuses all other writes.
texts() {
	awk -v count="$COUNT" -v seed="$SEED" '
		function pick(list,	n, part) {
			n = split(list, part, " ")
			return part[1 + int(rand() * n)]
		}
		function value(file,	n, text) {
			for (n = 1 + int(rand() * 3); n > 0; n--)
				text = text pick(pieces[file])
			return text
		}
		BEGIN {
			srand(seed)
			pieces["enable"] = pieces["nosched"] = "0 1 n y No YES off on F t disabled enabled"
			pieces["cpus"] = "0 1 0-1 1-0 1,0 00 , - :1/2 \\040 \\n N 4096 4294967296 all x"
			pieces["sampling_period"] = pieces["trace_latency"] = "0 1 2 5 10 50 500 1000 " \
				"3600 3601 99 18446744073709551617 us us ms ms s ns - \\040"
			pieces["records"] = "0 1 2 7 - \\040 x 9223372036854775807 99999999999999999999"
			pieces["threshold"] = pieces["trace_latency"]
			for (; count > 0; count--) {
				if (rand() < 0.02) {
					print "session", is_open ? "close" : "open"
					is_open = !is_open
				}
				file = pick("enable nosched cpus sampling_period trace_latency records")
				text = value(file)
				if (is_open && rand() < 0.8) {
					file = "session"
					text = ""
					for (n = 1 + int(rand() * 3); n > 0; n--) {
						key = pick("enable nosched cpus sampling_period threshold")
						text = text (text == "" ? "" : "\\040") key \
							(rand() < 0.05 ? "" : "=") value(key)
					}
				}
				print file, text (rand() < 0.1 ? "\\n" : rand() < 0.03 ? "\\00001" : "")
			}
		}'
}

# read_settings: set $shown to "FILE=VALUE " of each setting. This starts no process.
read_settings() {
	shown=
	for setting in enable nosched cpus sampling_period trace_latency; do
		read -r line <"$P/$setting"
		shown="$shown$setting=${line#trace_irqoff_latency: } "
	done
}

# others FILE SETTINGS: set $other to the SETTINGS that an accepted write to FILE must not change
others() {
	other="${2%%"$1="*}${2#*"$1="* }"
	[ "$1" != sampling_period ] || other=${other%%trace_latency=*}
	[ "$1" != session ] || other=
}

# meaning FILE TEXT: set $means to what the file must show, or to nothing if it may show TEXT in
# another form
meaning() {
	means=
	case $1:${2%\\n} in
	*_*:*[!0-9ms]* | cpus:*[!0-9]* | records:* | session:*) ;;
	*_*:[1-9]*ms | cpus:[1-9]*) means=${2%\\n} ;;
	*_*:* | cpus:*) ;;
	*:[1yYtT]* | *:[oO][nN]*) means=enabled ;;
	*) means=disabled ;;
	esac
}

# judge FILE TEXT STATUS: a write with this exit status was right; the settings before are $before
judge() {
	read_settings
	if [ "$3" != 0 ]; then
		refused=$((refused + 1))
		[ "$before" = "$shown" ]
		return
	fi
	accepted=$((accepted + 1))
	others "$1" "$before"
	left=$other
	others "$1" "$shown"
	meaning "$1" "$2"
	case $2 in
	*\\0000*) return 1 ;;	# a NUL must not hide what follows it
	esac
	[ "$left" = "$other" ] || return
	case $shown in
	*"$1=$means"*) ;;
	*) [ -z "$means" ] ;;
	esac
}

all_right() {
	accepted=0 refused=0
	texts >/tmp/texts
	while read -r file text; do
		read_settings
		before=$shown
		status=0
		case $file:$text in
		session:open)
			exec 8>"$P/session"
			restored=$shown ;;
		session:close)
			exec 8>&-
			read_settings
			before=$restored status=1 ;;
		session:*) printf '%b' "$text" 2>/dev/null >&8 || status=1 ;;
		*) printf '%b' "$text" 2>/dev/null >"$P/$file" || status=1 ;;
		esac
		judge "$file" "$text" "$status" || {
			echo "$text to $file, status $status: $before, then $shown"
			return 1
		}
	done </tmp/texts
	exec 8>&-
	echo "$accepted accepted, $refused refused"
	[ "$accepted" -gt $((COUNT / 10)) ] && [ "$refused" -gt $((COUNT / 10)) ]
}

expect "$COUNT writes change what they say, or nothing" all_right
note "$expect_output"
put 0 enable
put "$(cat /sys/devices/system/cpu/online)" cpus
trace 10ms 50ms
inject hardirq 120000 "$(last_cpu)"
expect "after all writes, a window is recorded" await recorded kind=hardirq cpu="$(last_cpu)"
finish

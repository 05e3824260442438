# SPDX-License-Identifier: GPL-2.0
#
# "pinglog": what ping -D has printed. Lines that are none of its replies are left alone.
#
# Owns: nr_replies, reply_text[r] and reply_at[r] (seconds), reply_seq[r], reply_ms[r]; fastest_ms,
#	ping_sent, ping_received; has_gap (1: a reply before the last one is missing)
BEGIN { nr_replies = ping_sent = ping_received = has_gap = 0 }

# [1795234202.123456] 64 bytes from 10.0.0.1: icmp_seq=7 ttl=64 time=0.061 ms
function parse_ping(line,	at, word, gap) {
	split(line, word, " ")
	if (line ~ /^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms/) {
		nr_replies++
		at = word[1]
		gsub(/[][]/, "", at)
		reply_text[nr_replies] = at
		reply_at[nr_replies] = at + 0
		match(line, /icmp_seq=[0-9]+/)
		reply_seq[nr_replies] = substr(line, RSTART + 9, RLENGTH - 9)
		match(line, /time=[0-9.]+/)
		reply_ms[nr_replies] = substr(line, RSTART + 5, RLENGTH - 5) + 0
		if (nr_replies == 1 || reply_ms[nr_replies] < fastest_ms)
			fastest_ms = reply_ms[nr_replies]
		# It has 16 bits. A reply that comes late is no gap.
		gap = nr_replies > 1 ? (reply_seq[nr_replies] - reply_seq[nr_replies - 1] + 65536) % 65536 : 1
		if (gap > 1 && gap < 32768)
			has_gap = 1
	} else if (line ~ / packets transmitted, /) {
		ping_sent = word[1] + 0
		ping_received = word[4] + 0
	}
}

# SPDX-License-Identifier: GPL-2.0
#
# replies.awk: reads a log of ping -D, and prints how many replies are in it that have a time,
# and how many are missing.

/^\[[0-9.]*\] .* icmp_seq=[0-9]+ .* time=[0-9.]+ ms/ {
	match($0, /icmp_seq=[0-9]+/)
	seq = substr($0, RSTART + 9, RLENGTH - 9) + 0
	# It has 16 bits. What comes late is no gap.
	if (replies++) {
		gap = (seq - last + 65536) % 65536
		if (gap > 32767)
			next
		if (gap > 1)
			lost += gap - 1
	}
	last = seq
}

/^[0-9]+ packets transmitted, [0-9]+ received/ {
	sent = $1
	received = $4
}

END {
	# Also those that were lost last.
	if (sent - received > lost)
		lost = sent - received
	print replies + 0, lost + 0
}

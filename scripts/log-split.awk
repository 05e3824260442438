# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Splits a kernel log: each boot of each host gets a log.awk of its own (the command "reader") and a directory
# (0001, 0002, ... appended to "to"), where this program writes the files host and boot.

BEGIN {
	MAX_BOOTS = 1000
	nr_boots = 0
	host = ""
}

{
	# Colours of dmesg and journalctl
	gsub(/\033\[[0-9;]*[mK]/, "")
	if (match($0, /^[^\[]*[0-9]:[0-9][0-9][^\[]* kernel(\[[0-9]*\])?:/)) {
		split(substr($0, 1, RLENGTH), word, / +kernel/)
		# The syslogd of busybox writes a level before the program.
		sub(/ +kern[.][a-z]+$/, "", word[1])
		match(word[1], /[0-9]:[0-9][0-9][^ ]*/)
		n = split(substr(word[1], RSTART + RLENGTH), rest, " ")
		# journalctl --no-hostname, and OpenWrt: what follows the time is at most a zone or a year.
		host = n == 1 && (/^[^ ]+ [0-9]+-/ || rest[1] ~ /^[0-9][0-9][0-9][0-9]$/) ? "" : rest[n]
	}
	if (!(host in command) || /(^|\] *|kernel: *)Linux version [0-9]/)
		begin_boot()
	print | command[host]
}

function begin_boot(	dir) {
	if (nr_boots == MAX_BOOTS) {
		print "later boots than the first " MAX_BOOTS " are left out"
		exit
	}
	if (host in command)
		close(command[host])
	dir = sprintf("%s%04d", to, ++nr_boots)
	system("mkdir " dir)
	command[host] = reader " to=" dir " -"
	# Open files are few: a log may be of many hosts.
	print ++nr_of[host] >(dir "/boot")
	close(dir "/boot")
	if (host ~ /^[A-Za-z0-9]/) {
		print host >(dir "/host")
		close(dir "/host")
	}
}

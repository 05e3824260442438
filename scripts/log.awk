# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A kernel log as lines of the file records: soft and hard lockups and RCU stalls with their backtraces, and the
# records that the module prints at a panic. Input: log-lines, then the log of one boot of one host. Output, in the
# directory "to": panics (records), dumps (records without seq), facts, release. log-dumps.awk reads the backtraces.
#
# POSIX awk: what substr() returns is a string, and mawk creates the left side of an assignment first.
#
# Owns:
#	now_s, who	of this line: the time, printk's caller
#	stall, stall_s, stall_ns	what a watchdog reported last (soft, hard, rcu or ""); its time and duration
#	active_s		the time of the newest line of this stall
#	stall_text		the line that reports an RCU stall
#	stall_cpu[cpu]		the CPUs that the watchdog names; lone_cpu: that of a lockup, until another task is dumped
#	soft_task[cpu]		"PID NAME" of a soft lockup
#	nr_panics		records of the module; the last one may go on
#	held, nr_wrapped	the line that later lines may continue; how many have done so
#	fact[kind]		the index in fact_...[i] of lines of this kind; kind: the line without its digits
#	bug			the index of a bug whose function may follow, or 0

BEGIN {
	QUIET_S = 30		# a stall without a line for this time is over
	RCU_S = 21		# the kernel's default: the log does not say how long a jiffy is
	HARD_S = 10		# the kernel's default
	SOFT_S = 20		# the kernel's default, for a line that is cut
	other_program = "^([A-Z][a-z][a-z] )?([A-Z][a-z][a-z] +[0-9]+ |[0-9]+-[0-9]+-[0-9]+[ T])[0-9]+:[0-9]+:[0-9.]+[^ ,]* ([A-Z]+ )?" \
		"[^][ :]+ (sudo|[^][ :]+[[][0-9]+[]]):"
	months = "JanFebMarAprMayJunJulAugSepOctNovDec"
	now_s = 0
	MAX_FACTS = 20
	release = stall = lone_cpu = detected_by = held = ""
	nr_patterns = nr_facts = nr_firsts = nr_panics = bug = 0
}

NR == FNR {
	if (split($0, field, "\t") == 3 && $0 ~ /^(first|also)/) {
		class[++nr_patterns] = field[1]
		pattern[nr_patterns] = field[2]
		meaning[nr_patterns] = field[3]
	}
	next
}

# A mailer wraps lines: what follows has no time.
{
	gsub(/\r/, "")
	# Web pages have blanks that do not break.
	gsub(/\302\240/, " ")
	sub(/^([>|] ?)+/, "")
	if (/^[ \t]*(<[0-9]+>)?(\[ *[0-9]+[.][0-9]|\[?[A-Z][a-z][a-z] [A-Z0-9 ][a-z0-9]|[0-9]+-[0-9]+-[0-9]+T)/) {
		read_line(held)
		held = $0
		nr_wrapped = 0
	} else if (held != "" && nr_wrapped++ < 2) {
		sub(/ *$/, " ", held)
		held = held $0
	} else {
		read_line(held)
		held = ""
		read_line($0)
	}
}

END {
	read_line(held)
	end_stall()
	for (i = 1; i <= nr_facts; i++)
		print fact_head[i], fact_count[i], fact_text[i], "(" fact_about[i] ")" >(to "/facts")
	for (cpu in open_ns)
		close_window(cpu)
	if (nr_panics)
		print "" >(to "/panics")
}

# Two messages on one line: the second one begins with its time.
function read_line(line,	from, at) {
	from = at = 1
	while (match(substr(line, at + 1), /\[ *[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]\]/)) {
		at += RSTART
		if (substr(line, from, at - from) !~ /(kernel(\[[0-9]*\])?: *(- *)?|^<[0-9]+>|[(<])$/) {
			read_message(substr(line, from, at - from))
			from = at
		}
	}
	read_message(substr(line, from))
}

# The number behind the first match of a pattern; "": there is none.
function number_after(text, pattern) {
	if (!match(text, pattern "[0-9]+"))
		return ""
	text = substr(text, RSTART, RLENGTH)
	match(text, /[0-9]+$/)
	return substr(text, RSTART) + 0
}

# Seconds since 1970. Syslog does not write the year.
function seconds(year, month, day, clock,	part) {
	split(clock, part, /[:.,+Z-]/)
	return days_since_1970(year, month_of(month), day) * 86400 + part[1] * 3600 + part[2] * 60 + part[3]
}

# 1 to 12; of a name in another language: 0
function month_of(name,	at) {
	at = length(name) > 2 ? index(months, substr(name, 1, 3)) : 0
	return at ? (at + 2) / 3 : name + 0
}

# Seconds since 1970, of the last such day that is not after today; 0: the month or the time is not known.
function without_year(month, day, clock,	m, now) {
	split(today, now, "-")
	m = month_of(month)
	return m && clock ~ /:/ ? seconds(now[1] - (m * 100 + day > now[2] * 100 + now[3]), m, day, clock) : 0
}

# Cut off the prefixes of syslog, journald and printk. Sets now_s and who.
function message_of(line,	n, word, day) {
	sub(/^<[0-9]+>/, "", line)
	who = ""
	# What a container's log has before the message. read_line() takes it for a message of its own.
	if (line ~ /^[^ ]+Z (std(out|err) [FP] ?)?$/)
		return ""
	# Other programs quote the kernel in /var/log/messages.
	if (line ~ other_program && line !~ / kernel\[[0-9]*\]:/)
		return ""
	# /dev/kmsg, and netconsole with the same fields, which may begin with the release
	sub(/^[0-9]+[.][^ ,;]*,/, "", line)
	if (match(line, /^[0-9]+,[0-9]+,[0-9]+,[^;]*;/)) {
		split(line, word, ",")
		now_s = word[3] / 1000000
		line = substr(line, RLENGTH + 1)
	}
	# dmesg -x
	if (match(line, /^[a-z]+ *: *(emerg|alert|crit|err|warn|notice|info|debug) *: *[[0-9]/))
		line = substr(line, RLENGTH)
	if (match(line, /^(\[ *[0-9.]+( <[^>]*>)?\]|[0-9]+[.][0-9]+) [^ ]+ kernel(\[[0-9]*\])?: ?/)) {
		# journalctl -o short-monotonic, short-delta, short-unix
		now_s = substr(line, line ~ /^\[/ ? 2 : 1) + 0
		line = substr(line, RLENGTH + 1)
	} else if (match(line, /^[^\[]*[0-9]:[0-9][0-9][^\[]* kernel(\[[0-9]*\])?: ?(- )?/) || \
		   match(line, /^[0-9]+-[0-9]+-[0-9]+T[0-9:]+[.,][0-9]+(Z|[-+][0-9:]+) /)) {
		n = split(substr(line, 1, RLENGTH), word, " ")
		line = substr(line, RLENGTH + 1)
		# journalctl -o short-full: the name of the day comes first
		if (word[2] ~ /^[0-9]+-[0-9]+-[0-9]+$/)
			word[1] = word[2] "T" word[3]
		else if (word[1] ~ /^[0-9]+-[0-9]+-[0-9]+$/)
			word[1] = word[1] "T" word[2]
		split(word[1], day, /[-T]/)
		now_s = word[1] ~ /T/ ? seconds(day[1], day[2], day[3], day[4]) : without_year(word[1], word[2], word[3])
	}
	if (match(line, /^\[ *[0-9]+[.][0-9]+\]/)) {
		if (!n || now_s < 100000000)
			now_s = substr(line, 2) + 0
		line = substr(line, RLENGTH + 1)
	} else if (match(line, /^\[[^] ]+ [^] ]+ +[0-9]+ [0-9:]+ [0-9]+\]/)) {
		split(substr(line, 2, RLENGTH - 2), word, " ")
		line = substr(line, RLENGTH + 1)
		now_s = month_of(word[2]) ? seconds(word[5], word[2], word[3], word[4]) : 0
	} else if (match(line, /^\[( *[+][0-9.]+|[^] ]+ [0-9:]+)\]/))
		# dmesg -H
		line = substr(line, RLENGTH + 1)
	if (match(line, /^ *\[ *[TC][0-9]+\]/)) {
		who = substr(line, 1, RLENGTH)
		gsub(/[^TC0-9]/, "", who)
		line = substr(line, RLENGTH + 1)
	}
	sub(/^[ \t]*(kernel: *)?/, "", line)
	return line
}

function read_message(line,	text, n, cpu, word) {
	text = message_of(line)
	# The line that began the stall lost its time.
	if (stall != "" && !active_s)
		stall_s = active_s = now_s
	read_fact(text)
	if (match(text, /trace_irqoff: panic: seq=/)) {
		text = substr(text, RSTART + 21)
		begin_stall("", 0)
		printf "%s%s", nr_panics++ ? "\n" : "", text >(to "/panics")
	} else if (nr_panics && match(text, /trace_irqoff: panic[+] /)) {
		printf "%s", substr(text, RSTART + RLENGTH) >(to "/panics")
	} else if (text ~ /^Linux version [^ ]/) {
		split(text, word, " ")
		set_release(word[3])
	} else if (index(text, "soft lockup - CPU#")) {
		cpu = number_after(text, "CPU#")
		n = number_after(text, "stuck for ")
		n = n ? n : SOFT_S
		# CPUs that report at the same time: their backtraces come later.
		if (stall == "soft" && lone_cpu != cpu && now_s - stall_s < 1 && !nr_kept && !(who in dump_cpu)) {
			lone_cpu = ""
			stall_ns = n * 1000000000 > stall_ns ? n * 1000000000 : stall_ns
		} else {
			begin_stall("soft", n)
			lone_cpu = cpu
		}
		stall_cpu[cpu] = 1
		# A name may have brackets and colons.
		if (match(text, /s! \[.*:[0-9]+\]/)) {
			text = substr(text, RSTART + 4, RLENGTH - 5)
			match(text, /:[0-9]+$/)
			soft_task[cpu] = (substr(text, RSTART + 1) + 0) " " word_of(substr(text, 1, RSTART - 1))
		}
	} else if (text ~ /[Dd]etected hard LOCKUP/ || stall != "hard" && text ~ /Hard LOCKUP/) {
		cpu = number_after(text, "(on cpu|on other CPUs) ")
		if (cpu == "")
			cpu = number_after(text, "CPU[# ]*")
		if (stall != "hard" || !(cpu in stall_cpu)) {
			begin_stall("hard", HARD_S)
			# A panic does not name it.
			if (cpu != "")
				stall_cpu[lone_cpu = cpu] = 1
		}
	} else if (text ~ /detected (expedited )?stalls? on CPU/) {
		# Android reports expedited stalls after 20 ms. A jiffy is at least 1 ms long.
		n = number_after(text, "} ")
		begin_stall("rcu", n != "" && n < RCU_S * 100 ? n / 1000 : RCU_S)
		stall_text = text
		is_reader = text ~ /[ {]P[0-9]+ /
		# Without details of CPUs, up to 4.0: "{ 0 3}"
		if (match(text, /[{][ 0-9P]+[}]/)) {
			split(substr(text, RSTART + 1, RLENGTH - 2), word, " ")
			for (n in word)
				if (word[n] !~ /P/)
					stall_cpu[word[n] + 0] = 1
		}
		for (n = text; match(n, /[ {][0-9]+-[.oO!?NdD]/); n = substr(n, RSTART + RLENGTH))
			stall_cpu[substr(n, RSTART + 1) + 0] = 1
		if (text ~ /self-detected/ && who ~ /^C/)
			stall_cpu[substr(who, 2) + 0] = 1
	} else if (stall == "") {
		if (text ~ /CPU: [0-9]+ .*PID: [0-9]+ Comm: /)
			set_release(text)
	} else if (now_s - active_s > QUIET_S || now_s < active_s - 5 || \
		 text ~ /^(WARNING: |Oops|[Ss]ys[Rr]q ?: *Show (Blocked )?State)|invoked oom-killer|detected stalls on tasks/)
		end_stall()
	else if (text ~ /^Kernel panic/) {
		# The panic prints the backtrace of the same moment again.
		end_dumps()
		if (nr_kept)
			end_stall()
	} else
		read_stall(text)
}

# Note a line of log-lines; of a bug also the function in which it was found.
function read_fact(text,	i, n) {
	if (bug && match(text, /^(RIP: 0010:|pc : )[A-Za-z_][A-Za-z0-9_.]*/)) {
		fact_text[bug] = fact_text[bug] ", " substr(text, RSTART, RLENGTH)
		bug = 0
	}
	for (i = 1; i <= nr_patterns && text !~ pattern[i]; i++)
		;
	if (i <= nr_patterns && class[i] == "first") {
		end_stall()
		n = nr_facts
		add_fact(nr_stalls || nr_firsts++ ? "also" : "first", text, meaning[i])
		bug = nr_facts > n ? nr_facts : 0
	} else if (i <= nr_patterns)
		add_fact("also", text, meaning[i])
}

# Lines that differ in numbers only are of one kind. Of "first", the first line counts, and of "also" the last one.
function add_fact(head, text, about,	i, kind) {
	kind = text
	gsub(/[0-9]+/, "", kind)
	i = kind in fact ? fact[kind] : nr_facts + 1
	if (i > MAX_FACTS)
		return
	if (i > nr_facts) {
		fact[kind] = nr_facts = i
		fact_head[i] = head
		fact_about[i] = about
		fact_count[i] = 0
	}
	if (!fact_count[i]++ || fact_head[i] == "also")
		fact_text[i] = substr(text, 1, 160)
}

function begin_stall(name, duration_s) {
	end_stall()
	stall = name
	stall_s = active_s = now_s
	stall_ns = duration_s * 1000000000
}

# The release stands before "#1" in "Comm: sh Tainted: G  O  6.1.0-1-amd64 #1 Debian".
function set_release(text,	n, word) {
	sub(/ \(?#[0-9].*/, "", text)
	n = split(text, word, " ")
	if (release != "" || word[n] !~ /^[(]?[1-9][0-9]*[.][0-9]/)
		return
	release = word[n]
	gsub(/[^!-~]|[(),]/, "", release)
	print release >(to "/release")
}

# The name of a task as in a record
function word_of(text,	n, i, word) {
	n = split(text, word, " ")
	for (text = i = ""; ++i <= n; )
		text = text (i > 1 ? "\\x20" : "") word[i]
	gsub(/[^!-~]/, "?", text)
	return text == "" ? "-" : substr(text, 1, 64)
}

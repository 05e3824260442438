# SPDX-License-Identifier: GPL-2.0
#
# Numbers, times and strings as the outputs print them. Nothing in here knows of windows.
#
# Owns: escape[character]

# What is no printable character could be anything to a terminal.
function printable(text,	done, part, i, c) {
	if (text !~ /[^ -~]/)
		return text
	if (!("\n" in escape))
		for (i = 0; i < 256; i++)
			escape[sprintf("%c", i)] = sprintf("\\x%02x", i)
	# By parts, as each character that is added copies all those before it.
	done = part = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		part = part (c ~ /[ -~]/ ? c : c in escape ? escape[c] : "?")
		if (length(part) > 500) {
			done = done part
			part = ""
		}
	}
	return done part
}

# Backslashes in gsub() differ between awks.
function replaced(text, old, new,	at, done) {
	done = ""
	at = index(text, old)
	while (at) {
		done = done (at > 1 ? substr(text, 1, at - 1) : "") new
		text = at + length(old) > length(text) ? "" : substr(text, at + length(old))
		at = index(text, old)
	}
	return done text
}

# A string of JSON, or the value of a label of Prometheus.
function quoted(text) {
	text = printable(text)
	return "\"" replaced(replaced(text, "\\", "\\\\"), "\"", "\\\"") "\""
}

function log2(value,	bits) {
	for (bits = 0; value > 1; bits++)
		value /= 2
	return bits
}

# busybox may have no operator for it.
function exp2(bits,	value) {
	for (value = 1; bits > 0; bits--)
		value *= 2
	return value
}

# Sorts "3,0,1".
function sorted(list,	n, number, i, same, value, text) {
	n = split(list, number, ",")
	for (i = 1; i <= n; i++) {
		same[number[i]] = 0
		value[number[i]] = number[i] + 0
	}
	sort_by(number, n, same, value)
	text = number[1]
	for (i = 2; i <= n; i++)
		text = text "," number[i]
	return text
}

# "0-3,8"
function cpu_ranges(list,	n, number, i, text) {
	n = split(sorted(list), number, ",")
	text = number[1]
	for (i = 2; i <= n; i++)
		if (number[i] != number[i - 1] + 1)
			text = text "," number[i]
		else if (i == n || number[i + 1] != number[i] + 1)
			text = text "-" number[i]
	return text
}

function cpu_list(list,	number, text) {
	text = cpu_ranges(list)
	return length(text) > 9 ? split(list, number, ",") " CPUs" : text
}

function with_commas(number,	text) {
	for (text = ""; length(number) > 3; number = substr(number, 1, length(number) - 3))
		text = "," substr(number, length(number) - 2) text
	return number text
}

function plural(n, word, words) {
	return n " " (n == 1 ? word : words == "" ? word "s" : words)
}

function duration(ns) {
	ns += 0		# a number, wherever it came from
	if (ns < 10000000)
		return sprintf("%.2f ms", ns / 1e6)
	if (ns < 1000000000)
		return sprintf("%d ms", ns / 1e6)
	if (ns < 100000000000)
		return sprintf("%.2f s", ns / 1e9)
	return sprintf("%.0f s", int(ns / 1e9))
}

# An upper bound: not less than it is.
function duration_up(ns) {
	ns += 0
	return duration(ns < 10000000 ? ns + 9999 : ns < 1000000000 ? ns + 999999 : ns + 9999999)
}

function microseconds(us) {
	return us < 1000 ? us " us" : duration(us * 1000)
}

# "50ms" or "500us", as the module prints settings.
function in_seconds(setting,	number) {
	number = setting
	sub(/[^0-9.].*/, "", number)
	return setting == "" ? "" : number / (setting ~ /us$/ ? 1e6 : setting ~ /ms$/ ? 1e3 : 1)
}

# A time in seconds with a point, as clock() takes it.
function with_fraction(seconds) {
	return index(seconds, ".") ? seconds "000000" : sprintf("%.0f.000000", seconds)
}

# A kernel log without dates has seconds since boot.
function is_since_boot(seconds) {
	return seconds + 0 < 1e8
}

# "1795285513.087952663", seconds since 1970, as the kernel prints it in trace_latency: UTC.
function clock(seconds,	s, days, y, m, d, era, doe, yoe, doy, mp) {
	s = int(seconds + 0)
	days = int(s / 86400) + 719468
	s %= 86400
	era = int(days / 146097)
	doe = days - era * 146097
	yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
	doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100))
	mp = int((5 * doy + 2) / 153)
	d = doy - int((153 * mp + 2) / 5) + 1
	m = mp < 10 ? mp + 3 : mp - 9
	y = yoe + era * 400 + (m <= 2)
	return sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%sZ", y, m, d,
		       int(s / 3600), int(s % 3600 / 60), s % 60,
		       substr(seconds, index(seconds, ".") + 1, 6))
}

# A log may have the time of another zone.
function zone() {
	return from_log ? "" : " UTC"
}

# The separator stays at the end of a line.
function print_words(head, nr, word, separator, indent,	i, line) {
	line = head
	for (i = 1; i <= nr; i++) {
		if (i > 1) {
			line = line separator
			if (length(line) + length(word[i]) > 80) {
				sub(/ $/, "", line)
				print line
				line = indent
			}
		}
		line = line word[i]
	}
	print line
}

function print_list(head, list, separator, indent,	word) {
	print_words(head, split(list, word, separator), word, separator, indent)
}

function print_text_line(head, text, indent) {
	print_list(head, text, " ", indent)
}

function about(seconds) {
	return seconds < 1 ? sprintf("%d ms", seconds * 1000 + 0.5) : seconds < 10 ? sprintf("%.1f s", seconds) : \
		seconds < 120 ? sprintf("%d s", seconds + 0.5) : seconds < 7200 ? sprintf("%d min", seconds / 60 + 0.5) : \
		sprintf("%.1f h", seconds / 3600)
}

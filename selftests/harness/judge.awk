# SPDX-License-Identifier: GPL-2.0
#
# Judges a run. Reads selftests/skips, and then the log of the run in the format of selftests/run.
# Prints "passed failed skipped", and then a line for each failure, with the notes of the test. A
# test fails without a verdict, or without a plan that has the number of its lines. It also fails if it
# skips what selftests/skips does not list, or does not need a line there that has its name.
#
# Variables: kernel, machine, tests (names, separated by blanks), status (exit status of the run),
# log_file, and skips (the name of a file for the reason of each skip).

# listed(LIST, WORD): LIST has WORD, or "*". For kernels, "6.12+" is this version and all later
# ones, of any flavour; "*-arm64" is all kernels for arm64.
function listed(list, word,	i, n, part) {
	n = split(list, part, " ")
	for (i = 1; i <= n; i++)
		if (part[i] == word || part[i] == "*" ||
		    part[i] ~ /^[0-9.]+\+$/ && since(part[i], word) ||
		    part[i] ~ /^\*-/ && word ~ (substr(part[i], 2) "$"))
			return 1
	return 0
}

# since(FIRST, KERNEL): KERNEL has the version FIRST or a later one
function since(first, kernel,	a, b) {
	if (kernel !~ /^[0-9]+\.[0-9]/)
		return 0
	split(first, a, ".")
	split(kernel, b, ".")
	return b[1] + 0 > a[1] + 0 || b[1] + 0 == a[1] + 0 && b[2] + 0 >= a[2] + 0
}

function fail(words) {
	failed++
	report = report words "\n"
	noting = 1
}

# skip(WORDS, WHY): a skip of the current test; a failure unless selftests/skips lists it
function skip(words, why,	i) {
	for (i = 1; i <= allowed; i++)
		if (test == name[i] && words ~ ("^(" what[i] ")$") ||
		    name[i] == "*" && "# " why ~ ("^(" what[i] ")$")) {
			skipped++
			needed[i]
			print why >>skips
			return
		}
	fail(test ": a skip that selftests/skips does not list: " words " # SKIP " why)
	noting = 0
}

# Lines of selftests/skips: kernels | machines | test | what | why
FILENAME != log_file {
	if ($0 ~ /^(#|$)/)
		next
	n = split($0, part, / *\| */)
	if (n != 5 || part[5] == "") {
		fail("selftests/skips:" FNR ": not five parts: " $0)
		next
	}
	if (listed(part[1], kernel) && listed(part[2], machine)) {
		name[++allowed] = part[3]
		what[allowed] = part[4]
		line[allowed] = "selftests/skips:" FNR ": " $0
	}
	next
}

{ last = $0 }

# The last message of vm, unless it only reports progress.
/^vm: / && !/^vm: ([^ ]*: )?(installing|building|fetching|newest kernels)/ { said = $0 }

/^# selftests: trace_irqoff: / {
	test = $NF
	planned = -1
	lines = inner = noting = 0
	next
}

/^# 1\.\.0 # SKIP/ {
	sub(/^# 1\.\.0 # SKIP */, "")
	skip("all", $0)
	planned = lines
	next
}

/^# 1\.\.[0-9]+$/ {
	planned = substr($2, 4) + 0
	next
}

/^# ok .* # SKIP/ {
	lines++
	words = why = $0
	sub(/^# ok [0-9]* */, "", words)
	sub(/ # SKIP.*/, "", words)
	sub(/.* # SKIP */, "", why)
	before = failed
	skip(words, why)
	inner += failed - before
	next
}

/^# ok / {
	lines++
	passed++
	noting = 0
	next
}

# "gave up": await() of lib.sh, outside of a check
/^# (not ok|gave up:) / {
	lines += /^# not ok /
	inner++
	fail(test ": " substr($0, 3))
	next
}

/^(not )?ok / {
	verdict[test]
	if (planned < 0)
		fail(test ": it has no plan")
	else if (lines != planned)
		fail(test ": " planned " planned, but " lines " run")
	else if (/^not / && !inner)
		fail(test ": " $0)
	noting = 0
	next
}

noting && /^# # / {
	report = report "  " $0 "\n"
	next
}

{ noting = 0 }

END {
	# The message of vm; without one, the last line of the log, if no test has failed.
	if (status && (said != "" || !failed))
		fail(said != "" ? said : last != "" ? last : "exit status " status ", no output")
	n = split(tests, part, " ")
	for (i = 1; i <= n; i++)
		if (!(part[i] in verdict))
			fail(part[i] ": no verdict")
	if (!n)
		fail("no test")
	# A test that failed may have ended before the skip.
	for (i = 1; i <= allowed && !failed; i++)
		if (name[i] in verdict && !(i in needed))
			fail("no test skipped this: " line[i])
	printf "%d %d %d\n%s", passed, failed, skipped, report
}

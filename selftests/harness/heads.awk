# SPDX-License-Identifier: GPL-2.0
#
# Selects the tests of each kernel and machine, from the heads of the tests.
#
#	# machine: icount smp
# The machines of the test, see machines.sh. One VM runs all tests of a kernel and machine. "none":
# the test runs only where "long:", "kcsan:" and "kcsan-long:" say so.
#	# only: stock debug
# The kernels that can run the test; without this line "stock debug arm64 hz". "stock": all Debian
# kernels for x86-64; "not-rt": without those with PREEMPT_RT; "arm64": all for arm64; "hz":
# kernels with other scheduler ticks than Debian's: hz100 and ubuntu.
#	# kernels: oldest newest debug
# The kernels of make check; without this line all. "oldest" and "newest": the first and the last of
# "stock"; "newest-rt": the last one with PREEMPT_RT; "newest-arm64": the last of "arm64". make
# check-long runs the test on the other kernels, and on what make check leaves out of these, see
# is_checked(): on kernels between the oldest and the newest, all machines but smp4.
#	# long: smp8 DURATION=120
# make check-long also runs the test with these variables, on each of "kernels:", in its own VM.
#	# kcsan: smp4 DURATION=30
# make check runs the test on the kernel kcsan, in a VM of its own.
#	# kcsan-long: smp4 DURATION=60
# The same for make check-long.
#	# host: reason
# on-host leaves the test out, for this reason.
#
# Variables: all (all kernels, as "vm list" prints them), known_machines, and mode:
#	mistakes   print a line for each mistake in a head
#	machines   print "KERNEL MACHINE TEST..." for each VM of "kernels".
#	           part=check: tests of make check; rest: tests that only make check-long runs;
#	           all: both
#	single     print "KERNEL MACHINE [VARIABLE=VALUE]... TEST" for each of "kernels" and each
#	           line "key"
# Environment: VM_BACKPORTS (the kernels of Debian's backports, the newest last)

BEGIN {
	# make check runs middle kernels only on this machine. There, each kind of window is made
	# and sampled. One machine is enough: all branches of compat.h are compiled for other
	# kernels, too.
	middle_machine = "smp4"
	# make check leaves out: nmi-arm64, which takes ten minutes to build and has one test; and
	# the older kernel of backports, which is like the newest.
	long_kernels = "nmi-arm64"
	for (i = split(ENVIRON["VM_BACKPORTS"], backport, " "); i > 1; i--)
		long_kernels = long_kernels " " backport[i - 1]
	# Our own kernels lack drivers or options for these.
	debian_machines = "isolated suspend poll lowres"

	known_kernels = "stock not-rt oldest newest newest-rt arm64 newest-arm64 hz " all
	nr_all = split(all, kernel, " ")
	for (i = 1; i <= nr_all; i++) {
		family = family_of(kernel[i])
		if (!(family in first))
			first[family] = kernel[i]
		last[family] = kernel[i]
		if (kernel[i] ~ /-rt$/)
			last_rt = kernel[i]
	}
}

# family_of(KERNEL): "stock", "arm64", "hz", or the name of a special kernel, such as debug
function family_of(k) {
	if (k ~ /^hz/ || k == "ubuntu")
		return "hz"
	return k !~ /^[0-9]/ ? k : k ~ /-arm64$/ ? "arm64" : "stock"
}

function has(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# is_middle(KERNEL): a stock kernel, but not the first, the last or the last with PREEMPT_RT; an
# arm64 kernel, but not the last; or one with other scheduler ticks
function is_middle(k,	family) {
	family = family_of(k)
	if (family == "arm64")
		return k != last[family]
	return family == "hz" || \
		family == "stock" && k != first[family] && k != last[family] && k != last_rt
}

function only_of(test) {
	return nr_lines[test, "only"] ? line[test, "only", 1] : "stock debug arm64 hz"
}

# is_for(TEST, KERNEL): the kernel can run the test
function is_for(test, k) {
	if (k ~ /-rt$/ && has(only_of(test), "not-rt"))
		return 0
	return has(only_of(test), k) || has(only_of(test), family_of(k))
}

# in_check(TEST, KERNEL): "kernels:" has the kernel. is_in() also checks the machine.
function in_check(test, k,	list) {
	list = line[test, "kernels", 1]
	return is_for(test, k) && (list == "" || has(list, k) || has(list, family_of(k)) || \
		k == first["stock"] && has(list, "oldest") || \
		k == last["stock"] && has(list, "newest") || \
		k == last_rt && has(list, "newest-rt") || \
		k == last["arm64"] && has(list, "newest-arm64"))
}

# has_machine(TEST, KERNEL, MACHINE): the test runs there, in make check or in make check-long
function has_machine(test, k, m,	list) {
	list = line[test, "machine", 1]
	if (!has(list, m) || !is_for(test, k))
		return 0
	# On debug, a test with the machine "real" runs only there: CPUs that run at the same time
	# find more errors than CPUs that run in turn.
	if (m == "real" || k == "debug" && has(list, "real"))
		return m == "real" && k == "debug"
	return !has(debian_machines, m) || family_of(k) ~ /^(stock|arm64)$/
}

# is_checked(TEST, KERNEL, MACHINE): make check runs the test there
function is_checked(test, k, m) {
	return in_check(test, k) && !has(long_kernels, k) && (!is_middle(k) || m == middle_machine)
}

# is_in(PART, TEST, KERNEL, MACHINE): PART is "check", "rest" or "all"
function is_in(p, test, k, m) {
	return has_machine(test, k, m) && (p == "all" || is_checked(test, k, m) == (p == "check"))
}

# is_single(TEST, KERNEL, KEY): each line KEY is a VM for the test
function is_single(test, k, key) {
	return key ~ /^kcsan/ ? k == "kcsan" : in_check(test, k)
}

FNR == 1 {
	tests[++nr_tests] = FILENAME
	above_code = 1
}

/^[^#]/ || /^$/ { above_code = 0 }

above_code && /^# *[A-Za-z-]+ *: */ {
	key_here = value = $0
	gsub(/^# *| *:.*/, "", key_here)
	sub(/^[^:]*: */, "", value)
	split(value, word, " ")
	if (key_here ~ /^(machine|only|kernels|long|kcsan|kcsan-long|host)$/)
		line[FILENAME, key_here, ++nr_lines[FILENAME, key_here]] = value
	else if (has(known_machines " " known_kernels, word[1]))
		mistake(FILENAME, "unknown key '" key_here ":'")
}

function mistake(test, words) {
	mistakes = mistakes test ": " words "\n"
}

# check_words(TEST, WORDS, LIST, WHAT): the list has all of these words
function check_words(test, words, list, what,	n, i, word) {
	n = split(words, word, " ")
	for (i = 1; i <= n; i++)
		if (!has(list, word[i]))
			mistake(test, "unknown " what " '" word[i] "'")
}

# check_single(TEST, KEY): the lines with this key. Two runs must not have the same name.
function check_single(test, key,	i, machine_here, seen) {
	for (i = 1; i <= nr_lines[test, key]; i++) {
		machine_here = line[test, key, i]
		sub(/ .*/, "", machine_here)
		check_words(test, machine_here, known_machines, "machine")
		if (seen[machine_here]++)
			mistake(test, key ": two lines with machine '" machine_here "'")
	}
}

function check_head(test) {
	if (test !~ /\.sh$/)
		mistake(test, "its name does not end in .sh")
	if (nr_lines[test, "only"] > 1 || nr_lines[test, "kernels"] > 1)
		mistake(test, "more than one line \"only:\" or \"kernels:\"")
	if (nr_lines[test, "machine"] != 1)
		mistake(test, "not one line \"machine:\" in its head")
	check_words(test, line[test, "machine", 1], "none " known_machines, "machine")
	check_words(test, line[test, "only", 1] " " line[test, "kernels", 1], known_kernels, "kernel")
	check_single(test, "long")
	check_single(test, "kcsan")
	check_single(test, "kcsan-long")
	if (line[test, "machine", 1] == "none" && !nr_lines[test, "long"] && !nr_lines[test, "kcsan"])
		mistake(test, "no kernel and machine runs it")
}

END {
	if (mode == "mistakes") {
		for (t = 1; t <= nr_tests; t++)
			check_head(tests[t])
		printf "%s", mistakes
		exit
	}
	nr_kernels = split(kernels, kernel, " ")
	nr_machines = split(known_machines, machine, " ")
	for (m = 1; mode == "machines" && m <= nr_machines; m++)
		for (k = 1; k <= nr_kernels; k++) {
			out = ""
			for (t = 1; t <= nr_tests; t++)
				if (is_in(part, tests[t], kernel[k], machine[m]))
					out = out " " tests[t]
			if (out != "")
				print kernel[k], machine[m] out
		}
	for (k = 1; mode == "single" && k <= nr_kernels; k++)
		for (t = 1; t <= nr_tests; t++)
			for (i = 1; i <= nr_lines[tests[t], key]; i++)
				if (is_single(tests[t], kernel[k], key))
					print kernel[k], line[tests[t], key, i], tests[t]
}

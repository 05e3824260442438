# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Prints the lines of selftests/skips that no test needed, although the test of the line ran on a
# kernel and machine of the line. Reads three files: the numbers of the lines that were needed,
# "KERNEL MACHINE TEST" of each test that ran, and selftests/skips. listed() is in listed.awk.
#
# Variables: needed, ran_file (the names of the first and the second file)

BEGIN { FS = " *[|] *" }

FILENAME == needed {
	was_needed[$1]
	next
}

FILENAME == ran_file {
	ran[++nr] = $0
	next
}

/^(#|$)/ || FNR in was_needed { next }

{
	for (i = 1; i <= nr; i++) {
		split(ran[i], part, " ")
		if (listed($1, part[1]) && listed($2, part[2]) && $3 == part[3]) {
			print "selftests/skips:" FNR ": no test skipped this: " $0
			next
		}
	}
}

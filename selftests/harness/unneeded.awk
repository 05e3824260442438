# SPDX-License-Identifier: GPL-2.0
#
# Which lines of selftests/skips nobody needs, though the test of the line ran where it is for.
# Reads the numbers of the lines that were needed, then "KERNEL MACHINE TEST" of all that ran, then
# selftests/skips, with fields as they are there. listed() is in listed.awk.
#
# Variables: needed, ran_file (the names of the first two)

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
			print "selftests/skips:" FNR ": nobody needs: " $0
			next
		}
	}
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The lists of selftests/skips. Used by judge.awk and unneeded.awk.

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

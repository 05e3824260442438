# SPDX-License-Identifier: GPL-2.0
#
# Words of the lists in selftests/skips. Used by judge.awk, and by check.

# listed(LIST, WORD): WORD is in LIST, or "*" is; of kernels "6.12+" is that version and all
# later ones, whatever their flavour, and "*-arm64" are those of that flavour
function listed(list, word,	i, n, part) {
	n = split(list, part, " ")
	for (i = 1; i <= n; i++)
		if (part[i] == word || part[i] == "*" ||
		    part[i] ~ /^[0-9.]+\+$/ && since(part[i], word) ||
		    part[i] ~ /^\*-/ && word ~ (substr(part[i], 2) "$"))
			return 1
	return 0
}

function since(first, kernel,	a, b) {
	if (kernel !~ /^[0-9]+\.[0-9]/)
		return 0
	split(first, a, ".")
	split(kernel, b, ".")
	return b[1] + 0 > a[1] + 0 || b[1] + 0 == a[1] + 0 && b[2] + 0 >= a[2] + 0
}

# SPDX-License-Identifier: GPL-2.0
#
# cgroups.awk: reads "INODE PATH" of all directories of the cgroup file system, and prints
# "ID PATH" for the ids that are wanted, the path being that below root; "ID" alone is gone.

BEGIN {
	n = split(ids, id, " ")
	for (i = 1; i <= n; i++)
		wanted[id[i]] = 1
}
$1 in wanted {
	path = substr($0, length($1) + 2 + length(root))
	print $1, path == "" ? "/" : path
	delete wanted[$1]
}
END {
	for (gone in wanted)
		print gone
}

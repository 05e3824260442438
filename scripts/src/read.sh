# SPDX-License-Identifier: GPL-2.0
#
# Small files, read by this shell itself. Each process that is started may be put on a CPU that
# stands still, and waits there for as long as that does: what needs none starts none.

# read_line FILE: sets line to its first one; fails when there is none
read_line() {
	line=
	{ read -r line <"$1"; } 2>/dev/null || [ -n "$line" ]
}

# read_values FILE SEPARATOR PREFIX KEY...: sets PREFIX_KEY for each KEY, from the lines "KEY
# SEPARATOR VALUE" of the file: empty where there is none. A last line that has no end is none.
# Fails when the file cannot be opened.
read_values() {
	values_file=$1 values_separator=$2 values_prefix=$3
	shift 3
	for values_key; do
		eval "${values_prefix}_$values_key="
	done
	{
		# shellcheck disable=SC2034 # eval uses it
		while IFS=$values_separator read -r values_name values_text; do
			for values_key; do
				[ "$values_name" != "$values_key" ] ||
					eval "${values_prefix}_$values_key=\$values_text"
			done
		done <"$values_file"
	} 2>/dev/null
}

# read_uptime: sets uptime_s, the seconds since boot: a clock that nobody sets
read_uptime() {
	read_line /proc/uptime
	uptime_s=${line%%.*}
}

# read_host: sets host_name and host_release, what uname -n and -r say, and host_boot_id
read_host() {
	if read_line /proc/sys/kernel/hostname; then
		host_name=$line
	else
		host_name=$(uname -n)
	fi
	if read_line /proc/sys/kernel/osrelease; then
		host_release=$line
	else
		host_release=$(uname -r)
	fi
	read_line /proc/sys/kernel/random/boot_id || :
	host_boot_id=$line
}

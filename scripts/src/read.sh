# SPDX-License-Identifier: GPL-2.0
#
# Small files, read without a program: the scheduler may place a program on a CPU that is stuck.

# read_line FILE: set line to its first line; fails when there is none
read_line() {
	line=
	{ read -r line <"$1"; } 2>/dev/null || [ -n "$line" ]
}

# read_values FILE SEPARATOR PREFIX KEY...: for each KEY, set PREFIX_KEY from the line "KEY
# SEPARATOR VALUE", or to nothing. Ignores a last line without a newline; fails without FILE.
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

# read_uptime: set uptime_s, the seconds since boot: a change of the time does not affect it
read_uptime() {
	read_line /proc/uptime
	uptime_s=${line%%.*}
}

# read_host: set host_name, host_release ... Other systems, where "report FROM" works, have no /proc. In
# a pod, the host name is the pod's: kubernetes.yaml names the node.
read_host() {
	read_line /proc/sys/kernel/hostname || line=$(uname -n)
	host_name=${TRACE_IRQOFF_HOST:-$line}
	read_line /proc/sys/kernel/osrelease || line=$(uname -r)
	host_release=$line
	read_line /proc/sys/kernel/version || line=$(uname -v)
	host_kernel_version=$line
	read_line /proc/sys/kernel/random/boot_id || :
	host_boot_id=$line
	read_hardware
}

# read_hardware: set host_hardware, such as "Dell Inc. PowerEdge R640, Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz"
read_hardware() {
	host_hardware=
	for host_file in class/dmi/id/sys_vendor class/dmi/id/product_name firmware/devicetree/base/model; do
		! read_line "$ROOT/sys/$host_file" || host_hardware="$host_hardware${host_hardware:+ }$line"
	done
	while IFS=: read -r host_key line; do
		[ "${host_key#model name}" = "$host_key" ] || {
			host_hardware="$host_hardware${host_hardware:+,}$line"
			break
		}
	done 2>/dev/null <"$ROOT/proc/cpuinfo" || :
	host_hardware=${host_hardware# }
	host_hardware=${host_hardware:-unknown}
}

# name_host DIRECTORY: write there that its files are of this host
name_host() {
	read_host
	printf '%s\n' "$host_name" >"$1/host" && printf '%s\n' "$host_release" >"$1/release" &&
		printf '%s\n' "$host_kernel_version" >"$1/kernel_version" &&
		printf '%s\n' "$host_boot_id" >"$1/boot_id" && printf '%s\n' "$host_hardware" >"$1/hardware"
}

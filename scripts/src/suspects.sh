# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The state of the suspects: a number on this host that belongs to a known cause, and who started the
# task of a culprit. Read after a run, only for the first culprits, within a second each. No file is
# read that could make the incident worse, such as /proc/slabinfo, /proc/net/arp or /proc/PID/stat of
# a process with many threads.

cgroup_nr_descendants='' cgroup_nr_dying_descendants='' sockets_TCP=''
seen_culprit='' unit_NRestarts='' unit_ActiveEnterTimestamp=''

# within_a_second COMMAND...: a file system or a daemon that hangs must not delay the report
within_a_second() {
	timeout 1 "$@" 2>/dev/null </dev/null 8>&-
}

# hex_sum FILE N: print the sum of the hexadecimal numbers in column N, without the first line
hex_sum() {
	awk -v column="$2" 'NR == 2 {
		n = tolower($column)
		for (i = 1; i <= length(n); i++)
			sum = sum * 16 + index("0123456789abcdef", substr(n, i, 1)) - 1
		print sum
	}' "$1" 2>/dev/null
}

# state_of NAME: print the state that a line of causes.tsv names, in one line; nothing if this host does
# not have it
state_of() {
	case $1 in
	cgroups)
		read_values "$ROOT/sys/fs/cgroup/cgroup.stat" ' ' cgroup nr_descendants nr_dying_descendants || :
		if [ -n "$cgroup_nr_dying_descendants" ]; then
			echo "$cgroup_nr_descendants cgroups, and $cgroup_nr_dying_descendants that were removed" \
				"but are still there"
			return
		fi
		state_cgroups=$(awk '$1 == "memory" { print $3 }' "$ROOT/proc/cgroups") || :
		state_dirs=$(within_a_second find "$ROOT/sys/fs/cgroup/memory" -type d | wc -l) || :
		[ -z "$state_cgroups" ] || echo "$state_cgroups memory cgroups, $state_dirs directories" ;;
	conntrack)
		# Not by a shell, which may read single bytes: of numbers in /proc/sys, there is only one.
		cd "$ROOT/proc/sys/net/netfilter" 2>/dev/null || return 0
		echo "$(cat nf_conntrack_count) conntrack entries in $(cat nf_conntrack_buckets) buckets" ;;
	neighbours)
		echo "$(hex_sum "$ROOT/proc/net/stat/arp_cache" 1) neighbours of IPv4," \
			"$(hex_sum "$ROOT/proc/net/stat/ndisc_cache" 1) of IPv6" ;;
	routes6)
		read_line "$ROOT/proc/net/rt6_stats" || return 0
		echo "$(printf '\n%s\n' "$line" | hex_sum - 4) IPv6 routes" ;;
	services)
		[ -r "$ROOT/proc/net/ip_vs" ] || return 0
		echo "$(within_a_second grep -cE '^(TCP|UDP|SCTP|FWM) ' "$ROOT/proc/net/ip_vs") IPVS services" ;;
	sockets)
		read_values "$ROOT/proc/net/sockstat" ': ' sockets TCP || return 0
		echo "TCP sockets: $sockets_TCP" ;;
	console)
		echo "log level $(cut -f 1 "$ROOT/proc/sys/kernel/printk"), consoles: $(cut -d ' ' -f 1 "$ROOT/proc/consoles" | paste -s -d ' ')" ;;
	threads)
		within_a_second grep -H Threads: "$ROOT/proc"/[0-9]*/status | sort -k 2nr |
			sed -n '1s|.*/\([0-9]*\)/status:Threads:[[:space:]]*\(.*\)|\1 \2|p' | {
			read -r state_pid state_threads || exit 0
			read_line "$ROOT/proc/$state_pid/comm" || :
			echo "the most threads: $state_threads, of $line (PID $state_pid)"
		} ;;
	esac
}

# name_of_container ID: print what kubelet, docker or podman call it
name_of_container() {
	for container_file in "$ROOT/var"/log/containers/*-"$1".log; do
		container_name=${container_file##*/}
		container_name=${container_name%-"$1".log}
		case $container_name in
		*_*_*)
			echo "container ${container_name##*_} of pod ${container_name%%_*} in namespace" \
				"$(echo "$container_name" | cut -d _ -f 2)"
			return ;;
		esac
	done
	container_name=$(within_a_second sed -n 's/.*"Name":"\/\([^"\\]*\)".*/\1/p' \
		"$ROOT/var/lib/docker/containers/$1/config.v2.json") || :
	[ -n "$container_name" ] || container_name=$(within_a_second sed 's/},{/\n/g' \
		"$ROOT/var/lib/containers/storage/overlay-containers/containers.json" |
		sed -n "/\"id\":\"$1\"/s/.*\"names\":\[\"\([^\"\\\\]*\)\".*/\1/p")
	[ -z "$container_name" ] || echo "container $container_name"
}

# origin_of PID COMM CGROUP: print who started this task: container or unit, and its parent if it lives
origin_of() {
	origin_text='' origin_unit='' origin_container=''
	origin_ifs=$IFS IFS=/
	set -f	# a name may be a pattern
	for origin_part in $3; do
		case $origin_part in
		*.service | *.scope) origin_unit=$origin_part ;;
		esac
		# docker-ID.scope, cri-containerd-ID.scope, or ID alone
		origin_id=${origin_part%.scope}
		origin_id=${origin_id##*[-:]}
		case $origin_id in
		*[!0-9a-f]*) ;;
		*) [ ${#origin_id} != 64 ] || origin_container=$origin_id ;;
		esac
	done
	set +f
	IFS=$origin_ifs
	[ -z "$origin_container" ] || origin_text=$(name_of_container "$origin_container") || :
	if [ -z "$origin_text" ] && [ -n "$origin_unit" ]; then
		origin_text="unit $origin_unit"
		within_a_second systemctl show -p NRestarts -p ActiveEnterTimestamp -- "$origin_unit" >"$tmp/unit" || :
		read_values "$tmp/unit" = unit NRestarts ActiveEnterTimestamp || :
		[ -z "$unit_ActiveEnterTimestamp" ] || origin_text="$origin_text, started $unit_ActiveEnterTimestamp"
		[ "${unit_NRestarts:-0}" = 0 ] || origin_text="$origin_text, restarted $unit_NRestarts times"
	fi
	# Another task may have this PID now.
	if read_line "$ROOT/proc/$1/comm" && [ "$line" = "$2" ]; then
		origin_parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$ROOT/proc/$1/status")
		! read_line "$ROOT/proc/$origin_parent/comm" ||
			origin_text="$origin_text${origin_text:+; }parent $line (PID $origin_parent)"
	fi
	echo "$origin_text"
}

# seen_in_runs CULPRIT DIRECTORY: print how many of the other runs have this culprit, and the first one
seen_in_runs() {
	runs | {
		seen_all=0 seen_same=0 seen_first=''
		while read -r seen_name seen_dir; do
			[ "$seen_dir" != "$2" ] || continue
			read_values "$seen_dir/suspects" ' ' seen culprit || continue
			seen_all=$((seen_all + 1))
			[ "$seen_culprit" = "$1" ] || continue
			seen_same=$((seen_same + 1))
			seen_first=${seen_name%%T*}
		done
		seen_day=${seen_first#????}
		[ $seen_same = 0 ] || echo "in $seen_same of $seen_all older runs, first on" \
			"${seen_first%????}-${seen_day%??}-${seen_day#??}"
	}
}

# look_at_suspects DIRECTORY [VARIABLE=VALUE]...: write "culprit NAME", "seen - TEXT", "state NAME TEXT" and
# "task PID TEXT" to its file suspects, for the first culprits of the report on its files
look_at_suspects() {
	suspects_dir=$1
	shift
	report "$suspects_dir" suspects "$@" >"$tmp/suspects" || [ $? = $FOUND_WINDOWS ] || return 0
	while IFS=' ' read -r suspect_what suspect_rest; do
		suspect_name=${suspect_rest%% *} suspect_text=''
		case $suspect_what in
		culprit)
			echo "culprit $suspect_rest"
			suspect_text=$(seen_in_runs "$suspect_rest" "$suspects_dir") || :
			suspect_what=seen suspect_name=- ;;
		state) suspect_text=$(state_of "$suspect_name") || : ;;
		task)
			suspect_rest=${suspect_rest#* }
			suspect_text=$(origin_of "$suspect_name" "${suspect_rest%% *}" "${suspect_rest#* }") || : ;;
		esac
		[ -z "$suspect_text" ] || printf '%s %s %.300s\n' "$suspect_what" "$suspect_name" "$suspect_text"
	done <"$tmp/suspects" >"$tmp/states"
	mv "$tmp/states" "$suspects_dir/suspects" || :
}

# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The state of the suspects: a number on this host that belongs to a known cause, and who started the
# task of a culprit. Read after a run, only for the first culprits, within a second each. No file is
# read that could make the incident worse, such as /proc/slabinfo, /proc/net/arp or /proc/PID/stat of
# a process with many threads.

cgroup_nr_descendants='' cgroup_nr_dying_descendants='' sockets_TCP=''
unit_NRestarts='' unit_ActiveEnterTimestamp=''

SUSPECT_LIMIT_S=1

# limited COMMAND...: a file system or a daemon that hangs must not delay the report. By SIGKILL: while a
# run ends, its programs ignore other signals.
limited() {
	timeout -s KILL "$SUSPECT_LIMIT_S" "$@" 2>/dev/null </dev/null 8>&-
}

# hex_number FILE N: print the hexadecimal number in column N of the second line
hex_number() {
	echo $((0x0$(awk -v column="$2" 'NR == 2 { print $column }' "$1" 2>/dev/null)))
}

# state_of NAME: print the state that a line of causes.tsv names, in one line, if this host has it
state_of() {
	case $1 in
	cgroups)
		read_values "$ROOT/sys/fs/cgroup/cgroup.stat" ' ' cgroup nr_descendants nr_dying_descendants || :
		if [ -n "$cgroup_nr_dying_descendants" ]; then
			echo "$cgroup_nr_descendants cgroups, and $cgroup_nr_dying_descendants that were removed" \
				"but are still there"
			return
		fi
		limited find "$ROOT/sys/fs/cgroup/memory" -type d >"$tmp/dirs" || return 0
		echo "$(awk '$1 == "memory" { print $3 }' "$ROOT/proc/cgroups") memory cgroups," \
			"$(wc -l <"$tmp/dirs") directories" ;;
	conntrack)
		# By cat: some shells read byte by byte, and these files have data for the first read only.
		[ -e "$ROOT/proc/sys/net/netfilter/nf_conntrack_count" ] || return 0
		cd "$ROOT/proc/sys/net/netfilter" || return 0
		echo "$(cat nf_conntrack_count) conntrack entries in $(cat nf_conntrack_buckets) buckets" ;;
	neighbours)
		[ -e "$ROOT/proc/net/stat/ndisc_cache" ] || return 0
		echo "$(hex_number "$ROOT/proc/net/stat/arp_cache" 1) neighbours of IPv4," \
			"$(hex_number "$ROOT/proc/net/stat/ndisc_cache" 1) of IPv6" ;;
	routes6)
		read_line "$ROOT/proc/net/rt6_stats" || return 0
		echo "$(printf '\n%s\n' "$line" | hex_number - 4) IPv6 routes" ;;
	services)
		limited grep -E '^(TCP|UDP|SCTP|FWM) ' "$ROOT/proc/net/ip_vs" >"$tmp/services" || return 0
		echo "$(wc -l <"$tmp/services") IPVS services" ;;
	sockets)
		read_values "$ROOT/proc/net/sockstat" ': ' sockets TCP || return 0
		echo "TCP sockets: $sockets_TCP" ;;
	console)
		# Not from /proc/consoles: its readers wait for the console lock.
		echo "log level $(cut -f 1 "$ROOT/proc/sys/kernel/printk"), and the parameters" \
			"$(tr ' ' '\n' <"$ROOT/proc/cmdline" | grep ^console= | paste -s -d ' ')" ;;
	threads)
		# By the number of links: to read its status, the kernel takes a lock of the process.
		limited find "$ROOT/proc" -maxdepth 2 -name task -exec stat -c '%h %n' {} + >"$tmp/tasks" ||
			return 0
		sort -nr "$tmp/tasks" | {
			read -r state_links state_dir || exit 0
			read_line "${state_dir%/task}/comm" || :
			state_dir=${state_dir%/task}
			printf '%s\n' "the most threads: $((state_links - 2)), of $line (PID ${state_dir##*/})"
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
			container_pod=${container_name%_*}
			printf '%s\n' "container ${container_name##*_} of pod ${container_pod%%_*} in namespace ${container_pod#*_}"
			return ;;
		esac
	done
	container_name=$(limited sed -n 's/.*"LogPath":"[^"]*","Name":"\/\([^"\\]*\)".*/\1/p' \
		"$ROOT/var/lib/docker/containers/$1/config.v2.json") || :
	[ -n "$container_name" ] || container_name=$(limited sed 's/},{/\n/g' \
		"$ROOT/var/lib/containers/storage/overlay-containers/containers.json" |
		sed -n "/\"id\":\"$1\"/s/.*\"names\":\[\"\([^\"\\\\]*\)\".*/\1/p")
	printf '%s\n' "container ${container_name:-$1}"
}

# origin_of PID COMM CGROUP: print who started this task: container or unit, and its parent if it lives
origin_of() {
	origin_text='' origin_unit='' origin_container=''
	origin_ifs=$IFS IFS=/
	set -f	# a name may be a pattern
	for origin_part in $3; do
		# Units below this one are of a container or of a user.
		case $origin_unit,$origin_part in
		,*.service | ,*.scope) origin_unit=$origin_part ;;
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
		limited systemctl show -p NRestarts -p ActiveEnterTimestamp -- "$origin_unit" >"$tmp/unit" || :
		read_values "$tmp/unit" = unit NRestarts ActiveEnterTimestamp || :
		[ -z "$unit_ActiveEnterTimestamp" ] || origin_text="$origin_text, started $unit_ActiveEnterTimestamp"
		[ "${unit_NRestarts:-0}" = 0 ] || origin_text="$origin_text, restarted $unit_NRestarts times"
	fi
	# Another task may have this PID now. Reading the status of a task with many threads waits for a lock.
	origin_links=$(stat -c %h "$ROOT/proc/$1/task" 2>/dev/null) || origin_links=1000
	if [ "$origin_links" -lt 1000 ] && read_line "$ROOT/proc/$1/comm" && [ "$line" = "$2" ]; then
		origin_parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$ROOT/proc/$1/status")
		! read_line "$ROOT/proc/$origin_parent/comm" ||
			origin_text="$origin_text${origin_text:+; }parent $line (PID $origin_parent)"
	fi
	# The line "who" has the unit already.
	[ "$origin_text" = "unit $origin_unit" ] || printf '%s\n' "$origin_text"
}

# look_at_suspects DIRECTORY [VARIABLE=VALUE]...: write its file suspects, for parse_suspect() of the
# report, of the first culprits of the report on its files
look_at_suspects() {
	# In a subshell: it may die.
	(ask_suspects "$@") || :
}

ask_suspects() {
	suspects_dir=$1 opt_comm='' opt_cgroup='' opt_function=''
	shift
	report "$suspects_dir" suspects "$@" >"$tmp/suspects" || [ $? = $FOUND_WINDOWS ] || return 0
	while IFS=' ' read -r suspect_what suspect_rest; do
		suspect_name=${suspect_rest%% *} suspect_text=''
		case $suspect_what in
		culprit) echo "culprit $suspect_rest" ;;
		state) suspect_text=$(state_of "$suspect_name") || : ;;
		task)
			suspect_rest=${suspect_rest#* }
			suspect_text=$(origin_of "$suspect_name" "${suspect_rest%% *}" "${suspect_rest#* }") || : ;;
		esac
		# Users choose the names of tasks and cgroups.
		case $suspect_text in
		*[!\ -~]*) suspect_text=$(printf %s "$suspect_text" | tr -c ' -~' '?') ;;
		esac
		[ -z "$suspect_text" ] || printf '%s %s %.300s\n' "$suspect_what" "$suspect_name" "$suspect_text"
	done <"$tmp/suspects" >"$tmp/states"
	mv "$tmp/states" "$suspects_dir/suspects" || :
}

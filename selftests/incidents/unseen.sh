# SPDX-License-Identifier: GPL-2.0
#
# Twenty incidents that nobody here had seen when the rules for names were written: their causes were
# chosen from the kernel's sources, and this list was committed before it was run. Each is traced alone,
# and the first line of its report must name one of its functions.
# releases: 12 13
exec 9>&1	# stdout of each step is a file
# shellcheck disable=SC2034	# for play
THRESHOLD=2ms PERIOD=1ms

# NAME; what is done before; the cause; functions that may be named, separated by tabs. batch() makes
# 20,000 lines, for example.
cases() {
	cat <<-'EOF'
	renice	start crowd threads 20000	renice -n 5 -u 0	set_one_prio|__do_sys_setpriority|__x64_sys_setpriority|set_user_nice
	ionice	true	ionice -c 2 -n 7 -u 0	__do_sys_ioprio_set|__x64_sys_ioprio_set|set_task_ioprio
	cpuset	in_cgroup && echo 0-3 >$G/cpuset.cpus	echo 0-1 >$G/cpuset.cpus	update_tasks_cpumask|cpuset_update_tasks_cpumask|update_cpumasks_hier|css_task_iter_next|css_task_iter_advance
	freeze	true	echo 1 >$G/cgroup.freeze	cgroup_do_freeze|cgroup_freeze|cgroup_freeze_task|css_task_iter_next|css_task_iter_advance|cgroup_freeze_write
	timers	kill -9 $started; sleep 20; start crowd timers 20000 1000000	kill -9 $started	exit_itimers|itimer_delete|posix_timer_delete|release_posix_timer
	secondary	dummy d0; ip addr add 10.1.0.1/16 dev d0; batch 2500 'addr add 10.1.%b.%c/16 dev d0' | ip -force -batch -	ip addr del 10.1.0.1/16 dev d0	__inet_del_ifa|fib_del_ifaddr|inet_del_ifa|fib_inetaddr_event
	neighbors	dummy d1; thresholds; batch 20000 'neigh add 10.2.%b.%c lladdr 02:00:00:00:00:01 nud reachable dev d1' | ip -batch -	ip link set d1 down	neigh_flush_dev|neigh_ifdown|__neigh_ifdown
	flood	bridge; batch 1000 'link add p%i up type dummy' | ip -batch -; batch 1000 'link set p%i master br0' | ip -batch -	ping -c 2 -W 1 10.3.0.2 || true	br_flood|br_dev_xmit|maybe_deliver|deliver_clone
	macvlans	ip link del br0; dummy d2; batch 1000 'link add m%i link d2 up type macvlan mode bridge' | ip -batch -; ip addr add 10.4.0.1/24 dev m0	ping -c 2 -W 1 10.4.0.2 || true	macvlan_broadcast|macvlan_queue_xmit|macvlan_start_xmit|macvlan_broadcast_one
	features	true	ethtool -K d2 tx-scatter-gather off	macvlan_device_event|netdev_update_features|__netdev_update_features
	netem	dummy d3; ip addr add 10.5.0.1/24 dev d3; ip neigh add 10.5.0.2 lladdr 02:00:00:00:00:01 dev d3; tc qdisc add dev d3 root netem delay 1000s limit 100000; ping -l 20000 -c 20000 -w 10 10.5.0.2 >/dev/null	tc qdisc del dev d3 root	netem_reset|tfifo_reset|qdisc_reset|rtnl_kfree_skbs|kfree_skb_list_reason
	htb	tc qdisc add dev d3 root handle 1: htb; batch 8000 'class add dev d3 parent 1: classid 1:%x htb rate 1mbit' | tc -force -batch -	tc qdisc del dev d3 root	htb_destroy|htb_destroy_class|htb_reset
	restore	rules 20000 >$out/rules	iptables-legacy-restore $out/rules	translate_table|mark_source_chains|__do_replace|do_ipt_set_ctl|find_check_entry|check_entry_size_and_hooks
	ipvs	modprobe ip_vs; batch 20000 '-A -t 10.6.%b.%c:80 -s rr' | ipvsadm -R	ipvsadm -C	ip_vs_flush|ip_vs_unlink_service|ip_vs_unlink_service_nolock|__ip_vs_del_service|ip_vs_unhash|ip_vs_stop_estimator
	fib_trie	dummy d4; batch 100000 'route add 10.10%a.%b.%c/32 dev d4' | ip -batch -	cat /proc/net/fib_trie	fib_trie_get_idx|fib_trie_get_next|fib_trie_seq_start|fib_trie_seq_next
	conntrack	modprobe nf_conntrack_netlink; echo 4000000 >/proc/sys/net/netfilter/nf_conntrack_buckets	conntrack -L	ctnetlink_dump_table|nf_conntrack_lock
	vxlan	ip link add vx0 up type vxlan id 7 dstport 4789 dev d4; batch 20000 'fdb append 02:00:00:00:%y:%z dev vx0 dst 10.7.0.1' | bridge -force -batch -	ip link del vx0	vxlan_flush|vxlan_dellink|vxlan_fdb_destroy
	fdb	bridge; dummy q0; ip link set q0 master br0; batch 20000 'fdb add 02:00:00:00:%y:%z dev q0 master static' | bridge -force -batch -	ip link set q0 nomaster	br_fdb_delete_by_port|fdb_delete|del_nbp|fdb_delete_local
	addresses	dummy d5; batch 3000 'addr add fd00::%x/128 dev d5 nodad' | ip -batch -	ip link set d5 down	addrconf_ifdown|addrconf_notify
	vlans	dummy d6; batch 2000 'link add link d6 name v%i up type vlan id %i' 1 | ip -batch -	ip link set d6 down	vlan_device_event|dev_close_many|__dev_close_many
	EOF
}

G=/sys/fs/cgroup/unseen

# batch N WORDS [FIRST]: N lines of WORDS, with %i: the number; %a, %b, %c: its bytes; %x, and %y and %z: the
# number, and its bytes, in hexadecimal
batch() {
	awk -v n="$1" -v words="$2" -v first="${3:-2}" 'BEGIN {
		for (i = first; i < first + n; i++) {
			line = words
			gsub(/%i/, i, line)
			gsub(/%a/, int(i / 65536), line)
			gsub(/%b/, int(i / 256) % 256, line)
			gsub(/%c/, i % 256, line)
			gsub(/%x/, sprintf("%x", i), line)
			gsub(/%y/, sprintf("%02x", int(i / 256) % 256), line)
			gsub(/%z/, sprintf("%02x", i % 256), line)
			print line
		}
	}'
}

rules() {
	echo '*filter'
	batch "$1" '-A INPUT -s 10.9.%b.%c -j ACCEPT'
	echo COMMIT
}

dummy() {
	ip link add "$1" type dummy && ip link set "$1" up
}

bridge() {
	if [ $# -gt 0 ]; then
		command bridge "$@"
	else
		ip link add br0 type bridge && ip link set br0 up && ip addr add 10.3.0.1/24 dev br0
	fi
}

thresholds() {
	for n in 1 2 3; do
		echo 100000 >/proc/sys/net/ipv4/neigh/default/gc_thresh$n
	done
}

in_cgroup() {
	echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
	mkdir "$G" && echo "${started:?}" >"$G/cgroup.procs"
}

# udev would look at each of thousands of devices.
setup() {
	systemctl stop systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udevd
}

incident() {
	tab=$(printf '\t')
	cases >"${out:?}/cases"
	while IFS=$tab read -r name before cause _ <&3; do
		echo "# $name" >&9
		eval "$before" >"$out/before" 2>&1 || echo "# $name: prepared with status $?"
		sleep 2
		begun=$(date +%s)
		eval "$cause" >"$out/cause" 2>&1 || echo "# $name: caused with status $?"
		sleep 2
		"$HELPER" report -n0 --since "$(($(date +%s) - begun + 1))s" >"$out/report.$name"
		head -n 1 "$out/report.$name" >&9
		[ -z "${INCIDENT_RECORDS:-}" ] || sed "s/^/# $name: /" "$P/records" >>"$out/unseen"
	done 3<"$out/cases"
}

# The report of each incident, of which a line says whether it is right
truth() {
	while IFS=$tab read -r name _ _ names <&3; do
		text=$out/report.$name
		grep -qE "^(Culprit: |Probably (a CPU that did not answer, or )?)($names)([[.,:])" "$text" ||
			is_wrong "$name: $(head -n 1 "$text")"
		echo "# $name: $(head -n 1 "$text")"
		cp "$text" "$out/text"
	done 3<"$out/cases"
	cat "$out/unseen" 2>/dev/null
}

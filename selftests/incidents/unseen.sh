# SPDX-License-Identifier: GPL-2.0
#
# Incidents that nobody here had seen when the rules for names were written: their causes were chosen from
# the kernel's sources, and this list was committed before it was run. Each is traced alone, and the first
# line of its report must name one of its functions.
# releases: 12 13
exec 9>&1	# stdout of each step is a file
# shellcheck disable=SC2034	# for play
THRESHOLD=5ms PERIOD=2ms

# NAME; what is done before; the cause; functions that may be named, separated by tabs. batch() makes
# 20,000 lines, for example.
cases() {
	cat <<-'EOF'
	cpuset	start crowd threads 20000; in_cgroup && echo 0-3 >$G/cpuset.cpus	echo 0-1 >$G/cpuset.cpus	update_tasks_cpumask|cpuset_update_tasks_cpumask|update_cpumasks_hier|css_task_iter_next|css_task_iter_advance
	secondary	dummy d0; ip addr add 10.1.0.1/16 dev d0; batch 2500 'addr add 10.1.%b.%c/16 dev d0' | ip -force -batch -	ip addr del 10.1.0.1/16 dev d0	__inet_del_ifa|fib_del_ifaddr|inet_del_ifa|fib_inetaddr_event
	macvlans	dummy d2; batch 1000 'link add m%i link d2 up type macvlan mode bridge' | ip -batch -; ip addr add 10.4.0.1/24 dev m2	ping -c 2 -W 1 10.4.0.2 || true	macvlan_broadcast|macvlan_queue_xmit|macvlan_start_xmit|macvlan_broadcast_one
	features	true	ethtool -K d2 tx-scatter-gather off	macvlan_device_event|netdev_update_features|__netdev_update_features
	netem	dummy d3; ip addr add 10.5.0.1/24 dev d3; ip neigh add 10.5.0.2 lladdr 02:00:00:00:00:01 dev d3; tc qdisc add dev d3 root netem delay 1000s limit 100000; ping -l 20000 -c 20000 -w 10 10.5.0.2 >/dev/null	tc qdisc del dev d3 root	netem_reset|tfifo_reset|qdisc_reset|rtnl_kfree_skbs|kfree_skb_list_reason
	restore	rules 20000 >$out/rules	iptables-legacy-restore $out/rules	translate_table|mark_source_chains|__do_replace|do_ipt_set_ctl|find_check_entry|check_entry_size_and_hooks
	ipvs	modprobe ip_vs; batch 20000 '-A -t 10.6.%b.%c:80 -s rr' | ipvsadm -R	ipvsadm -C	ip_vs_flush|ip_vs_unlink_service|ip_vs_unlink_service_nolock|__ip_vs_del_service|ip_vs_unhash|ip_vs_stop_estimator
	vlans	dummy d6; batch 2000 'link add link d6 name v%i up type vlan id %i' 1 | ip -batch -	ip link set d6 down	vlan_device_event|dev_close_many|__dev_close_many
	forwarding	true	echo 1 >/proc/sys/net/ipv4/ip_forward	inet_forward_change|devinet_sysctl_forward|inet_netconf_notify_devconf|dev_disable_lro
	maddrs	dummy d7; batch 20000 'maddr add 01:00:5e:00:%y:%z dev d7' | ip -batch -	ip link del d7	dev_mc_flush|__hw_addr_flush|__hw_addr_del_entry|unregister_netdevice_many|unregister_netdevice_many_notify
	nexthop	dummy d8; ip nexthop add id 1 dev d8; batch 20000 'route add 10.11.%b.%c/32 nhid 1' | ip -batch -	ip nexthop del id 1	__remove_nexthop_fib|fib_flush|fib_table_flush|__remove_nexthop|remove_nexthop
	xfrm	batch 8000 'xfrm policy add src 10.12.%b.%c/32 dst 10.13.0.0/16 dir out' | ip -batch -	ip xfrm policy set hthresh4 16 16; sleep 2	xfrm_hash_rebuild|xfrm_policy_inexact_insert|xfrm_policy_insert_list|xfrm_policy_chain_insert|xfrm_policy_inexact_alloc_chain|xfrm_policy_inexact_insert_node|xfrm_policy_inexact_list_reinsert|__xfrm_policy_inexact_flush|xfrm_policy_inexact_alloc_bin
	u32	dummy d9; ip addr add 10.14.0.1/24 dev d9; ip neigh add 10.14.0.2 lladdr 02:00:00:00:00:01 dev d9; tc qdisc add dev d9 root handle 1: prio; batch 2000 'filter add dev d9 parent 1: prio 1 u32 match ip dst 10.15.%b.%c/32 flowid 1:1' | tc -batch -	ping -l 200 -c 200 -w 5 10.14.0.2 || true	u32_classify|prio_classify|prio_enqueue|tcf_classify|__tcf_classify
	fq	dummy d10; tc qdisc add dev d10 root fq buckets 262144	tc qdisc change dev d10 root fq buckets 128	fq_resize|fq_rehash|fq_change
	recent	modprobe xt_recent ip_list_tot=65535; iptables-legacy -A INPUT -m recent --name x --set; for i in $(seq 1 120); do for j in $(seq 1 200); do echo +10.16.$i.$j >/proc/net/xt_recent/x; done; done	echo / >/proc/net/xt_recent/x	recent_table_flush|recent_mt_proc_write|recent_entry_remove
	mdb	ip link add br1 up type bridge mcast_snooping 1 mcast_hash_max 65536; dummy q1; ip link set q1 master br1; batch 8000 'mdb add dev br1 port q1 grp 239.1.%b.%c permanent' | bridge -batch -	ip link set q1 nomaster	br_multicast_del_port|br_multicast_del_pg|br_multicast_find_del_pg|br_multicast_port_ctx_deinit|br_multicast_gc|del_nbp
	mounts	mount -t tmpfs none /mnt; mount --make-private /mnt; mkdir /mnt/a; for i in $(seq 1 1500); do mount --bind /mnt/a /mnt/a; done	unshare -m true	copy_tree|copy_mnt_ns|clone_mnt|umount_tree|put_mnt_ns|attach_recursive_mnt|propagate_mnt|propagate_one|commit_tree|drop_collected_mounts|namespace_unlock|create_new_namespaces|copy_namespaces|lookup_mnt|__lookup_mnt
	sigcont	start crowd threads 20000	kill -CONT $started	prepare_signal|flush_sigqueue_mask|__send_signal_locked|send_signal_locked|do_send_sig_info|group_send_sig_info|kill_pid_info|__send_signal
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
	echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
	systemctl stop systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udevd
}

incident() {
	tab=$(printf '\t')
	cases >"${out:?}/cases"
	while IFS=$tab read -r name before cause _ <&3; do
		echo "# $name" >&9
		eval "$before" >"$out/before" 2>&1 || echo "# $name: prepared with status $?"
		sleep 1
		hogs=
		for cpu in 1; do
			taskset -c $cpu sh -c 'while :; do :; done' &
			hogs="$hogs $!"
		done
		sleep 1
		begun=$(date +%s)
		taskset -pc 1 $$ >/dev/null
		eval "$cause" >"$out/cause" 2>&1 || echo "# $name: caused with status $?"
		sleep 1
		kill $hogs
		taskset -pc 0-3 $$ >/dev/null
		"$HELPER" report -n0 --since "$(date -u -d @$begun +'%Y-%m-%d %H:%M:%S')" >"$out/report.$name"
		head -n 1 "$out/report.$name" >&9
		cat "$out/before" "$out/cause" | head -n 3 >&9
		[ "$name" = cpuset ] || kill -9 $started 2>/dev/null
		tail -n 25 $P/records | cut -c 1-1800 | sed 's/^/#rec /' >&9
		[ -z "${INCIDENT_RECORDS:-}" ] || sed "s/^/# $name: /" "$P/records" >>"$out/unseen"
	done 3<"$out/cases"
}

# The report of each incident, of which a line says whether it is right
truth() {
	while IFS=$tab read -r name _ _ names <&3; do
		text=$out/report.$name
		grep -qE "^(Culprit: |Probably (a CPU that did not answer, or )?)($names)[].[,:]" "$text" ||
			is_wrong "$name: $(head -n 1 "$text")"
		echo "# $name: $(head -n 1 "$text")"
		cp "$text" "$out/text"
	done 3<"$out/cases"
	cat "$out/unseen" 2>/dev/null
}

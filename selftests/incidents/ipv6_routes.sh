# SPDX-License-Identifier: GPL-2.0
#
# A link goes down while the table has 100,000 IPv6 routes through another device. To find the
# routes of that link, fib6_clean_all() walks the whole table under tb6_lock with softirqs disabled.
# Source: __fib6_clean_all() of net/ipv6/ip6_fib.c; "fix soft lockups in fib6_run_gc", where a timer
# starts the same walk. All kernels.

setup() {
	for link in dummy0 dummy1; do
		ip link add $link type dummy && ip link set $link up || return
	done
	ip -6 addr add fd00:ffff::1/64 dev dummy0 nodad || return
	awk 'BEGIN {
		for (i = 0; i < 100000; i++)
			printf "route add fd00:%x:%x::/64 dev dummy0\n", int(i / 65536), i % 65536
	}' >"${out:?}/routes"
	ip -6 -batch "$out/routes"
}

down_and_up() {
	ip link set dummy1 down
	sleep 1
	ip link set dummy1 up
}

incident() {
	repeat 3 2 down_and_up
}

truth() {
	first_line "addrconf_notify|__fib6_clean_all|fib6_clean_tree|fib6_clean_all|fib6_walk|fib6_walk_continue|fib6_clean_node|fib6_ifdown|rt6_disable_ip|rt6_sync_down_dev|fib6_ifup|rt6_sync_up" \
		"(task|mostly) ip" softirqs
	# Three rows: ip changes addresses, ip collects garbage, a kworker checks for duplicate addresses.
	rows_at_most 3
}

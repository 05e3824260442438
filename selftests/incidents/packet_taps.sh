# SPDX-License-Identifier: GPL-2.0
#
# 10,000 packet sockets receive each packet, as on a host with a DHCP client or a sniffer for each
# container. For a packet to lo, packet_rcv() runs twice for each socket: in dev_queue_xmit_nit()
# with softirqs disabled, and in __netif_receive_skb_core() of the softirq.
# Source: dev_queue_xmit_nit() of net/core/dev.c. All kernels.

setup() {
	start crowd taps 10000
}

incident() {
	ping -c 5 -i 1 127.0.0.1
}

truth() {
	first_line "dev_queue_xmit_nit|__netif_receive_skb_core|packet_rcv" \
		"task ping|softirq handler|several contexts" softirqs
	innocent skb_clone kmem_cache_free kfree_skb consume_skb
	rows_at_most 4
}

# SPDX-License-Identifier: GPL-2.0
#
# A packet passes 100,000 rules. ipt_do_table() disables softirqs while it compares the packet with
# each rule. For an outgoing packet, ipt_do_table() runs in the task that sends the packet.
# Source: kubernetes#14870, #13500; aws-eks-best-practices#324. All kernels with legacy tables.

setup() {
	awk 'BEGIN {
		print "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]"
		for (i = 1; i <= 100000; i++)
			printf "-A OUTPUT -d 172.%d.%d.%d/32 -j DROP\n", 16 + int(i / 65536),
				int(i / 256) % 256, i % 256
		print "COMMIT"
	}' >"${out:?}/rules"
	iptables-legacy-restore <"$out/rules"
}

incident() {
	ping -c 10 -i 0.5 127.0.0.1
}

truth() {
	first_line ipt_do_table "task ping|several contexts" softirqs
	rows_at_most 3
}

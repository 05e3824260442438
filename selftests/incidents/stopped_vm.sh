# SPDX-License-Identifier: GPL-2.0
#
# The host stops the whole VM for 300 ms, ten times, and reports no steal time. No code in the VM is
# the culprit: windows on all CPUs end together, without samples.
# Source: coreos/bugs#1391, scylladb#13632. All kernels. Not with --icount: the clock would stop
# together with the VM.
#
# vm: --smp 2 --mem 1024

freeze() {
	echo "freeze 0.3" >"$VM_CONTROL"
}

incident() {
	background sh -c 'while :; do cat /proc/self/status; done >/dev/null'
	repeat 10 2 freeze
	stop_background
}

truth() {
	names_nobody
	innocent do_user_addr_fault mntput fput
}

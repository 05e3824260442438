# SPDX-License-Identifier: GPL-2.0
#
# The kernel logs lines to a slow serial console. Up to 6.12, the task or softirq that logs a line
# also writes it to the console, with interrupts off. On later kernels, the thread pr/ttyS0 writes
# the lines (8250 is an nbcon console).
# Source: systemd#42809, ipt-netflow#54, LinuxKI#89. All kernels.
# A parameter keeps RCU from reporting a stall, which vm would count as a fault of the kernel.
#
# vm: --icount --smp 2 --mem 1024 --slow-console --append rcupdate.rcu_cpu_stall_suppress=1

setup() {
	iptables-legacy -A INPUT -p icmp -j LOG && dmesg -n 8
}

incident() {
	# The host reads 2,048 bytes in a second of the host. A second of this VM is longer.
	echo "slow 1" >"$VM_CONTROL"
	sleep 2
	# Fill the host's pipe of 65,536 bytes: before, the console is not slow.
	repeat 4 0 sh -c "echo t >/proc/sysrq-trigger"
	ping -c 20 -i 0.2 127.0.0.1
	echo "slow 0" >"$VM_CONTROL"
	sleep 10
}

truth() {
	first_line "serial8250_console_write.*|wait_for_lsr|wait_for_xmitr|io_serial_in|serial8250_console_putchar|uart_console_write|univ8250_console_write.*" \
		"several contexts|task (sh|ping|pr/ttyS0)|softirq handler" interrupts
	innocent console_unlock console_flush_all vprintk_emit
	rows_at_most 3
}

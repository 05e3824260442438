#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# Looks keep the names of what was there when they were taken: when a module is unloaded, when
# its init fails, when its init functions go; and whatever module lies in that memory next.
# A window is as long as it may take until somebody looks (guard.sh).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0
GONE=$(ko irqoff_gone) || skip_all "irqoff_gone.ko has not been built"
OTHER=$(ko irqoff_other) || skip_all "irqoff_other.ko has not been built"
plan 18

cleanup() {
	for module in irqoff_gone irqoff_other; do
		! loaded "$module" || rmmod "$module"
	done
	unload_all
}
trap cleanup EXIT

# Where a module lies.
address_of() {
	sed -n "s/^$1 .* \(0x[0-9a-f]*\).*/\1/p" /proc/modules
}

# The newest window in which a module was loading; a busy host can make others.
newest() {
	records kind=hardirq | grep ';do_one_initcall;' | tail -n 1
}

# named FUNCTION...: it has each, in its looks, where there are any, and at its end
named() {
	parts="stack="
	! has_looks || parts="$parts sample=[0-9]*:"
	for function; do
		for part in $parts; do
			newest | grep -q " ${part}[^ ]*;${function}\[irqoff_gone]" || {
				echo "no $function in $part"
				newest
				return 1
			}
		done
	done
}

# in_report FUNCTION: as a line of its own, with an offset
in_report() {
	grep -qE "^     $1\\+0x[0-9a-f]+/0x[0-9a-f]+ \\[irqoff_gone\\]\$" "$P/trace_latency"
}

nothing_unknown() {
	! grep -F '[unknown]' "$P/records" "$P/trace_latency"
}

no_blame() {
	! grep -E 'else_(hold|init)|irqoff_other' "$P/records" "$P/trace_latency"
}

trace 10ms 150ms
insmod "$GONE" us=700000
where=$(address_of irqoff_gone)
expect "a module is seen while it loads" named gone_hold
expect "and so is its init function, which is gone" named gone_init
rmmod irqoff_gone
expect "when it is unloaded its functions keep their names" named gone_hold gone_init
expect "in the report too" in_report gone_hold
expect "nothing is unknown" nothing_unknown

insmod "$OTHER"
[ "$(address_of irqoff_other)" = "$where" ] ||
	note "irqoff_other lies elsewhere: $(address_of irqoff_other), not $where"
expect "the module that lies there next" same "$where" "$(address_of irqoff_other)"
expect "does not get the blame" no_blame
expect "nor does it take the names" named gone_hold
rmmod irqoff_other
expect "nor when it is gone" no_blame

put 0 trace_latency
insmod "$OTHER" us=400000 2>/dev/null
expect "what it does itself is its own" sh -c "grep -q 'else_hold\[irqoff_other]' $P/records"
rmmod irqoff_other
expect "and stays so" sh -c "grep -q 'else_hold\[irqoff_other]' $P/records"

put 0 trace_latency
! insmod "$GONE" us=700000 fail=1 2>/dev/null
expect "a module whose init fails is not there" test ! -e /sys/module/irqoff_gone
expect "its functions are named" named gone_hold gone_init
insmod "$OTHER"
expect "and stay so when another one lies there" named gone_hold gone_init
expect "nothing is unknown" nothing_unknown
expect "no address is told" sh -c \
	"! grep -aE '(0x)?[fF]{4}[0-9a-fA-F]{12}' $P/records $P/trace_latency"
rmmod irqoff_other

# Names of 32 are kept: of 16 modules, as each has its init functions apart.
trace 10ms 20ms
insmod "$GONE" us=60000
rmmod irqoff_gone
more=16
while [ $((more -= 1)) -ge 0 ]; do
	insmod "$OTHER" us=60000
	rmmod irqoff_other
done

# end_of head|tail: the stack of the oldest or the newest window in which a module was loading
end_of() {
	records kind=hardirq | grep ';do_one_initcall;' | "$1" -n 1 | field stack
}

# has WORD STACK
has() {
	same yes "$(case $2 in *"$1"*) echo yes ;; *) echo "$2" ;; esac)"
}

expect "when more have gone than are kept, the newest has its names" \
	has ';else_init[irqoff_other];else_hold[irqoff_other]' "$(end_of tail)"
expect "the oldest has none, nor those of what lay there next" \
	has ';do_one_initcall;[unknown];[unknown];[unknown]' "$(end_of head)"
finish

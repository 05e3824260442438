#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest
# Frames of an unloaded module are printed as [module], and never as a function of another module
# that is loaded to the same memory later. Three cases: an unload, an init that fails, and init
# functions, which the kernel frees after init. The windows are long enough for samples of slow
# watchers.
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 2
GONE=$(ko irqoff_gone)
OTHER=$(ko irqoff_other)

address_of() {
	sed -n "s/^$1 .* \(0x[0-9a-f]*\).*/\1/p" /proc/modules
}

# newest: the newest record of a window in a module's init. A busy host makes other windows.
newest() {
	records kind=hardirq | grep ';do_one_initcall;' | tail -n 1
}

# has_frame FRAME: the newest window has FRAME at the end of its stack, and of a sample if NMIs are
# sent
has_frame() {
	parts="stack="
	! has_samples || parts="$parts sample=[0-9]*:"
	for part in $parts; do
		newest | grep -qE " ${part}([^ ]*;)?$1(;| |\$)" || {
			echo "no $1 in $part"
			newest
			return 1
		}
	done
}

HOLD='gone_hold\[irqoff_gone]'
GONE_FRAME='\[irqoff_gone]'

nothing_unknown() {
	! grep -F '[unknown]' "$P/records" "$P/trace_latency"
}

no_blame() {
	! grep -E 'else_(hold|init)|irqoff_other' "$P/records" "$P/trace_latency"
}

trace 10ms 150ms
insmod "$GONE" us=700000
where=$(address_of irqoff_gone)
expect "a record has a function of a module that loads" has_frame "$HOLD"
expect "an init function is printed as [module] after init" has_frame "$GONE_FRAME;$HOLD"
rmmod irqoff_gone
expect "frames of an unloaded module are printed as [module]" has_frame "$GONE_FRAME;$GONE_FRAME"
expect "the report has the offset in the unloaded module" \
	grep -qE "^     $GONE_FRAME\\+0x[0-9a-f]+\$" $P/trace_latency
expect "no frame of the unloaded module is unknown" nothing_unknown

insmod "$OTHER"
expect "another module is loaded to the same address" same "$where" "$(address_of irqoff_other)"
expect "no frame is printed as a function of the other module" no_blame
expect "frames of the unloaded module are still [module]" has_frame "$GONE_FRAME;$GONE_FRAME"
rmmod irqoff_other
expect "the same after the other module is unloaded" no_blame

put 0 trace_latency
insmod "$OTHER" us=400000 2>/dev/null
expect "frames of the other module's own window are its functions" \
	sh -c "grep -q 'else_hold\[irqoff_other]' $P/records"
rmmod irqoff_other
expect "frames of the other module have its name after it is unloaded" \
	sh -c "grep -q '\[irqoff_other]' $P/records"

put 0 trace_latency
! insmod "$GONE" us=700000 fail=1 2>/dev/null
expect "a module whose init fails is not loaded" test ! -e /sys/module/irqoff_gone
expect "frames of a module whose init fails are [module]" has_frame "$GONE_FRAME;$GONE_FRAME"
insmod "$OTHER"
expect "the same when another module is loaded to that address" has_frame "$GONE_FRAME;$GONE_FRAME"
expect "no frame of a module whose init fails is unknown" nothing_unknown
rmmod irqoff_other

# The module remembers 256 unloaded memory areas. Each module takes two: its init functions, and the
# rest.
trace 10ms 20ms
insmod "$GONE" us=60000
for _ in $(seq 128); do
	insmod "$OTHER"
	rmmod irqoff_other
done
expect "when the table is full, frames of an older window are unknown" \
	has_frame '\[unknown];\[unknown]'
rmmod irqoff_gone
put 0 trace_latency
insmod "$OTHER" us=60000
rmmod irqoff_other
expect "when the table is full, frames of a newer window are known" \
	sh -c "grep -q ';\[irqoff_other];\[irqoff_other]' $P/records"
finish

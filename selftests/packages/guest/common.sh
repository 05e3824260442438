# SPDX-License-Identifier: GPL-2.0
#
# Functions for all tests that selftests/packages/fleet runs in VMs. Their files are in /fleet.

# module.sh is in / of the VM.
# shellcheck source=../../module.sh
. "$(dirname "$0")/../module.sh"

OUT=/tmp/fleet.out
METRICS=/var/lib/prometheus/node-exporter/trace_irqoff.prom
UNITS="trace-irqoff.service trace-irqoff-follow.service trace-irqoff-metrics.service trace-irqoff-metrics.timer"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

loaded irqoff_inject || insmod /irqoff_inject.ko

not() {
	! "$@"
}

# finds_window: a run ends with the first window. A busy host makes windows below this threshold.
finds_window() {
	trace-irqoff run -t 150ms -d 60s --windows 1 >$OUT 2>$OUT.err &
	finds_run=$!
	await tracing || return 1
	inject spinlock 425000 1
	wait $finds_run
	same 0 $? && last_has_window && return
	cat $OUT.err $OUT
	return 1
}

# makes_window: make a window, and wait for its record. Then allow both CPUs, for compilers.
makes_window() {
	stay_on_cpu0
	inject spinlock 425000 1
	taskset -p 3 $$ >/dev/null
	await has_window
}

has_window() {
	grep -q ';inject_spinlock' "$P/records"
}

last_has_window() {
	trace-irqoff report --last --format json | grep -q inject_spinlock
}

# stopped_during_run: a stop of the service ends a run, and the run reports its window
stopped_during_run() {
	trace-irqoff run -t 150ms -d 600s >$OUT 2>$OUT.err &
	stopped_run=$!
	# The service traces, too.
	await eval '[ "$(value threshold status)" = 150ms ]' && makes_window || return 1
	systemctl stop trace-irqoff.service || return 1
	wait $stopped_run
	same 0 $? && grep 'this run ends after .* signal TERM' $OUT.err &&
		grep -q inject_spinlock $OUT && return
	cat $OUT.err $OUT
	return 1
}

the_run_finds_it() {
	stay_on_cpu0
	expect "a run finds a window" finds_window
	expect "its first line names the culprit" \
		sh -c "head -n 1 $OUT | grep '^Culprit: inject_spinlock' || { cat $OUT; exit 1; }"
	expect "the run unloads the module" not loaded trace_irqoff
	taskset -p 3 $$ >/dev/null
}

# dkms_has VERSION: DKMS has installed VERSION for this kernel, and has no other version
dkms_has() {
	dkms status -m trace_irqoff >$OUT
	grep -F "trace_irqoff/$1, $(uname -r), x86_64: installed" $OUT &&
		not grep -vF "trace_irqoff/$1" $OUT
}

enable_services() {
	mkdir -p "${METRICS%/*}"
	systemctl enable --now trace-irqoff.service trace-irqoff-metrics.timer
}

# shellcheck disable=SC2086 # a list
units() {
	systemctl list-units --all --plain --no-legend $UNITS
	systemctl list-unit-files --no-legend $UNITS
}

# named_like_us: print all files, directories and links with our name, except packages in /fleet. All
# files of our packages, and all links to our units, have it, or are in a directory that has it.
named_like_us() {
	for place in / /run /tmp /var/tmp /dev/shm; do
		find "$place" -xdev -path /fleet -prune -o -iname '*trace?irqoff*' -print
	done | sort -u
}

# nothing_is_left: checks after the removal
nothing_is_left() {
	expect "the module is not loaded" not loaded trace_irqoff
	expect "systemd knows no unit of ours" same "" "$(units)"
	expect "no file has our name" same "" "$(named_like_us)"
}

# upgrade VERSION COMMAND...: checks: COMMAND upgrades to VERSION; the service runs
upgrade() {
	upgrade_to=$1
	upgrade_from=$(value version status)
	shift
	expect "the packages are upgraded while the module is enabled" "$@"
	expect "DKMS has the new version only" dkms_has "$upgrade_to"
	expect "the old version is still loaded" same "$upgrade_from" "$(value version status)"
	expect "the old version is still enabled" reads enable enabled
	expect "the service is still active" systemctl is-active trace-irqoff.service
	expect "systemd has read its new unit" same no \
		"$(systemctl show -p NeedDaemonReload --value trace-irqoff.service)"
	expect "trace-irqoff off -u unloads the old version" trace-irqoff off -u
	expect "trace-irqoff on loads a version" trace-irqoff on
	expect "the new version is loaded" same "$upgrade_to" "$(value version status)"
}

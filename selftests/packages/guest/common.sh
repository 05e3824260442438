# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the tests share that selftests/packages/fleet runs on a host of the fleet, which is a VM. All
# that they bring along is in /fleet.

# On that host it lies in /, one folder up; here two.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/../lib.sh"

OUT=/tmp/fleet.out
METRICS=/var/lib/prometheus/node-exporter/trace_irqoff.prom
UNITS="trace-irqoff.service trace-irqoff-metrics.service trace-irqoff-metrics.timer"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

loaded irqoff_inject || insmod /irqoff_inject.ko

not() {
	! "$@"
}

tracing() {
	[ "$(value session status)" != none ] && reads enable enabled
}

# finds_window: a run of the helper, that is to end with the first window. Shorter ones may be the
# doing of a host that had no time for this VM.
finds_window() {
	trace-irqoff run -t 150ms -d 60s --until 1 >$OUT 2>$OUT.err &
	finds_run=$!
	await tracing || return 1
	inject spinlock 425000 1
	wait $finds_run
	same 3 $? && return
	cat $OUT.err $OUT
	return 1
}

# makes_window: and it is recorded. Compilers need both CPUs afterwards.
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
	trace-irqoff report --last --json | grep -q inject_spinlock
}

# stopped_during_run: the service; somebody's run ends with that, and has all
stopped_during_run() {
	trace-irqoff run -t 150ms -d 600s >$OUT 2>$OUT.err &
	stopped_run=$!
	await tracing && makes_window || return 1
	systemctl stop trace-irqoff.service || return 1
	wait $stopped_run
	same 3 $? && grep 'this run ends after .* signal TERM' $OUT.err &&
		grep -q inject_spinlock $OUT && return
	cat $OUT.err $OUT
	return 1
}

# begins PATTERN
begins() {
	head -n 1 $OUT | grep "$1" || {
		cat $OUT
		return 1
	}
}

# the_run_finds_it: three expectations. Compilers need both CPUs afterwards.
the_run_finds_it() {
	stay_on_cpu0
	expect "a run finds a window" finds_window
	expect "and begins with who made it" begins "^Culprit: inject_spinlock"
	expect "it leaves the module unloaded" not loaded trace_irqoff
	taskset -p 3 $$ >/dev/null
}

# dkms_has VERSION: for this kernel, and no other version for any
dkms_has() {
	dkms status -m trace_irqoff >$OUT
	grep -F "trace_irqoff/$1, $(uname -r), x86_64: installed" $OUT &&
		not grep -vF "trace_irqoff/$1" $OUT
}

enable_services() {
	mkdir -p "${METRICS%/*}"
	systemctl enable --now trace-irqoff.service trace-irqoff-metrics.timer
}

# Whatever systemd knows of units of ours.
units() {
	# shellcheck disable=SC2086 # a list
	systemctl list-units --all --plain --no-legend $UNITS
	# shellcheck disable=SC2086 # likewise
	systemctl list-unit-files --no-legend $UNITS
}

dangling_links() {
	find /etc/systemd -xtype l | sort
}

links=$(dangling_links)

# files_left LIST: those of its files that are there, and directories that nobody else has
files_left() {
	while read -r file; do
		[ -e "$file" ] || [ -L "$file" ] || continue
		[ -d "$file" ] && dpkg -S "$file" >/dev/null 2>&1 || echo "$file"
	done <"$1" | grep -vx '/\.'	# as dpkg -L has the root
}

# In memory and on disk, but for what is here to be installed.
named_like_us() {
	for place in / /run /tmp /var/tmp /dev/shm; do
		find "$place" -xdev -path /fleet -prune -o -iname '*trace?irqoff*' -print
	done | sort -u
}

# nothing_is_left LIST: six expectations, with the files of LIST, after the packages
nothing_is_left() {
	expect "the module is not loaded any more" not loaded trace_irqoff
	expect "systemd knows no unit of it" same "" "$(units)"
	expect "the list has files of both packages" \
		sh -c "grep -x /usr/sbin/trace-irqoff $1 && grep '^/usr/src/trace_irqoff-.*/main.c' $1"
	expect "none of them is left" same "" "$(files_left "$1")"
	expect "no link in /etc/systemd leads nowhere" same "$links" "$(dangling_links)"
	expect "nothing on this host has its name" same "" "$(named_like_us)"
}

# upgrade VERSION COMMAND...: eight expectations, while the service runs
upgrade() {
	upgrade_to=$1
	upgrade_from=$(value version status)
	shift
	expect "the packages are upgraded while the module is loaded and enabled" "$@"
	expect "DKMS has the new version now, and no other" dkms_has "$upgrade_to"
	expect "the old one is still loaded" reads_version "$upgrade_from"
	expect "and still traces" reads enable enabled
	expect "the service is still active" systemctl is-active trace-irqoff.service
	expect "the old one can be unloaded" trace-irqoff off -u
	expect "then the new one is loaded" trace-irqoff on
	expect "as it says itself" reads_version "$upgrade_to"
}

reads_version() {
	same "$1" "$(value version status)"
}

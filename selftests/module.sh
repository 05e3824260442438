# SPDX-License-Identifier: GPL-2.0
#
# Functions for tests that load the module: loading it, writing its settings, and the CPUs of this
# machine. Sources lib.sh, which all tests have, and windows.sh, which is for tests that trace. A
# test is one level below this directory, or sets $selftests:
#
#	. "$(dirname "$0")/../module.sh"
#	start_test
#	expect "a write of junk is refused" refused 'Invalid argument' junk enable
#	finish

# shellcheck source=lib.sh
. "${selftests:-$(dirname "$0")/..}/lib.sh"
TIMER_MIGRATION=/proc/sys/kernel/timer_migration

# ko NAME: the path of a module: in a VM next to this directory, on a host where it was built
ko() {
	for ko_path in "$selftests/../$1.ko" "$selftests/inject/$1.ko"; do
		[ -e "$ko_path" ] && echo "$ko_path" && return
	done
	echo "$1.ko not found" >&2
	return 1
}

load() {
	ko_path=$(ko trace_irqoff) && insmod "$ko_path" "$@"
}

loaded() {
	grep -q "^$1 " /proc/modules
}

unload() {
	! loaded trace_irqoff || rmmod trace_irqoff
}

# background COMMAND...: run a command until stop_background, or until the test ends
background() {
	"$@" &
	in_background="${in_background:-} $!"
}

# spin CPU: keep a CPU busy; after 0.2 s, it is
spin() {
	background taskset -c "$1" sh -c 'while :; do :; done'
	sleep 0.2
}

# shellcheck disable=SC2086	# a list
stop_background() {
	[ -n "${in_background:-}" ] || return 0
	kill -9 $in_background 2>/dev/null || :
	wait $in_background 2>/dev/null || :
	in_background=
}

# unload_all: at the end of each test: unload all modules, and restore timer_migration
unload_all() {
	stop_background
	unload
	for unload_module in irqoff_inject irqoff_gone irqoff_other; do
		! loaded $unload_module || rmmod $unload_module
	done
	[ -z "${timer_migration:-}" ] || echo "$timer_migration" >$TIMER_MIGRATION
}

# start_test [PARAMETER]...: load both modules, and unload them at the end. The test stays on CPU 0.
start_test() {
	start_anywhere "$@"
	stay_on_cpu0
}

# start_anywhere [PARAMETER]...: the same, for a test that needs all CPUs. Sets CPU, the last one.
start_anywhere() {
	[ "$(id -u)" = 0 ] || skip_all "only root can load modules"
	unload_all
	trap unload_all EXIT
	load "$@" || skip_all "trace_irqoff.ko cannot be loaded"
	insmod "$(ko irqoff_inject)" || skip_all "irqoff_inject.ko cannot be loaded"
	# shellcheck disable=SC2034	# for the tests
	CPU=$(last_cpu)
	begin_ktap
}

# stay_on_cpu0: keep the test away from CPUs with interrupts off. Otherwise the scheduler may place
# a process of the test there. And without this change of timer_migration, an idle CPU may move its
# timers to a CPU with interrupts off: then a "sleep" lasts until interrupts are on again.
stay_on_cpu0() {
	taskset -p 1 $$ >/dev/null
	[ -w $TIMER_MIGRATION ] || return 0
	[ -n "${timer_migration:-}" ] ||
		timer_migration=$(cat $TIMER_MIGRATION)
	echo 0 >$TIMER_MIGRATION
}

# put TEXT FILE: write TEXT without a newline, by one system call. At most 1,000 bytes: busybox's
# shell splits longer texts. The shell does not print the errno.
put() {
	printf '%s' "$1" >"$P/$2"
}

# put_any TEXT FILE: write TEXT of any length by one system call, and print the errno
put_any() {
	printf '%s' "$1" | dd of="$P/$2" bs=2M iflag=fullblock conv=notrunc status=none
}

# settings_but [FILE]: print all settings but FILE's. A longer period may raise the threshold. Starts no
# process.
settings_but() {
	for setting in enable nosched cpus sampling_period trace_latency; do
		case ${1:-}.$setting in
		"$setting.$setting" | sampling_period.trace_latency) continue ;;
		esac
		read -r setting_line <"$P/$setting"
		echo "$setting $setting_line"
	done
}

# refused ERROR TEXT FILE: the write fails with ERROR and changes nothing
refused() {
	refused_before=$(settings_but; cat "$P/$3")
	fails_saying "$1" put_any "$2" "$3" && same "$refused_before" "$(settings_but; cat "$P/$3")"
}

# accepted TEXT FILE READS: the write succeeds, the file reads READS, and no other setting changes
accepted() {
	accepted_before=$(settings_but "$2")
	put_any "$1" "$2" && reads "$2" "$3" && same "$accepted_before" "$(settings_but "$2")"
}

# last_cpu: the online CPU with the largest number
last_cpu() {
	sed 's/.*[-,]//' /sys/devices/system/cpu/online
}

need_cpus() {
	[ "$(last_cpu)" -ge $(($1 - 1)) ] || skip_all "this machine has fewer than $1 CPUs"
}

rt() {
	uname -v | grep -q PREEMPT_RT
}

# percpu_kb: the memory of the kernel for each CPU
percpu_kb() {
	awk '$1 == "Percpu:" { print $2 }' /proc/meminfo
}

# hurry_rcu: expedite RCU until the test ends. Waiting for RCU is most of the time of an unload.
hurry_rcu() {
	echo 1 >/sys/kernel/rcu_expedited
	trap 'unload_all; echo 0 >/sys/kernel/rcu_expedited' EXIT
}

# fewer N M: prints N, but M on a kernel with lockdep. There, processes take ten times as long, and
# a few rounds are enough for the kernel's own checks.
fewer() {
	[ -e /proc/lockdep ] && echo "$2" || echo "$1"
}

# The lint checks windows.sh by itself: to follow it here would take a minute for each test.
# shellcheck source=/dev/null
. "$selftests/windows.sh"

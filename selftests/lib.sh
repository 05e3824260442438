# SPDX-License-Identifier: GPL-2.0
#
# Functions for all tests: KTAP, loading the modules, reading and writing their files, time and
# random numbers. Sources windows.sh, which is for tests that trace. A test sources this file, and
# has one line for each check:
#
#	expect "a write of junk is refused" refused 'Invalid argument' junk enable
#
# The last line of a test is "finish", which prints the plan: a test that ends early has none, and
# fails. Runs in dash and in busybox ash, in VMs and on hosts.

here=$(cd "$(dirname "$0")" && pwd)
# The directory of this file. A test is in this directory or one level below, or sets the variable.
if [ -z "${selftests:-}" ]; then
	selftests=$here
	[ -e "$selftests/lib.sh" ] || selftests=$here/..
fi
# The output of sort, ls and awk depends on these.
export LC_ALL=C TZ=UTC0
umask 022
P=/proc/trace_irqoff
TIMER_MIGRATION=/proc/sys/kernel/timer_migration
# The files of $P that root can write, and all files. module/load.sh compares them with the module's.
WRITABLE="enable sampling_period trace_latency cpus nosched session records handlers"
# shellcheck disable=SC2034	# for the tests
FILES="$WRITABLE distribute histogram status active"

# The seed of all random numbers.
SEED=${SEED:-$(od -A n -t u2 -N 2 /dev/urandom | tr -d ' ')}
random_file=/tmp/random.$$

ktap_begun=
ktap_done=0
ktap_failed=0
ktap_skipped=0

# begin_ktap: print the first lines of a test, once
begin_ktap() {
	[ -z "$ktap_begun" ] || return 0
	ktap_begun=1
	# An earlier test may have had the same PID.
	rm -f "$random_file"
	echo "TAP version 13"
	note "SEED=$SEED"
}

ok() {
	ktap_done=$((ktap_done + 1))
	echo "ok $ktap_done $*"
}

not_ok() {
	ktap_done=$((ktap_done + 1))
	ktap_failed=$((ktap_failed + 1))
	echo "not ok $ktap_done $*"
}

# skip WORDS WHY: a check that cannot run here
skip() {
	ktap_done=$((ktap_done + 1))
	ktap_skipped=$((ktap_skipped + 1))
	echo "ok $ktap_done $1 # SKIP $2"
}

note() {
	echo "# $*"
}

# expect WORDS COMMAND...: a check with this name: COMMAND must succeed; if not, show its output
expect() {
	expect_words=$1
	shift
	if expect_output=$("$@" 2>&1); then
		ok "$expect_words"
	else
		not_ok "$expect_words"
		note "this failed: $*" | cut -c 1-400
		[ -z "$expect_output" ] || echo "$expect_output" | sed 's/^/# /'
	fi
}

# make_tmp: make the directory $tmp, which is removed on exit
make_tmp() {
	tmp=$(mktemp -d)
	trap 'rm -rf --one-file-system "$tmp"' EXIT
	trap 'exit 130' INT TERM
}

# Kselftest's exit statuses: 0 pass, 1 fail, 4 skip.
finish() {
	begin_ktap
	echo "1..$ktap_done"
	[ "$ktap_done" -gt 0 ] || exit 1
	[ "$ktap_failed" -eq 0 ] || exit 1
	[ "$ktap_skipped" -lt "$ktap_done" ] || exit 4
	exit 0
}

# skip_all WHY: skip the whole test. selftests/skips lists no such skip, so it is a failure in a VM:
# the head of a test names only machines and kernels that have all it needs.
skip_all() {
	begin_ktap
	echo "1..0 # SKIP $1"
	exit 4
}

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

# fails_saying ERROR COMMAND...: the command fails, and prints ERROR
fails_saying() {
	fails_error=$1
	shift
	if fails_said=$("$@" 2>&1); then
		echo "it succeeded"
		return 1
	fi
	case $fails_said in
	*"$fails_error"*) ;;
	*) echo "it failed, but with: $fails_said"; return 1 ;;
	esac
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

reads() {
	same "$2" "$(cat "$P/$1")"
}

# same EXPECTED SEEN
same() {
	[ "$1" = "$2" ] || {
		echo "expected: $1"
		echo "but saw:  $2"
		return 1
	}
}

# between LOW VALUE HIGH: fails for an empty VALUE, too
between() {
	{ [ "$2" -ge "$1" ] && [ "$2" -le "$3" ]; } 2>/dev/null || {
		echo "'$2' is not between $1 and $3"
		return 1
	}
}

# value KEY FILE: the value of KEY in a file with lines "key: value"
value() {
	sed -n "s/^$1: //p" "$P/$2"
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

# random N: a number below N (at most 32768). The same SEED gives the same numbers, unless several
# loops call this at the same time.
random() {
	read -r random_last 2>/dev/null <"$random_file" || random_last=$SEED
	random_last=$(((${random_last:-$SEED} * 1103515245 + 12345) % 2147483648))
	echo $random_last >"$random_file"
	echo $((random_last / 65536 % $1))
}

# now: the time since boot, in hundredths of a second
now() {
	# shellcheck disable=SC2034	# the second field needs a name, too
	read -r now_up now_idle </proc/uptime
	echo "${now_up%.*}${now_up#*.}"
}

# within SECONDS COMMAND...: the command succeeds, and takes at most SECONDS
within() {
	within_limit=$1
	within_begin=$(now)
	shift
	"$@" || return 1
	within_took=$(($(now) - within_begin))
	[ $within_took -le $((within_limit * 100)) ] || {
		echo "it took $within_took hundredths of a second"
		return 1
	}
}

# await COMMAND...: repeat the command until it succeeds, for about 60 s, because the host may be
# busy. For example, the record of a softirq window is made only when softirqs run again.
await() {
	await_left=600
	until await_said=$("$@" 2>&1); do
		await_left=$((await_left - 1))
		[ $await_left -gt 0 ] || {
			echo "gave up: $*"
			echo "$await_said"
			return 1
		}
		sleep 0.1
	done
}

# have COMMAND PACKAGE: install PACKAGE if COMMAND is missing. The lock, shared with
# vm: apt-get fails while another one runs.
have() {
	! command -v "$1" >/dev/null || return 0
	have_cache=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff
	mkdir -p "$have_cache"
	(
		flock 9
		! command -v "$1" >/dev/null || exit 0
		# Otherwise the package makes gawk the awk of all tests, even of running ones.
		[ "$2" != gawk ] || update-alternatives --set awk "$(readlink -f /usr/bin/awk)"
		apt-get update
		DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
			--no-install-recommends "$2"
	) 9>"$have_cache/apt.lock" >&2
}

# The lint checks windows.sh by itself: to follow it here would take a minute for each test.
# shellcheck source=/dev/null
. "$selftests/windows.sh"

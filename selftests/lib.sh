# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the tests share: KTAP lines, loading the modules, their settings. It sources windows.sh, which
# makes windows and reads records. A test sources this file, and says with "plan N" how many things it
# expects. Then it names each of them:
#
#	expect "a write of junk is refused" refused 'Invalid argument' junk enable
#
# The last line of a test is "finish". Runs in dash and in busybox ash, on a host
# (make -C selftests run_tests) and in a VM (selftests/run) alike.

here=$(dirname "$0")
# The directory of this file. A test is in it or one level below, or has set the variable.
if [ -z "${selftests:-}" ]; then
	selftests=$here
	[ -e "$selftests/lib.sh" ] || selftests=$here/..
fi
# The output of sort, ls and awk depends on these.
export LC_ALL=C TZ=UTC0
umask 022
P=/proc/trace_irqoff
TIMER_MIGRATION=/proc/sys/kernel/timer_migration
# shellcheck disable=SC2034	# for the tests
FILES="enable sampling_period trace_latency cpus session distribute records histogram status active"

# The seed of all random numbers.
SEED=${SEED:-$(od -A n -t u2 -N 2 /dev/urandom | tr -d ' ')}
random_file=/tmp/random.$$

ktap_planned=0
ktap_done=0
ktap_failed=0
ktap_skipped=0

plan() {
	ktap_planned=$1
	# An earlier test may have had the same PID.
	rm -f "$random_file"
	echo "TAP version 13"
	echo "1..$1"
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

# skip WORDS WHY: a thing that cannot be tested here
skip() {
	ktap_done=$((ktap_done + 1))
	ktap_skipped=$((ktap_skipped + 1))
	echo "ok $ktap_done $1 # SKIP $2"
}

note() {
	echo "# $*"
}

# expect WORDS COMMAND...: what is expected, and a command that must succeed. If the command fails, its
# output is shown.
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

# Kselftest's exit statuses: 0 pass, 1 fail, 4 skip.
finish() {
	if [ "$ktap_done" -ne "$ktap_planned" ]; then
		note "$ktap_planned planned, but $ktap_done run"
		exit 1
	fi
	[ "$ktap_failed" -eq 0 ] || exit 1
	[ "$ktap_skipped" -lt "$ktap_done" ] || exit 4
	exit 0
}

# skip_all WHY: skip the test on a host that lacks what the test needs. In a VM it fails instead: the head
# of the test names the machines and kernels that it runs on.
skip_all() {
	if [ -n "${VM_CONTROL:-}" ]; then
		plan 1
		not_ok "this test finds what it needs"
		note "$1"
		exit 1
	fi
	skip_it "$1"
}

# skip_it WHY: skip the whole test; in a VM selftests/skips must list it
skip_it() {
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	exit 4
}

# ko NAME: the path of a module. In a VM it is beside this directory, on a host where it was built.
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

# At the end of each test, so that nothing is left on a host.
unload_all() {
	unload
	! loaded irqoff_inject || rmmod irqoff_inject
	[ -z "${timer_migration:-}" ] || echo "$timer_migration" >$TIMER_MIGRATION
}

# start_test [PARAMETER]...: load both modules, and unload them at the end
start_test() {
	[ "$(id -u)" = 0 ] || skip_all "modules can only be loaded by root"
	unload_all
	trap unload_all EXIT
	load "$@" || skip_all "trace_irqoff.ko cannot be loaded"
	insmod "$(ko irqoff_inject)" || skip_all "irqoff_inject.ko cannot be loaded"
}

# stay_on_cpu0: a CPU with interrupts off must not delay this test. Otherwise the scheduler may place a
# process of the test there. And an idle CPU moves its timers to a busy CPU (timer migration): there a
# "sleep" lasts until interrupts are on again.
stay_on_cpu0() {
	taskset -p 1 $$ >/dev/null
	[ -w $TIMER_MIGRATION ] || return 0
	[ -n "${timer_migration:-}" ] ||
		timer_migration=$(cat $TIMER_MIGRATION)
	echo 0 >$TIMER_MIGRATION
}

# put TEXT FILE: write it by one system call, without a newline. Up to 1,000 bytes, which busybox's shell
# writes by one system call. The shell does not print the errno.
put() {
	printf '%s' "$1" >"$P/$2"
}

# put_any TEXT FILE: write text of any length by one system call, and print the errno
put_any() {
	printf '%s' "$1" | dd of="$P/$2" bs=2M iflag=fullblock conv=notrunc \
		status=none
}

# trace PERIOD THRESHOLD: enable with these settings, without records
trace() {
	put 0 enable
	put "$1" sampling_period
	put "$2" trace_latency
	put 0 trace_latency
	put 1 enable
}

# refused ERROR TEXT FILE: the write fails with ERROR and changes nothing
refused() {
	refused_before=$(cat "$P/$3")
	if refused_error=$(put_any "$2" "$3" 2>&1); then
		echo "was accepted"
		return 1
	fi
	case $refused_error in
	*"$1"*) ;;
	*) echo "refused, but with: $refused_error"; return 1 ;;
	esac
	same "$refused_before" "$(cat "$P/$3")"
}

# accepted TEXT FILE READS: the write succeeds, and then the file reads READS
accepted() {
	put_any "$1" "$2" && reads "$2" "$3"
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
		echo "'$2' is not within $1 and $3"
		return 1
	}
}

# value KEY FILE: of a "key: value" file
value() {
	sed -n "s/^$1: //p" "$P/$2"
}

# bounds_us: the largest difference of the two bounds of a latency, in microseconds
bounds_us() {
	value bounds status | sed 's/us$//; s/ms$/000/'
}

# last_cpu: the online CPU with the largest number
last_cpu() {
	sed 's/.*[-,]//' /sys/devices/system/cpu/online
}

# need_cpus N
need_cpus() {
	[ "$(last_cpu)" -ge $(($1 - 1)) ] || skip_all "there are fewer than $1 CPUs"
}

# has_samples: CPUs sample the hardirq windows of other CPUs
has_samples() {
	[ "$(value nmi status)" = on ]
}

# no_nmi_alone: the "nmi" line of status when one CPU is monitored
no_nmi_alone() {
	case $(uname -m) in
	x86_64) echo "off (one CPU)" ;;
	*) echo "off (architecture)" ;;
	esac
}

# expect_sample WORDS COMMAND...: expect it if there are samples in hardirq windows, or skip it
expect_sample() {
	if has_samples; then
		expect "$@"
	else
		skip "$1" "there are no samples: $(value nmi status)"
	fi
}

# need_nmi: skip the test if there are no samples in hardirq windows. On x86 VMs there are: then it fails.
need_nmi() {
	! has_samples || return 0
	! grep -q '^nmi: off (architecture)$' "$P/status" ||
		skip_it "no NMI can be sent on this architecture"
	skip_all "$(grep '^nmi:' "$P/status")"
}

rt() {
	uname -v | grep -q PREEMPT_RT
}

# starves: softirqs wait while ksoftirqd is runnable. 6.5 removed that check, and PREEMPT_RT always leaves
# softirqs to threads. The version decides, because the check was an inline function of kernel/softirq.c:
# no header and no symbol tells.
starves() {
	rt && return
	uname -r | awk -F. '{ exit !($1 < 6 || ($1 == 6 && $2 < 5)) }'
}

# runs_on CPUS
runs_on() {
	same "$1" "$(value cpus_running status)"
}

# period_ms: the sampling period, if it is at least 1 ms
period_ms() {
	sed -n 's/ms$//p' $P/sampling_period
}

# scheduler_ticks: the module has found the scheduler's tick, and all CPUs use it
scheduler_ticks() {
	same scheduler "$(value tick_source status)" &&
		same none "$(value cpus_own_timer status)"
}

# timers [CPU]: the number of our timers that are queued, on CPU or on all CPUs
timers() {
	awk -v cpu="${1:-all}" '
		/^cpu: /		{ here = cpu == "all" || $2 == cpu }
		here && /, (tick_timer_fn|watch_timer_fn|softirqs_timer_fn)/	{ timers++ }
		END			{ print timers + 0 }' /proc/timer_list
}

# ticks_on "CPU CPU...": exactly these CPUs have ticked since the histograms were cleared
ticks_on() {
	same "$1 " "$(sed -n 's/^cpu: \([0-9]*\) kind: hardirq .*/\1/p' $P/histogram |
		tr '\n' ' ')"
}

# up_to N: the numbers from 0 to N
up_to() {
	awk -v last="$1" 'BEGIN { for (i = 0; i < last; i++) printf "%d ", i; print i }'
}

ticks() {
	value ticks status
}

# meminfo KEY: in kB
meminfo() {
	awk -v key="$1:" '$1 == key { print $2 }' /proc/meminfo
}

# hurry_rcu: expedite RCU until the test ends, because an unload mostly waits for RCU
hurry_rcu() {
	echo 1 >/sys/kernel/rcu_expedited
	trap 'unload_all; echo 0 >/sys/kernel/rcu_expedited' EXIT
}

# fewer N M: N; but M on a kernel with lockdep, where processes take ten times as long. That kernel runs
# tests for its checks, and not for failures that need many tries.
fewer() {
	[ -e /proc/lockdep ] && echo "$2" || echo "$1"
}

# random N: a number below N (at most 32768). The same SEED gives the same numbers, unless loops run at
# the same time: these draw from one sequence.
random() {
	read -r random_last 2>/dev/null <"$random_file" || random_last=$SEED
	random_last=$(((${random_last:-$SEED} * 1103515245 + 12345) % 2147483648))
	echo $random_last >"$random_file"
	echo $((random_last / 65536 % $1))
}

# now: hundredths of a second since boot
now() {
	# shellcheck disable=SC2034	# the second field needs a name, too
	read -r now_up now_idle </proc/uptime
	echo "${now_up%.*}${now_up#*.}"
}

# within SECONDS COMMAND...: the command succeeds in at most SECONDS
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

# await COMMAND...: repeat it until it succeeds. For example, a softirq window ends when softirqs run again.
# The limit of 60 s is long, because the host may be busy.
await() {
	await_left=600
	until await_said=$("$@" 2>&1); do
		await_left=$((await_left - 1))
		[ $await_left -gt 0 ] || {
			echo "$await_said"
			return 1
		}
		sleep 0.1
	done
}

# have COMMAND PACKAGE: install PACKAGE if COMMAND is missing. Under a lock, as apt-get fails while another
# apt-get runs; vm takes the same lock.
have() {
	! command -v "$1" >/dev/null || return 0
	have_cache=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff
	mkdir -p "$have_cache"
	(
		flock 9
		! command -v "$1" >/dev/null || exit 0
		# Otherwise gawk becomes the awk of all tests, also of those that run now.
		[ "$2" != gawk ] || update-alternatives --set awk "$(readlink -f /usr/bin/awk)"
		apt-get update
		DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
			--no-install-recommends "$2"
	) 9>"$have_cache/apt.lock" >&2
}

# helper_under_test tree|"" DIR: set HELPER to the helper of the tree, or to the single file that is
# generated from it, in DIR
helper_under_test() {
	HELPER=$selftests/../scripts/trace-irqoff
	if [ "$1" != tree ]; then
		mkdir -p "$2"
		"${HELPER%/*}/generate" >"$2/trace-irqoff" || exit 1
		chmod 755 "$2/trace-irqoff"
		HELPER=$2/trace-irqoff
	fi
	# shellcheck disable=SC2034 # for the tests
	HELPER_UNDER_TEST=$HELPER
}

# stepped_helper FILE: write a copy of the helper to FILE, in which each function first calls the command
# "step": there a test can kill it. Not in clean_up(), which reads $? first.
stepped_helper() {
	sed '/^clean_up() {$/!s/^[a-z_]*() {$/&\n\tstep/' "$HELPER" >"$1"
}

# Following it here would take shellcheck a minute for each test; the lint checks it by itself.
# shellcheck source=/dev/null
. "$selftests/windows.sh"

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the tests share: KTAP lines, loading the modules, their settings; and of windows.sh what makes
# windows and picks records apart. A test sources this, says how many things it expects with
# "plan N", and then says each of them in words:
#
#	expect "a write of junk is refused" refused 'Invalid argument' junk enable
#
# The last line of a test is "finish". Runs in dash and in busybox ash, on a host
# (make -C selftests run_tests) and in a VM (selftests/run) alike.

here=$(dirname "$0")
# The directory of this file: what sources it lies there, or in a folder of it, or has said it.
if [ -z "${selftests:-}" ]; then
	selftests=$here
	[ -e "$selftests/lib.sh" ] || selftests=$here/..
fi
# On whatever host: what sort, ls and awk print depends on these.
export LC_ALL=C TZ=UTC0
umask 022
P=/proc/trace_irqoff
TIMER_MIGRATION=/proc/sys/kernel/timer_migration
# shellcheck disable=SC2034	# for the tests
FILES="enable sampling_period trace_latency cpus distribute records histogram status active"

# All that is random begins with this.
SEED=${SEED:-$(od -A n -t u2 -N 2 /dev/urandom | tr -d ' ')}
random_file=/tmp/random.$$

ktap_planned=0
ktap_done=0
ktap_failed=0
ktap_skipped=0

plan() {
	ktap_planned=$1
	# Of a test that had the same PID.
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

# skip WORDS WHY: a thing that cannot be seen here
skip() {
	ktap_done=$((ktap_done + 1))
	ktap_skipped=$((ktap_skipped + 1))
	echo "ok $ktap_done $1 # SKIP $2"
}

note() {
	echo "# $*"
}

# expect WORDS COMMAND...: what is expected, and the command that succeeds then.
# What the command prints is shown when it fails.
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

# skip_all WHY: for a host that has not what this test needs. A VM has: in their heads the
# tests say on which machines and kernels they run.
skip_all() {
	if [ -n "${VM_CONTROL:-}" ]; then
		plan 1
		not_ok "this test finds what it needs"
		note "$1"
		exit 1
	fi
	skip_it "$1"
}

# skip_it WHY: the test as a whole; in a VM selftests/skips has to say so
skip_it() {
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	exit 4
}

# The .ko lies beside this directory in a VM; on a host where it was built.
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

# At the end of each test: nothing is left on a host.
unload_all() {
	unload
	! loaded irqoff_inject || rmmod irqoff_inject
	[ -z "${timer_migration:-}" ] || echo "$timer_migration" >$TIMER_MIGRATION
}

# start_test [PARAMETER]...: both modules, freshly loaded, gone at the end
start_test() {
	[ "$(id -u)" = 0 ] || skip_all "modules can only be loaded by root"
	unload_all
	trap unload_all EXIT
	load "$@" || skip_all "trace_irqoff.ko cannot be loaded"
	insmod "$(ko irqoff_inject)" || skip_all "irqoff_inject.ko cannot be loaded"
}

# stay_on_cpu0: so that a CPU with interrupts off holds up nothing of this test. What
# is started may else be put there to run; and a CPU that goes idle leaves its timers
# to one that is busy, where a "sleep" then lasts until interrupts are back on.
stay_on_cpu0() {
	taskset -p 1 $$ >/dev/null
	[ -w $TIMER_MIGRATION ] || return 0
	[ -n "${timer_migration:-}" ] ||
		timer_migration=$(cat $TIMER_MIGRATION)
	echo 0 >$TIMER_MIGRATION
}

# put TEXT FILE: write it by one system call, no newline added. Up to 1,000 bytes, which busybox's
# shell writes at once; and a shell does not say why it was refused.
put() {
	printf '%s' "$1" >"$P/$2"
}

# put_any TEXT FILE: likewise, of any length, and with the error of the system call
put_any() {
	printf '%s' "$1" | dd of="$P/$2" bs=2M iflag=fullblock conv=notrunc \
		status=none
}

# trace PERIOD THRESHOLD: turn on with these, and nothing recorded so far
trace() {
	put 0 enable
	put "$1" sampling_period
	put "$2" trace_latency
	put 0 trace_latency
	put 1 enable
}

# refused ERROR TEXT FILE: the write fails with that error and changes nothing
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

# accepted TEXT FILE READS: the write succeeds and the file then reads so
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

# between LOW VALUE HIGH: nothing at all is not
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

# bounds_us: how far the two bounds of a latency are apart at most, in microseconds
bounds_us() {
	value bounds status | sed 's/us$//; s/ms$/000/'
}

# The CPU with the largest number that is online.
last_cpu() {
	sed 's/.*[-,]//' /sys/devices/system/cpu/online
}

# need_cpus N
need_cpus() {
	[ "$(last_cpu)" -ge $(($1 - 1)) ] || skip_all "there are fewer than $1 CPUs"
}

# has_looks: a CPU can look into the hardirq windows of another one
has_looks() {
	[ "$(value nmi status)" = on ]
}

# no_nmi_alone: what status says of NMIs where one CPU is monitored
no_nmi_alone() {
	case $(uname -m) in
	x86_64) echo "off (one CPU)" ;;
	*) echo "off (architecture)" ;;
	esac
}

# expect_look WORDS COMMAND...: what only such a look shows
expect_look() {
	if has_looks; then
		expect "$@"
	else
		skip "$1" "there are no looks: $(value nmi status)"
	fi
}

# need_nmi: there are looks into hardirq windows. In a VM of x86 there are.
need_nmi() {
	! has_looks || return 0
	! grep -q '^nmi: off (architecture)$' "$P/status" ||
		skip_it "no NMI can be sent on this architecture"
	skip_all "$(grep '^nmi:' "$P/status")"
}

rt() {
	uname -v | grep -q PREEMPT_RT
}

# 6.5 took away the check that makes softirqs wait for a ksoftirqd that cannot run;
# PREEMPT_RT always leaves them to threads. By its number, as neither a header nor a symbol tells:
# the check was an inline function of kernel/softirq.c.
starves() {
	rt && return
	uname -r | awk -F. '{ exit !($1 < 6 || ($1 == 6 && $2 < 5)) }'
}

# runs_on CPUS
runs_on() {
	same "$1" "$(value cpus_running status)"
}

# period_ms: the one that is set, of 1 ms and more
period_ms() {
	sed -n 's/ms$//p' $P/sampling_period
}

# scheduler_ticks: the module has found the scheduler's tick, and all CPUs have changed to it
scheduler_ticks() {
	same scheduler "$(value tick_source status)" &&
		same none "$(value cpus_own_timer status)"
}

# timers [CPU]: how many timers of ours the kernel has, there or in all
timers() {
	awk -v cpu="${1:-all}" '
		/^cpu: /		{ here = cpu == "all" || $2 == cpu }
		here && /, (tick_timer_fn|watch_timer_fn|softirqs_timer_fn)/	{ timers++ }
		END			{ print timers + 0 }' /proc/timer_list
}

# ticks_on "CPU CPU...": exactly these have ticked since all was cleared
ticks_on() {
	same "$1 " "$(sed -n 's/^cpu: \([0-9]*\) kind: hardirq .*/\1/p' $P/histogram |
		tr '\n' ' ')"
}

# up_to N: the numbers from 0
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

# hurry_rcu: most of an unload goes into waiting for RCU. Until the test is over.
hurry_rcu() {
	echo 1 >/sys/kernel/rcu_expedited
	trap 'unload_all; echo 0 >/sys/kernel/rcu_expedited' EXIT
}

# fewer N M: N; but M where the kernel looks for errors, whose processes take ten times as long, and
# which is not there to find those that come by chance
fewer() {
	[ -e /proc/lockdep ] && echo "$2" || echo "$1"
}

# random N: a number below N (32768 at most). The same ones for the same SEED, for who asks
# one after the other; loops that run beside each other take turns as they come.
random() {
	read -r random_last 2>/dev/null <"$random_file" || random_last=$SEED
	random_last=$(((${random_last:-$SEED} * 1103515245 + 12345) % 2147483648))
	echo $random_last >"$random_file"
	echo $((random_last / 65536 % $1))
}

# Hundredths of a second since boot.
now() {
	# shellcheck disable=SC2034	# what is not asked for needs a name, too
	read -r now_up now_idle </proc/uptime
	echo "${now_up%.*}${now_up#*.}"
}

# within SECONDS COMMAND...: succeeds, and does not take longer
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

# await COMMAND...: until it succeeds. The end of a softirq window is only seen when softirqs have run
# again. The limit is for what never happens: a busy host takes its time.
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

# have COMMAND PACKAGE: installs it on a host that has none. One test at a time does so, as apt-get
# fails while another one runs; vm has the same lock.
have() {
	! command -v "$1" >/dev/null || return 0
	have_cache=${XDG_CACHE_HOME:-$HOME/.cache}/trace-irqoff
	mkdir -p "$have_cache"
	(
		flock 9
		! command -v "$1" >/dev/null || exit 0
		# Else gawk becomes the awk of all tests, also of those that run meanwhile.
		[ "$2" != gawk ] || update-alternatives --set awk "$(readlink -f /usr/bin/awk)"
		apt-get update
		DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
			--no-install-recommends "$2"
	) 9>"$have_cache/apt.lock" >&2
}

# helper_under_test tree|"" DIR: sets HELPER to the helper as it runs from the tree, or as the
# one file that is made from it, in DIR
helper_under_test() {
	HELPER=$selftests/../scripts/trace-irqoff
	if [ "$1" != tree ]; then
		mkdir -p "$2"
		"${HELPER%/*}/generate/generate" helper >"$2/trace-irqoff" || exit 1
		chmod 755 "$2/trace-irqoff"
		HELPER=$2/trace-irqoff
	fi
	# shellcheck disable=SC2034 # for the tests
	HELPER_UNDER_TEST=$HELPER
}

# stepped_helper FILE: the helper as that, made so that each of its functions calls the command
# "step" before all else, for tests that end it there. But clean_up(): that has to see $? first.
stepped_helper() {
	sed '/^clean_up() {$/!s/^[a-z_]*() {$/&\n\tstep/' "$HELPER" >"$1"
}

# It is checked by itself: here shellcheck would take a minute for each test.
# shellcheck source=/dev/null
. "$selftests/windows.sh"

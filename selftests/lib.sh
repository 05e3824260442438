# SPDX-License-Identifier: GPL-2.0
#
# Functions for all tests: KTAP, comparisons, time, random numbers, and reading the files in $P. A
# test that loads the module sources module.sh instead. A test has one line for each check:
#
#	expect "tracing is enabled" reads enable enabled
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
# The files of the module. Tests without a module set another directory.
P=/proc/trace_irqoff
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

reads() {
	same "$2" "$(cat "$P/$1")"
}

# value KEY FILE: the value of KEY in a file with lines "key: value"
value() {
	sed -n "s/^$1: //p" "$P/$2"
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

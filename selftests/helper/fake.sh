# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What tests of the helper share that have no kernel: plain files stand for those of the module,
# and commands of ours before the real ones. Sourced after lib.sh, with $tmp set.

: "${tmp:?} ${here:?} ${shell=dash}"

export TRACE_IRQOFF_PROC="$tmp/proc" TRACE_IRQOFF_LOCK="$tmp/run/lock"
export TRACE_IRQOFF_STATE="$tmp/state" FAKES="$tmp/fakes" P="$tmp/proc"

# new_host: the module is loaded, and nothing of ours is there but that. It has one window, which
# is none of a run's.
new_host() {
	rm -rf "$P" "$tmp/run" "$tmp/state" "$FAKES" "$tmp/steps"
	mkdir -p "$P" "$tmp/run" "$FAKES"
	for file in enable trace_latency cpus distribute active histogram; do
		: >"$P/$file"
	done
	echo 10ms >"$P/sampling_period"
	printf '%s\n' "version: 0" "enabled: 1" "sampling_period: 10ms" "threshold: 50ms" \
		"cpus: 0-3" "nmi: on" "windows_hardirq: 0" "windows_softirq: 0" >"$P/status"
	: >"$P/records"
	window older_work
	fake_module
}

# window FUNCTION: one more, by that
window() {
	window_seq=$(($(wc -l <"$P/records") + 1))
	printf '%s\n' "seq=$window_seq kind=hardirq cpu=3 end=1795234202.123456789 latency_ns=425123000 max_ns=434000000 steal_ns=0 state=irq-off comm=kubelet pid=7 tgid=7 cgroup=4711 pending=- stack=vfs_read;$1 sample=1000:vfs_read;$1" >>"$P/records"
	sed -i "s/^windows_hardirq: .*/windows_hardirq: $window_seq/" "$P/status"
}

# fake COMMAND: does what is on stdin, a script
fake() {
	cat >"$FAKES/$1"
	chmod 755 "$FAKES/$1"
}

# Turned on, it has a window of $WINDOW at once, if that is set.
fake_module() {
	{
		echo "#!/bin/sh"
		echo ". '$here/../lib.sh'; tmp=$tmp; . '$here/fake.sh'"
		# shellcheck disable=SC2016 # expanded there
		echo 'text=$(cat)
			case $* in
			*/enable*) [ "$text" != 1 ] || [ -z "${WINDOW:-}" ] || window "$WINDOW" ;;
			esac
			for word; do
				case $word in
				of=*) [ ! -d "$P" ] || printf "%s" "$text" >"${word#of=}" ;;
				esac
			done'
	} | fake dd
}

# helper ARGUMENT...: with the fakes before all else
helper() {
	# shellcheck disable=SC2086 # "busybox sh" is two words
	PATH=$FAKES:$PATH $shell "$HELPER" "$@"
}

# ends_with STATUS COMMAND...
ends_with() {
	ends_status=$1
	shift
	ends_said=$("$@" 2>&1)
	same "$ends_status" $? && return
	echo "$ends_said" | tail -n 5
	return 1
}

# says TEXT COMMAND...: on stdout or stderr
says() {
	says_text=$1
	shift
	said=$("$@" 2>&1)
	case $said in
	*"$says_text"*) ;;
	*)
		echo "$said" | head -n 20
		return 1 ;;
	esac
}

# last_has FUNCTION [N]: what the last run saw, or the Nth before it, had that culprit
last_has() {
	says "Culprit: $1, in task kubelet (PID 7): interrupts off, 1 window" \
		helper report --last-but "${2:-0}"
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64
# kernels: newest
# host: the test makes calls into the kernel fail
# Calls of the module into the kernel fail, one at a time. After a failure, nothing is left of the
# operation, no setting has changed, and the next try succeeds. inject/fail.c makes the calls fail.
. "$(dirname "$0")/../lib.sh"
start_test
unload

FAIL=/proc/irqoff_fail
STATES=/sys/devices/system/cpu/hotplug/states
LOADS=20

[ -e $FAIL ] || skip_all "calls cannot be made to fail here"
need_cpus 2
stay_on_cpu0
hurry_rcu
plan 14

# arm FUNCTION N [again]: from now on, the Nth call fails; with "again", every Nth call
arm() {
	printf '%s' "$*" | dd of=$FAIL status=none
}

disarm() {
	echo off >$FAIL
}

# number calls|failed: the number of calls since arm(), or of those that failed
number() {
	read -r number_line <$FAIL
	number_rest=${number_line#* "$1"=}
	echo "${number_rest%% *}"
}

# know FUNCTION...: set $function to the first of these functions that this kernel has
know() {
	for function; do
		know_error=$(arm "$function" 1000000 2>&1) && return
		case $know_error in
		*"No such file"*) ;;
		*) note "$know_error"; return ;;
		esac
	done
	return 1
}

# lost_memory: the number of vmalloc areas of unloaded modules. Their caller is an address, not a
# name.
lost_memory() {
	grep -c ' 0x[0-9a-f]* pages=' /proc/vmallocinfo
}

nothing_left() {
	[ ! -e "$P" ] || { echo "$P exists"; return 1; }
	[ ! -e /sys/module/trace_irqoff ] || { echo "the module is loaded"; return 1; }
	! grep trace_irqoff "$STATES"
}

# one_error ERRORS: ERRORS is one line, which says that memory is missing
one_error() {
	case $1 in
	*"
"*) ;;
	*"annot allocate memory"* | *"ut of memory"*) return ;;
	esac
	echo "not exactly one error about a lack of memory: $1"
	return 1
}

# Each operation X has three functions: X executes it, and prints errors; X_failed ERRORS checks the
# result after a call has failed; X_undo restores the state before.

load_fully() {
	load enable=1 sampling_period=10 threshold=50 cpus=0-1
}

loading() {
	load_fully && reads enable enabled
}

# busybox tries both system calls that load a module: arm with "again".
loading_failed() {
	one_error "$1" && nothing_left
}

loading_undo() {
	unload && nothing_left
}

# Loading, if the module works without the failed call.
loading_less() {
	loading
}

loading_less_failed() {
	same "" "$1" && reads enable enabled &&
		same "off (registration failed)" "$(value nmi status)"
}

loading_less_undo() {
	loading_undo
}

reading() {
	cat "$P"/* >/dev/null
}

reading_failed() {
	one_error "$1"
}

reading_undo() {
	:
}

# Write a new value to each file that can be written.
writing() {
	for pair in sampling_period=20ms trace_latency=70ms cpus=0 enable=1; do
		error=$(put_any "${pair#*=}" "${pair%=*}" 2>&1) ||
			echo "${pair%=*}: $error"
	done
}

# now_or_before FILE NOW BEFORE: BEFORE if the write to FILE was refused, otherwise NOW
now_or_before() {
	[ "$refused" = "$1" ] && echo "$3" || echo "$2"
}

writing_failed() {
	refused=${1%%:*}
	one_error "$1" &&
		reads sampling_period "$(now_or_before sampling_period 20ms 10ms)" &&
		reads cpus "$(now_or_before cpus 0 0-1)" &&
		reads enable "$(now_or_before enable enabled disabled)" &&
		same "$(now_or_before trace_latency 70ms 50ms)" \
			"$(value threshold status)"
}

writing_undo() {
	echo 0 >"$P/enable"
	echo 10ms >"$P/sampling_period"
	echo 50ms >"$P/trace_latency"
	echo 0-1 >"$P/cpus"
}

# call_fails WHAT N: the Nth call of $function in WHAT fails
call_fails() {
	case $1 in
	loading*) arm "$function" "$2" again ;;
	*) arm "$function" "$2" ;;
	esac || return
	errors=$("$1" 2>&1)
	disarm
	between 1 "$(number failed)" 2 && "$1_failed" "$errors" && "$1_undo" ||
		return

	errors=$("$1" 2>&1)
	same "" "$errors" && "$1_undo"
}

each_call_fails() {
	nth=0
	while [ $((nth += 1)) -le "$calls" ]; do
		call_fails "$1" "$nth" || {
			echo "with call $nth of $calls to $function"
			return 1
		}
	done
	same "$lost" "$(lost_memory)"
}

# each_call WORDS WHAT FUNCTION...: in the operation WHAT, each call of the function fails once. The
# function has different names on different kernels.
each_call() {
	words=$1 what=$2
	shift 2
	know "$@" || {
		skip "$words" "this kernel has none of: $*"
		return
	}
	"$what" >/dev/null
	disarm
	"$what"_undo
	calls=$(number calls)
	[ "$calls" -gt 0 ] || {
		skip "$words" "$function is never called here"
		return
	}
	expect "$words" each_call_fails "$what"
	note "$calls calls of $function"
	total=$((total + calls))
}

# The last step of a load fails: the module must undo all other steps.
fail_often() {
	left=$LOADS
	arm proc_create_data "$nr_files" again || return
	while [ $((left -= 1)) -ge 0 ]; do
		! load_fully 2>/dev/null || return
	done
	disarm
}

memory_is_back() {
	[ "$(meminfo Percpu)" -le $((percpu + 16)) ]
}

costs_nothing() {
	percpu=$(meminfo Percpu)
	fail_often && nothing_left && same "$lost" "$(lost_memory)" || return
	await memory_is_back || {
		echo "$percpu kB before, $(meminfo Percpu) kB now"
		return 1
	}
}

nmi_taken() {
	inject hardirq 120000 "$(last_cpu)"
	[ "$(value nmi_taken status)" -gt 0 ]
}

total=0
lost=$(lost_memory)
each_call "without memory for the records, the module is not loaded" \
	loading vzalloc vzalloc_noprof
each_call "without per-CPU memory, the module is not loaded" \
	loading __alloc_percpu pcpu_alloc_noprof
each_call "without an NMI handler, the module is loaded, and status says so" \
	loading_less __register_nmi_handler
each_call "without a hotplug state, the module is not loaded" \
	loading __cpuhp_setup_state_cpuslocked
each_call "without the directory, the module is not loaded" loading proc_mkdir_mode
each_call "without one of the files, the module is not loaded" loading proc_create_data
nr_files=$calls
expect "$LOADS loads that fail at the last step leak no memory" costs_nothing

loading
writing_undo
each_call "single_open() fails once: the next read succeeds" \
	reading single_open
each_call "__seq_open_private() fails once: the next read succeeds" \
	reading __seq_open_private
each_call "the allocation of a cpumask fails once: the next read succeeds" \
	reading alloc_cpumask_var alloc_cpumask_var_node
each_call "single_open() fails once: that file keeps its value" \
	writing single_open
each_call "seq_open_private() fails once: that file keeps its value" \
	writing seq_open_private
each_call "memdup_user_nul() fails once: that file keeps its value" \
	writing memdup_user_nul

trace 10ms 50ms
if grep -q '^nmi: on$' $P/status; then
	expect "after all failures, NMIs are taken" await nmi_taken
else
	skip "after all failures, NMIs are taken" "$(grep '^nmi:' $P/status)"
fi
note "$total calls failed"
finish

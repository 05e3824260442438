#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest newest
# Which function went on between two samples, and for which lock a CPU waits. The loops of the test
# module are known: in a window of the kind CONTEXT_LOOP, such as hardirq_regs, the function
# loop_LOOP goes on. Fields of a sample: "moved=K,L", numbers of frames (1: outermost; -: not
# known), and "lock=".
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 4

CONTEXTS="hardirq bh preempt softirq"
LOOPS="short leaf calls_long nested3 regs locals caller_struct list pointer lock tail recursion deep"
LOOPS="$LOOPS bigframe realigned cold"

# make_windows CONTEXT: make a window of each loop, and keep the records
make_windows() {
	put 0 trace_latency
	for loop in $LOOPS; do
		inject "$1_$loop" 150000 "$CPU"
	done
	sleep 0.2
	records >"/tmp/moved.$1"
}

# compare FILE...: print a line for each wrong name, and for each loop of which nothing is known. The name of
# a file ends with the context. Only two samples of the same loop are compared.
#
# - calls_long calls a function that takes 20 ms: between closer samples, that function may go on.
# - locals changes only its memory while it stays at one call site. K ignores memory, so K
#   may name a function that the loop calls. L must be the loop.
# - caller_struct counts in the memory of its caller: L may be the caller.
compare() {
	awk -v contexts="$CONTEXTS" -v loops="$LOOPS" '
		# name(NUMBER): the function with this number in the stack
		function name(number,	function_name) {
			if (number !~ /^[0-9]+$/ || number < 1 || number > nr_frames)
				return "(" number ")"
			function_name = frame[number]
			sub(/\[.*/, "", function_name)
			sub(/\..*/, "", function_name)
			return function_name
		}

		function read_sample(word) {
			at = word
			sub(/^sample=/, "", at)
			sub(/:.*/, "", at)
			stack = word
			sub(/^[^:]*:/, "", stack)
			nr_frames = split(stack, frame, ";")
			loop = ""
			for (loop_number = nr_frames; loop_number > 0; loop_number--)
				if (frame[loop_number] ~ /^loop_.*\[irqoff_inject\]$/) {
					loop = substr(name(loop_number), 6)
					break
				}
		}

		function is_right(function_name) {
			return function_name == "loop_" loop || (loop == "calls_long" &&
				function_name == "call_long" && at - last_at < 30000000)
		}

		function compare_sample(moved,	number, kind, k, l) {
			split(moved, number, ",")
			kind = context "_" loop
			if (last_loop == "none" && moved != "-")
				print "wrong " kind ": the first sample has moved=" moved
			if (loop == "" || loop != last_loop)
				return
			if (moved == "-")
				return
			known[kind]
			k = name(number[1])
			l = name(number[2])
			if (!is_right(k) && !(loop == "locals" && is_right(l) && number[1] + 0 > loop_number))
				print "wrong " kind ": K is " k " in moved=" moved " of " stack
			if (!is_right(l) && !(loop == "caller_struct" && l == "wait_caller_struct"))
				print "wrong " kind ": L is " l " in moved=" moved " of " stack
		}

		FNR == 1 {
			context = FILENAME
			sub(/.*\./, "", context)
		}
		{
			last_loop = "none"
			stack = ""
			for (i = 1; i <= NF; i++)
				if ($i ~ /^sample=/) {
					read_sample($i)
				} else if ($i ~ /^moved=/ && stack != "") {
					compare_sample(substr($i, 7))
					last_loop = loop
					last_at = at
					stack = ""
				}
		}
		END {
			nr_loops = split(loops, all_loops, " ")
			nr_contexts = split(contexts, all_contexts, " ")
			for (i = 1; i <= nr_contexts; i++)
				for (j = 1; j <= nr_loops; j++)
					if (!((all_contexts[i] "_" all_loops[j]) in known))
						print "unknown " all_contexts[i] "_" all_loops[j]
		}' "$@"
}

# none WORD CONTEXT: the comparison has found nothing of this kind
none() {
	! grep "^$1 $2_" /tmp/moved
}

# at_most_one_wrong CONTEXT: hashes have 16 bits, so one change in 65,536 is not seen (once in 5,000
# comparisons on 6.1). A comparison may have two lines, for K and for L.
at_most_one_wrong() {
	grep "^wrong $1_" /tmp/moved
	[ "$(grep -c "^wrong $1_" /tmp/moved)" -le 2 ]
}

# check CONTEXT EXPECT: EXPECT is expect or expect_sample
check() {
	"$2" "in $1 windows, moved names a wrong function at most once" at_most_one_wrong "$1"
	# On arm64, no function may be known; with lockdep, too few samples may tell.
	[ "$(uname -m)" != x86_64 ] || [ -e /proc/lockdep ] ||
		"$2" "in $1 windows, moved names a function of each loop" none unknown "$1"
}

# wait_for KIND: CPUs 2 and 3 wait for the lock of this kind, which CPU 1 has
wait_for() {
	put 0 trace_latency
	inject "$1" 500000 1 &
	sleep 0.1
	inject "$1" 1000 2 &
	inject "$1" 1000 3 &
	wait
	await recorded kind=hardirq cpu=2
	await recorded kind=hardirq cpu=3
}

# locks KIND: print the locks for which CPU 2 waited in windows of this kind, then those of CPU 3
locks() {
	for cpu in 2 3; do
		records kind=hardirq "cpu=$cpu" | grep -F ";inject_$1[" | tr ' ' '\n' |
			sed -n 's/^lock=//p' | sort -u
	done | tr '\n' ' '
}

trace_all 10ms 20ms
for context in $CONTEXTS; do
	make_windows "$context"
done
# shellcheck disable=SC2086	# a list
expect "the records can be compared" eval 'compare $(printf "/tmp/moved.%s " $CONTEXTS) >/tmp/moved'
grep '^wrong ' /tmp/moved | while read -r line; do
	note "$line"
done
check hardirq expect_sample
for context in bh preempt softirq; do
	check "$context" expect
done

# With lockdep, a CPU that waits may have no sample.
[ ! -e /proc/lockdep ] || finish
wait_for lock_static
name="inject_static_lock[irqoff_inject]"
expect_sample "two CPUs wait for a static lock: its name" same "$name $name " "$(locks lock_static)"
# Of a reader-writer lock, only the spinlock inside is known: one CPU waits for it, the other has it.
if ! rt; then
	wait_for lock_write
	expect_sample "two CPUs wait for a reader-writer lock: no wrong name" eval \
		'! locks lock_write | tr " " "\n" | grep -vxE "inject_rw_lock[[]irqoff_inject]|#[0-9]+|"'
fi
wait_for lock_percpu
seen=$(locks lock_percpu)
number=${seen%% *}
expect_sample "two CPUs wait for a lock without a symbol: a number" \
	eval 'echo "$seen" | grep -E "^#[0-9]+ #[0-9]+ $" || { echo "saw: $seen"; false; }'
expect_sample "the number is the same on both CPUs" same "$number $number " "$seen"
wait_for lock_static
wait_for lock_percpu
expect_sample "the number is the same again later" same "$seen" "$(locks lock_percpu)"
finish

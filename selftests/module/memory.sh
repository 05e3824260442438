#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# only: debug
# All memory is allocated at load, and none later, while the recorder fills. Measured by the
# kernel's memory profiling (/proc/allocinfo). In each test on debug, this profiling also warns about
# memory that is still allocated after an unload.
. "$(dirname "$0")/../module.sh"
start_test nr_records=16

RECORD=4300	# bytes: at most this for each record
# Where the kernel allocates for the module: open files, texts that are written, masks of CPUs
FOR_US="fs/seq_file[.]c|func:(memdup_user_nul|alloc_cpumask_var_node)"

# held [PATTERN]: the number of bytes that the module has allocated, without per-CPU memory; or that
# code whose line matches PATTERN has allocated
held() {
	awk -v pattern="${1:-[[]trace_irqoff[]]}" '
		$0 ~ pattern { sum += $1 }
		END { print sum + 0 }' /proc/allocinfo
}

# vmalloc() rounds up to pages. A group of CPUs takes less than a page.
expect "16 records take 4.2 KB each" between 64000 "$(held)" $((16 * RECORD + 8192))
at_load=$(held)
for_us=$(held "$FOR_US")
trace 1ms 2ms
inject_times 40 hardirq 8000 "$CPU"
inject_times 10 bh 8000 "$CPU"
await recorded kind=softirq
expect "the recorder is full" same 16 "$(value records_kept status)"
expect "a full recorder allocates no more memory" same "$at_load" "$(held)"
for file in $FILES; do
	cat "$P/$file" >/dev/null
	dd if="$P/$file" of=/dev/null bs=1 count=1 2>/dev/null
	put nonsense "$file" 2>/dev/null
done
expect "reading all files and writing junk leaves no memory allocated" \
	same "$at_load $for_us" "$(held) $(held "$FOR_US")"
put 0 trace_latency
unload
load
expect "1024 records take 4.2 KB each" between 4096000 "$(held)" $((1024 * RECORD + 8192))
finish

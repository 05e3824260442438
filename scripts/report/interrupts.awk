# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Storms of interrupts, and which interrupt it was: /proc/interrupts at the begin and at the end of the
# run. These files come after the records: only columns of CPUs that had a storm are read.
#
#	           CPU0       CPU1
#	  24:       123     456789   IO-APIC  24-fasteoi  eth0
#	 LOC:     98765      43210   Local timer interrupts
#
# Owns:
#	storm_cpu[cpu], cpu_column[cpu], nr_columns	CPUs that had a storm; the word of a line with their count
#	irqs_before[number, cpu], is_before_read	of interrupts.begin
#	run_irqs[cpu], most_irqs[cpu], most_frequent[cpu]	interrupts of the run; of the most frequent one;
#				its line: "24: IO-APIC 24-fasteoi eth0"
#	c_nr_storms[c], c_worst_storm[c]	of a culprit's own windows; with the most interrupts; if any

BEGIN {
	# A window is a storm if the CPU took this many interrupts in it, at this rate.
	STORM_IRQS = 1000
	STORM_IRQS_A_SECOND = 20000
	is_before_read = nr_columns = 0
}

function is_storm(w) {
	return w in win_irqs && win_irqs[w] + 0 >= STORM_IRQS && win_irqs[w] * 1e9 >= STORM_IRQS_A_SECOND * win_latency_ns[w]
}

function parse_interrupts(line,	n, i, cpu, word) {
	n = split(line, word, " ")
	if (word[1] ~ /^CPU[0-9]+$/) {
		split("", cpu_column)
		nr_columns = n
		for (i = 1; i <= n; i++)
			cpu_column[substr(word[i], 4) + 0] = i + 1
	} else if (word[1] ~ /^[0-9]+:$/ && n > nr_columns)
		# Lines with a name instead of a number are not counted in records, either.
		for (cpu in storm_cpu)
			if (cpu in cpu_column && word[cpu_column[cpu]] ~ /^[0-9]+$/)
				add_interrupt(cpu, n, word)
}

function add_interrupt(cpu, n, word,	count, i) {
	count = word[cpu_column[cpu]]
	if (what == "interrupts.begin") {
		irqs_before[word[1], cpu] = count
		is_before_read = 1
		return
	}
	if ((word[1], cpu) in irqs_before)
		count -= irqs_before[word[1], cpu]
	# The kernel's counters have 32 bits.
	if (count < 0)
		count += exp2(32)
	run_irqs[cpu] += count
	if (cpu in most_irqs && count <= most_irqs[cpu])
		return
	most_irqs[cpu] = count
	most_frequent[cpu] = word[1]
	for (i = nr_columns + 2; i <= n; i++)
		most_frequent[cpu] = most_frequent[cpu] " " word[i]
}

function find_storms(	w, c) {
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (!(w in win_unwanted) && is_storm(w) && !(w in win_holder)) {
			c = win_c[w]
			c_nr_storms[c]++
			if (!(c in c_worst_storm) || win_irqs[w] - win_irqs[c_worst_storm[c]] > 0)
				c_worst_storm[c] = w
		}
}

# "41,233 interrupts in 380 ms: a storm, not one handler; most of them: 24: IO-APIC 24-fasteoi eth0".
# Most were of one interrupt if all others of the run were fewer than half of the window's.
function storm_text(w,	cpu, text) {
	text = with_commas(win_irqs[w]) " interrupts in " duration(win_latency_ns[w]) \
		": a storm, not one handler"
	cpu = win_cpu[w] + 0
	if (!is_before_read || spent == "" || !(cpu in most_irqs))
		return text
	return text "; " ((run_irqs[cpu] - most_irqs[cpu]) * 2 < win_irqs[w] + 0 ? "most of them: " : \
		"the most frequent one of this run: ") most_frequent[cpu]
}

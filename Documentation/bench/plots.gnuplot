# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The plots of bench.csv in BENCHMARKS.md. "plot" sets data to the directory of the figures.

set datafile missing "?"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set border 3 linecolor "#444444"
set tics nomirror
set grid ytics linecolor "#dddddd" linetype 1
set key above
set linetype 1 linecolor "#3465a4"	# with the module
set linetype 2 linecolor "#73a6d8"
set linetype 3 linecolor "#d97706"	# others, without
set linetype 4 linecolor "#9a9a9a"

set terminal svg size 560, 360 font "sans-serif,12" background "white" noenhanced
set output "cost.svg"
set title "A tick on a busy CPU (instructions)"
set yrange [0:*]
plot data."/ticks" using 2:xtic(1) title "scheduler's tick" linetype 1, \
	"" using 3 title "each other timer" linetype 2

set terminal svg size 840, 360 font "sans-serif,12" background "white" noenhanced
set output "idle.svg"
set multiplot layout 1, 2
set xrange [-0.5:2.5]
set title "Timer interrupts a second on an idle CPU"
set xlabel "wake-ups a second on another CPU"
set yrange [0:*]
plot data."/idle" using 2:xtic(1) title "most, with" linetype 1, \
	"" using 3 title "most, without" linetype 4, \
	"" using 4 title "third most, with" linetype 2, \
	"" using 5 title "third most, without" linetype 3
set title "Entries into the deepest idle state, with (% of without)"
set xlabel "wake-ups a second on this CPU"
set xrange [-0.5:1.5]
set yrange [0:120]
plot data."/idle" every ::1 using 6:xtic(1) notitle linetype 1, 100 notitle with lines linetype 4
unset multiplot

set output "bounds.svg"
set multiplot layout 1, 2
unset xlabel
set xrange [*:*]
set offsets 0.5, 0.5, 0.2, 0.2
set yrange [*:*]
set ylabel "ms from the true length: least, mean, most"
ms(column) = column / 1000.0
do for [kind in "hardirq softirq"] {
	file(bound) = data."/".kind.".".bound
	set title kind eq "hardirq" ? "Interrupts off" : "Softirqs delayed"
	plot for [i=1:2] file(word("MAX LATENCY", i)) using 0:(ms($3)):(0):(ms($4 - $3)) \
			notitle with vectors heads size 0.1, 90 linetype 5 - 2 * i linewidth 2, \
		for [i=1:2] file(word("MAX LATENCY", i)) using 0:(ms($2)):xtic(1) \
			title word("MAX LATENCY", i) with points linetype 5 - 2 * i pointtype 7, \
		0 title "true length" with lines linetype 4
	unset ylabel
}
unset multiplot

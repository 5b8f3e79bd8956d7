# SPDX-License-Identifier: BSD-2-Clause
# gnuplot -e "points='FILE'; picture='FILE.svg'" picture.gp
set terminal svg size 720,440 background "#ffffff" font "sans-serif,14"
set output picture
set title "What leaving out memory costs: below 1 the attacker gains"
set xlabel "part of the memory kept"
set ylabel "memory × time, compared with all memory kept"
set logscale y 2
set xrange [1:0.25]
set yrange [0.5:32]
set grid
set key top left
plot 1 notitle with lines lc "#555555" dt 2, for [i = 0:4] points index i \
	using 1:2 with linespoints lw 2 pt i + 4 \
	title columnheader(1)

# SPDX-License-Identifier: BSD-2-Clause
# gnuplot -e "times='FILE'; picture='FILE.svg'" logins.gp
# FILE is the output of bench.  The picture has a background of its own, so that
# it can be read in dark mode, and each curve has a mark of its own.
set terminal svg size 720,400 background "#ffffff" font "sans-serif,14"
set output picture
set title "What one login costs: CPU time and memory"
set xlabel "CPU time, ms"
set ylabel "memory, MiB"
set logscale xy 2
set xrange [4:512]
set yrange [12:320]
set xtics (4, 8, 16, 32, 64, 128, 256, 512)
set ytics (16, 32, 64, 128, 256)
set grid
set key top left
rows(name) = sprintf("< awk '/^at logins/ { on = 1 } /^$/ { on = 0 } on && \
	/^%s/ { print $(NF - 2), $(NF - 3) }' '%s'", name, times)
plot rows("Lyra2") with linespoints lw 2 pt 7 lc "#0060a0" title "Lyra2, t=2", \
	rows("Argon2id") with linespoints lw 2 pt 5 lc "#b04000" \
	title "Argon2id, t=3", \
	rows("yescrypt") with linespoints lw 2 pt 9 lc "#207020" title "yescrypt"

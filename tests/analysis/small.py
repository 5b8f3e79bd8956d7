#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Runs keep.c on graphs so small that its prices were computed by hand.

usage: small.py KEEP
"""

import subprocess
import sys

# rows, nodes, steps, ways, busy, columns of a row, bytes of a state: 1/64 row.
# Steps: known reads, reads, writes.  Ways: node, its order (0 up, 1 down),
# step, needs (3 node + order).  Memory has room for no row: each is dropped.

# b = f(a), both from right to left; the last step reads b from left to right,
# so a and b must be whole: 1/8 + 1/8 of a step, with 8 stretches.  If states
# may take a tenth, f keeps 4 of its 8: 1/8 + 1/4.  Columns of a exist for half
# of that on average, and b belongs to the step that reads it.
TURNED = """2 2 3 2 0 1000 384
0 0 1 -1 0
1 1 0 1 -1 1
0 1 1 0
0 1 0 0
1 1 1 1 0"""

# b = f(a) replaces c.  The last step reads b from left to right; f writes from
# right to left, but reads a in the order in which a comes.  So b waits for its
# own repeat, 1/8, and a column of a.  If states may take a tenth, a keeps 4.
# Then f, which has 8, can run only 4 stretches at once.
STREAM = """2 3 4 3 0 1000 384
0 0 1 -1 0
0 0 1 -1 1
1 1 1 1 0 2
0 1 2 0
0 0 0 0
1 0 1 0
2 1 2 1 3"""

# stretches, states; time, repeats, greatest memory, memory x time, steps, rows,
# memory x time with all kept, and of the columns.  The greatest memory is the
# row that a step reads, and the states used later: a's 8/64, or 4/64 in STREAM
# if they may take a tenth.  In STREAM c's 8/64 come on top.
WANTED = {
    (TURNED, 0): "3.25 3 1.125 2.53125 3 2 3 0.125",
    (TURNED, .1): "3.375 3 1.125 2.671875 3 2 3 0.1875",
    (STREAM, 0): "4.126 3 1.25 2.64175 4 2 5 0.001",
    (STREAM, .1): "4.251 3 1.1875 2.6416875 4 2 5 0.001",
}


def main():
    failed = False
    for (graph, states), wanted in WANTED.items():
        got = subprocess.run([sys.argv[1], "8", "0", "0", "-1", ".1",
                              str(states)], input=graph, capture_output=True,
                             text=True, check=True).stdout.strip()
        if got != wanted:
            print(f"states {states}: {got}, not {wanted}, of\n{graph}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()

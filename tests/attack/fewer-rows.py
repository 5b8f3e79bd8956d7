#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What it costs a guesser to keep only a part of the rows of Lyra2, version 3.

The attack keeps the sponge's state before each visit of a row, so that it can
repeat any visit; the rows that the last visit wrote; and a random part of the
others, as they are now.  To get another row, it repeats the visit that wrote
it, and those that wrote what that one read, until it has all.  What it repeats
for one visit takes no memory here, so a real attack works more than this.
Prints the work as a multiple of that with all rows.
"""

import random
import sys

KEPT = 1, 15 / 16, 7 / 8, 3 / 4, 1 / 2


def setup(rows, lanes, visits):
    """Adds (rows read, rows written), and returns the paper's prev1, sqrt."""
    row1, prev1, wnd, stp, sqrt, gap, off, sync = 1, 0, 2, 1, 2, 1, 0, 4
    for i in range(lanes):
        visits += ([], [(i, 0)]), ([(i, 0)], [(i, 1)]), ([(i, 1)], [(i, 2)])
    for row0 in range(3, rows):
        for i in range(lanes):
            j = (i + off) % lanes
            visits.append(([(i, row0 - 1), (j, row1), (j, prev1)],
                           [(i, row0), (j, row1)]))
        prev1, row1 = row1, (row1 + stp) % wnd
        if row1 == 0:
            stp, gap, wnd = sqrt + gap, -gap, 2 * wnd
            sqrt *= 2 if gap != 1 else 1
        if row0 == sync:
            sync, off = sync + sqrt // 2, (off + 1) % lanes
    return prev1, sqrt


def wander(rows, lanes, passes, visits):
    prev1, sqrt = setup(rows, lanes, visits)
    prev = [((i, rows - 1), (i, prev1)) for i in range(lanes)]
    half, window, sync = rows // 2, 0, sqrt
    for n in range(passes * rows):
        for i in range(lanes):
            if lanes == 1:
                new = tuple((0, random.randrange(rows)) for _ in "01")
                visits.append(([*new, *prev[0]], new))
            else:
                new = ((i, window + random.randrange(half)),)
                other = (random.randrange(lanes),
                         half - window + random.randrange(half))
                visits.append(([*new, other, prev[i][0]], new))
            prev[i] = new
        if n == sync:
            sync, window = sync + sqrt, half - window


def work(rows, lanes, passes, kept):
    visits, inputs, writer, done = [], [], {}, 0
    wander(rows, lanes, passes, visits)
    keep = {(i, r): random.random() < kept
            for i in range(lanes) for r in range(rows)}
    for v, (reads, writes) in enumerate(visits):
        inputs.append({(row, writer[row]) for row in reads})
        todo, repeat = list(inputs[v]), set()
        while todo:
            row, by = todo.pop()
            here = by >= v - lanes or keep[row] and writer[row] == by
            if by not in repeat and not here:
                repeat.add(by)
                todo += inputs[by]
        done += 1 + len(repeat)
        writer.update((row, v) for row in writes)
    return done / len(visits)


def main():
    random.seed(1)
    print("lanes  passes  rows" + "".join(f"{k:9.4f}" for k in KEPT))
    for lanes in 1, 4:
        for passes in 1, 2:
            for rows in map(int, sys.argv[1:] or ("64", "256", "1024")):
                print(f"{lanes:5}  {passes:6}  {rows:4}" + "".join(
                    f"{work(rows // lanes, lanes, passes, k):9.1f}"
                    for k in KEPT), flush=True)


if __name__ == "__main__":
    main()

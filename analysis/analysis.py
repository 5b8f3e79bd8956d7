#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Prints the numbers of doc/analysis.md: runs keep.c on what graphs.py makes.

usage: analysis.py KEEP (full | quick | test) [FILE]

quick takes some minutes on two cores, full much longer, with hashes twice
as large and more of them.  FILE gets the points of the picture, for gnuplot.
"""

import itertools
import os
import random
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import graphs

ALL = 1e9			# no limit on repeats
# The area of a unit, in rows: free; by the figures of the Argon2 paper; by 0.1
# mm2 and the memory of today.  The default cost is 4096 rows.
UNITS = {"free": 0, "8 rows": 8, "124 rows": 124}
# What attackers without waiting try: stretches, share, unit expected, limit
TRIES = [(k, share, unit, limit, 0)
         for k, share, unit, limits in (
             (1, 1, 0, (8, 32, 128)), (8, .1, 0, (8, 32)),
             (12, .03, 0, (32,)), (16, .01, 0, (128,)),
             (8, .1, .002, (128,)), (1, 1, .01, (128,)), (1, 1, .1, (128,)),
             (16, 0, 0, (ALL,)))
         for limit in limits]
LIMITS = (8, 32, 128, ALL)
# Those that repeat nearly all rows, and wait: stretches, part kept, states
REPLAYS = ((8, .16, 0), (8, .125, 0), (12, .2, 0), (12, .45, 0), (16, .6, 0),
           (12, .16, .15), (16, .45, .1), (24, .45, .14), (32, .2, .1))
SHAPES = [(lanes, t) for t in (2, 3) for lanes in (1, 2, 4)]
# Milliseconds at the default cost: doc/attack-cost.  With t=3, what Zen 5 takes
# is all that was measured; the others are as much slower than with t=2.
MS = {"Zen 4, AVX2": (92.8, 58.4, 57.5), "Zen 4, AVX-512": (90.7, 57.4, 49.6),
      "Zen 5, AVX2": (83.7, 45.2, 37.0), "Zen 5, AVX-512": (81.5, 43.5, 31.9),
      "Rocket Lake, AVX-512": (107.6, 68.2, 56.4)}
THREE = (106.5 / 81.5, 56.2 / 43.5, 40.8 / 31.9)


class Run:
    """What one attacker pays."""

    def __init__(self, text, *args):
        out = subprocess.run([sys.argv[1], *map(str, args)], input=text,
                             capture_output=True, text=True, check=True).stdout
        (self.time, self.work, self.peak, self.held, self.steps, self.rows,
         self.all, self.brief) = map(float, out.split())
        self.slow, self.works = self.time / self.steps, self.work / self.steps
        self.part = self.peak / self.rows
        self.fixed = 1 / (self.slow * self.part)
        self.counted = 1 / (self.fixed ** -1 +
                            self.brief / self.steps / self.rows)

    def charged(self, unit, held=None, works=0):
        """Memory x time and area x time of units, of one who keeps all"""
        held = self.all if held is None else held
        return held / self.rows + unit * self.steps * (1 + works)

    def gain(self, unit=0):
        return (self.charged(unit) /
                self.charged(unit, self.held, self.works))


def lyra2(rows, lanes, t_cost, seed):
    return graphs.Lyra2(rows, lanes, t_cost, random.Random(seed)).text()


def runs(texts, tries):
    """The results of each of the tries, a list for each"""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = [[pool.submit(Run, text, *args) for text in texts]
                for args in tries]
        return [[job.result() for job in line] for line in jobs]


def mean(values):
    values = list(values)
    return statistics.mean(values)


def spread(values):
    values = list(values)
    return (f"{statistics.mean(values):.2f} +- "
            f"{statistics.stdev(values) if len(values) > 1 else 0:.2f}")


def title(text):
    print(f"\n{text}", flush=True)


def controls(blocks, seeds):
    title(f"1. CONTROLS, {blocks} blocks, {seeds} seeds: found, published")
    rngs = [random.Random(n) for n in range(seeds)]
    texts = [graphs.Scrypt(blocks, rng).text() for rng in rngs]
    for parts, line in zip((2, 4, 8), runs(texts, [
            (1, 0, 0, -1, 1 / n, 0) for n in (2, 4, 8)])):
        print(f"   scrypt, 1/{parts}: time {mean(r.slow for r in line):.2f}, "
              f"{(3 + parts) / 4:.2f}")
    texts = [graphs.Argon2(blocks, 1, 0, rng).text() for rng in rngs]
    passes(blocks // 4)
    published = {2: (1.5, 1.5), 3: (2.6, 4), 4: (5.4, 20.2)}
    ranking = 1.0
    for parts, line in zip(published, runs(texts, [
            (1, 0, 0, -1, -1 / n, 0) for n in published])):
        slow = mean(r.slow for r in line)
        ranking = max(ranking, parts / slow)
        print(f"   Argon2d, t=1, 1/{parts}: depth {slow:.2f}, "
              f"{published[parts][0]}; work "
              f"{mean(1 + r.works for r in line):.2f}, {published[parts][1]}")
    print(f"   Argon2d, t=1, best: {ranking:.2f}, 1.33")
    texts = [graphs.Argon2(blocks, 1, blocks, rng).text() for rng in rngs]
    low = mean(1 / r.part for r in runs(texts, [(1, 0, 0, 0, 0, 0)])[0])
    print(f"   Argon2i, t=1, low storage: {low:.2f}, 5")
    print(f"   Argon2id, t=1, both: {1 / (.5 / low + .5 / ranking):.2f}, 2.1")


def passes(blocks):
    """The first version of Argon2d, of which several passes are published"""
    for t_cost, published in (1, (1.7, 2.5)), (2, (5.7, 14.3)), (3, (20.7, 56)):
        texts = [graphs.Argon2(blocks, t_cost, 0, random.Random(n), True).text()
                 for n in range(10)]
        lines = runs(texts, [(1, 0, 0, -1, -1 / n, 0) for n in (2, 3)])
        print(f"   Argon2d, first version, {blocks} blocks, t={t_cost}, 1/2 "
              "and 1/3: depth " + ", ".join(
                  f"{mean(r.slow for r in line):.2f} {p}"
                  for line, p in zip(lines, published)), flush=True)


def fractions(rows, seeds, out):
    title(f"2. FIXED MEMORY, {rows} rows or blocks, {seeds} seeds, p=2: kept, "
          "time, work,\n   memory x time; with 8 stretches, the same, and "
          "counting columns of repeats")
    rngs = [random.Random(n) for n in range(seeds)]
    hashes = {"Lyra2 t=2": [lyra2(rows, 2, 2, n) for n in range(seeds)],
              "Lyra2 t=3": [lyra2(rows, 2, 3, n) for n in range(seeds)],
              "Argon2id t=1": [graphs.Argon2(rows, 1, rows // 2, rng).text()
                               for rng in rngs],
              "Argon2id t=3": [graphs.Argon2(rows, 3, rows // 2, rng).text()
                               for rng in rngs],
              "scrypt": [graphs.Scrypt(rows, rng).text() for rng in rngs]}
    kept = (1, 15 / 16, 7 / 8, 3 / 4, 1 / 2, 3 / 8, 1 / 4)
    for name, texts in hashes.items():
        stretches = (1, 8) if "Lyra2" in name else (1,)
        if out:
            out.write(f'\n\n"{name}"\n')
        lines = runs(texts, [(k, 0, 0, -1, part, 0)
                             for part in kept for k in stretches])
        for i, part in enumerate(kept):
            found = [(mean(r.part for r in line), mean(r.slow for r in line),
                      mean(1 + r.works for r in line),
                      mean(1 / r.fixed for r in line),
                      mean(1 / r.counted for r in line))
                     for line in lines[len(stretches) * i:][:len(stretches)]]
            print(f"   {name:13}{part:<7.4g}" + " ".join(
                "{:7.2f}{:7.2f}{:8.2f}{:6.2f}{:7.2f}".format(*f)
                for f in found), flush=True)
            if out and abs(found[0][0] - part) < .1:
                out.write(f"{part} {found[0][3]}\n")


def shared(rows, seeds):
    title(f"3. MEMORY SHARED, {rows} rows, {seeds} seeds: the greatest gain "
          "(and repeats a step) of\n   units free, up to 8, 32, 128, all "
          "repeats; of 8 rows; of 124; the same at cost 15;\n   and with "
          "memory fixed")
    found = {}
    for lanes, t_cost in SHAPES:
        found[lanes, t_cost] = lines = runs(
            [lyra2(rows, lanes, t_cost, n) for n in range(seeds)],
            [(*args[:4], 0, args[4]) for args in TRIES])

        def best(unit, limit=ALL, lines=lines):
            line = max((line for args, line in zip(TRIES, lines)
                        if args[3] <= limit),
                       key=lambda line: mean(r.gain(unit) for r in line))
            return (spread(r.gain(unit) for r in line) +
                    f" ({mean(r.works for r in line):.0f})")
        print(f"   p={lanes} t={t_cost}: " + "; ".join(
            [best(0, limit) for limit in LIMITS] +
            [best(unit / n, 128) for n in (4096, 32768)
             for unit in (8, 124)] +
            [spread(max(line[i].fixed for line in lines)
                    for i in range(seeds))]), flush=True)
    # As many units as rows are no attack on 4096 rows, if units take area.
    return {shape: [line for args, line in zip(TRIES, lines) if args[3] < ALL]
            for shape, lines in found.items()}


def cost(lines, lanes, ms, unit):
    """Of the best attacker, if a hash takes as much of our time as 1 ms a
    row of the default cost: memory by time, which lanes share, and units"""
    rows = 1 / ms		# next to 4096
    return min(mean(
        held * rows * rows / r.rows / lanes / r.rows +
        unit / 4096 * rows * r.steps * (1 + works) / r.rows
        for r, held, works in line)
               for line in [[(r, r.all, 0) for r in lines[0]]] +
               [[(r, r.held, r.works) for r in line] for line in lines])


def equal_time(found, gains):
    title("4. EQUAL TIME OF THE DEFENDER: the attacker's cost next to that of "
          "p=2 t=2,\n   for p=1, 2, 4 and t=2, then t=3")
    for cpu, two in MS.items():
        times = dict(zip(SHAPES, two + tuple(
            a * b for a, b in zip(two, THREE))))
        for name, unit in UNITS.items():
            costs = {s: cost(found[s], s[0], times[s], unit) for s in SHAPES}
            print(f"   {cpu:21}{name:17}" + "".join(
                f"{costs[s] / costs[2, 2]:6.2f}" for s in SHAPES))
        for name, gain in gains.items():
            costs = {(p, t): (1 + t) / p / times[p, t] ** 2 / gain[p, t]
                     for p, t in SHAPES}
            print(f"   {cpu:21}{name:17}" + "".join(
                f"{costs[s] / costs[2, 2]:6.2f}" for s in SHAPES))
    title("   chips: 3.3 mm2 of memory, 0.1 for a lane, t=2, nothing left out: "
          "p=2, p=4\n   next to p=1")
    for cpu, two in MS.items():
        print(f"   {cpu:21}" + "".join(
            f"{(3.3 * (two[0] / ms) ** 2 / p + .1 * two[0] / ms) / 3.4:6.2f}"
            for p, ms in zip((2, 4), two[1:])))


def traces(rows, seeds):
    title(f"5. A TRACE OF CACHES, {rows} rows, {seeds} seeds: visits, and "
          "memory x time, of a test\n   next to the hash; with nothing held "
          "that setup reads no more; with 32 repeats (a step)")
    for lanes, t_cost in itertools.product((1, 2, 4), (2, 3)):
        whole = [Run(lyra2(rows, lanes, t_cost, n), 1, 0, 0, 0, 1, 0)
                 for n in range(seeds)]
        lines = runs([lyra2(rows, lanes, 0, n) for n in range(seeds)],
                     [(1, 0, 0, 0, 0, 0), (1, 1, 0, 32, 0, 0)])
        print(f"   p={lanes} t={t_cost}: {1 / (1 + t_cost):.3f} "
              f"{mean(a.all / b.all for a, b in zip(lines[0], whole)):.3f} " +
              " ".join(
                  f"{mean(a.held / b.all for a, b in zip(line, whole)):.3f}"
                  for line in lines) +
              f" ({mean(r.works for r in lines[1]):.0f})")


def replay(rows, seeds):
    title(f"6. NEARLY ALL ROWS REPEATED, {rows} rows, {seeds} seeds, 8 to 32 "
          "stretches: greatest gain\n   with memory fixed; shared; fixed, "
          "counting columns of repeats; repeats a step")
    gains = {"nothing left out": {}, "fixed": {}, "counted": {}}
    for lanes, t_cost in SHAPES:
        lines = runs([lyra2(rows, lanes, t_cost, n) for n in range(seeds)],
                     [(k, 0, 0, -1, *args) for k, *args in REPLAYS])
        found = [max(mean(f(r) for r in line) for line in lines)
                 for f in (lambda r: r.fixed, Run.gain, lambda r: r.counted,
                           lambda r: r.works)]
        print(f"   p={lanes} t={t_cost}: " + " ".join(
            f"{f:.2f}" for f in found), flush=True)
        for name, gain in zip(gains, (1, found[0], found[2])):
            gains[name][lanes, t_cost] = max(1, gain)
    return gains


def main():
    size = sys.argv[2]
    many, rows, seeds = {"full": (1024, 128, 3), "quick": (512, 64, 2),
                         "test": (512, 24, 1)}[size]
    out = None
    if len(sys.argv) > 3:
        out = open(sys.argv[3], "w", encoding="ascii")
    controls(many, 10)
    fractions(rows, seeds, out)
    if out:
        out.close()
    if size == "test":
        return
    gains = replay(rows, seeds)
    traces(rows, seeds)
    equal_time(shared(rows, seeds), gains)


if __name__ == "__main__":
    main()

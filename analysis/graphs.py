#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""What the steps of Lyra2, Argon2 and scrypt read and write, and the ways to
get a block of memory back that an attacker has dropped: the input of keep.c.

A block is a row of Lyra2 as it was between two writes; the schedule is that of
doc/spec/lyra2.py, with random rows where the state selects rows.
"""

import itertools
import sys

sys.path.insert(0, sys.path[0] + "/../doc/spec")
import lyra2  # noqa: E402  pylint: disable=wrong-import-position

UP, DOWN, ANY = range(3)	# the order of columns
BLOCK = 24576			# bytes of a row


class Graph:
    """Steps, and ways: node, its order, the step to repeat, what this needs."""

    def __init__(self, busy, column, state):
        self.busy, self.column, self.state = busy, column, state
        self.now, self.steps, self.ways, self.nodes = {}, [], [], 0

    def write(self, block):
        """A new node for what this place in memory now holds"""
        self.now[block] = self.nodes
        self.nodes += 1
        return self.now[block]

    def step(self, known, reads, writes):
        known = len(reads) if known is True else known
        self.steps.append((known, len(reads), *reads, len(writes),
                           *itertools.chain(*writes)))

    def way(self, node, order, needs):
        self.ways.append((node, order, len(self.steps), len(needs),
                          *[3 * n + o for n, o in needs]))

    def text(self):
        head = (len(self.now), self.nodes, len(self.steps), len(self.ways),
                self.busy, self.column, self.state)
        return "\n".join(" ".join(map(str, line)) for line in
                         [head, *self.steps, *self.ways])


class Lyra2(Graph, lyra2.Lyra2):
    def __init__(self, rows, lanes, t_cost, rng):
        Graph.__init__(self, lanes, 256, 128)
        lyra2.Lyra2.__init__(self, 30, "blamka", max(t_cost, 1), rows, 1, lanes)
        self.rng, self.sponge = rng, [self] * lanes
        self.matrix = [[(i, r) for r in range(self.slice)]
                       for i in range(lanes)]
        for row, lane in itertools.product(range(3), range(lanes)):
            old = [self.now[lane, row - 1]] if row else []
            new = self.write((lane, row))
            self.way(new, DOWN, [(n, UP) for n in old])
            self.step(True, old, [(-1, new)])
        self.fill()
        if t_cost:
            (self.wander_lanes if lanes > 1 else self.wander)()

    @property
    def v(self):
        return [self.rng.getrandbits(64) for _ in range(16)]

    def fill_row(self, lane, other, row0, prev0, row1, prev1):
        old = [self.now[r] for r in ((lane, prev0), other[row1], other[prev1])]
        new, new1 = self.write((lane, row0)), self.write(other[row1])
        for had in itertools.combinations([*old, new, new1], 3):
            for node in {*old, new, new1} - {*had}:
                self.way(node, UP if node == new else DOWN,
                         [(n, UP if n == new else DOWN) for n in had])
        self.way(new, DOWN, [(n, UP) for n in old])
        self.way(new1, UP, [(n, UP) for n in old])
        self.step(True, old, [(-1, new), (old[1], new1)])

    def visit(self, lane, row0, prev0, row1):
        self.any_visit([(lane, row0)], [(lane, prev0)], [self.now[row1]])

    def wander(self):
        prev = [(0, self.rows - 1), (0, self.prev1)]
        for _ in range(self.t_cost * self.rows):
            rows = [(0, self.rng.randrange(self.rows)) for _ in prev]
            self.any_visit(sorted(set(rows)), prev, [])
            prev = rows

    def any_visit(self, rows, prev, read):
        whole = [(self.now[row], ANY) for row in prev]
        old = [self.now[row] for row in rows]
        new = [self.write(row) for row in rows]
        for had in itertools.product(*zip(old, new)):
            order = UP if list(had) == old else DOWN
            for node in {*old, *new} - {*had}:
                self.way(node, order, [(n, order) for n in (*had, *read)] +
                         whole)
        for i, pair in enumerate(zip(old, new)):
            for node in {*old, *new, *read} - {*pair}:
                self.way(node, DOWN, [(n, DOWN) for n in pair] + whole)
        self.step(0, [*{*old, *read, *[n for n, _ in whole]}],
                  list(zip(old, new)))


class Argon2(Graph):
    """One lane; the first known blocks are chosen without the password.  first
    is the first version: each block is as likely, and none is added to."""

    def __init__(self, blocks, t_cost, known, rng, first=False):
        super().__init__(1, 1, 0)
        for n in range(t_cost * blocks):
            new_at, back = n % blocks, min(n, blocks) - 2
            needs = [self.now[(n - 1) % blocks]] if n else []
            if n >= blocks and not first:
                needs.append(self.now[new_at])
            told = len(needs)
            if n > 1:
                x = rng.random() ** (.5 if first else 1)
                needs.append(self.now[(n - 2 - int(back * x * x)) % blocks])
            old, new = self.now.get(new_at, -1), self.write(new_at)
            self.way(new, UP, [(i, UP) for i in needs])
            self.step(n < known or told, needs, [(old, new)])


class Scrypt(Graph):
    """What the second half computes is no block, and is always at hand."""

    def __init__(self, blocks, rng):
        super().__init__(1, 1, 0)
        for n in range(blocks):
            old = [self.now[n - 1]] if n else []
            new = self.write(n)
            self.way(new, UP, [(i, UP) for i in old])
            self.step(True, old, [(-1, new)])
        for _ in range(blocks):
            self.step(0, [self.now[rng.randrange(blocks)]], [])

#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""What a guesser gains by keeping only a part of the rows of Lyra2, version 3.

Simulates who drops rows and gets them back in the ways of backward.py, on the
schedule of doc/spec/lyra2.py, with random rows where the state selects rows:
see doc/analysis.  usage: analysis.py [SEEDS [ROWS]]
"""

import itertools
import multiprocessing
import random
import statistics
import sys

import numpy as np

sys.path.insert(0, sys.path[0] + "/../../doc/spec")
import lyra2  # noqa: E402  pylint: disable=wrong-import-position

UP, DOWN, ANY = range(3)	# the order of columns
WORK, TIME = range(2)		# what a repeat costs: a visit, or latency
COLUMN = 1 / 256		# latency of a repeat that is a column ahead
CHEAP = 1, 4 * COLUMN		# rows that come back for that go first
NEVER = 1e15


class Schedule(lyra2.Lyra2):
    """A node is a row as it was between two writes.  ways: node, its order,
    the visit to repeat, the nodes that this needs, each with an order."""

    def __init__(self, rows, lanes, t_cost, rng):
        super().__init__(30, "blamka", t_cost, rows, 1, lanes)
        self.rng, self.sponge = rng, [self] * lanes
        self.matrix = [[(i, r) for r in range(self.slice)]
                       for i in range(lanes)]
        self.now, self.born, self.ways, self.wandering = {}, [], [], []
        self.visits = 0
        for row, lane in itertools.product(range(3), range(lanes)):
            old = [(self.now[lane, row - 1], UP)] if row else []
            self.way(self.write((lane, row)), DOWN, old)
            self.visits += 1
        self.fill()
        self.filled = dict(self.now)
        (self.wander_lanes if lanes > 1 else self.wander)()

    @property
    def v(self):
        return [self.rng.getrandbits(64) for _ in range(16)]

    def write(self, row):
        self.now[row] = len(self.born)
        self.born.append(self.visits)
        return self.now[row]

    def way(self, node, order, needs):
        self.ways.append((node, order, self.visits, needs))

    def fill_row(self, lane, other, row0, prev0, row1, prev1):
        old = [self.now[r] for r in ((lane, prev0), other[row1], other[prev1])]
        new, new1 = self.write((lane, row0)), self.write(other[row1])
        for had in itertools.combinations([*old, new, new1], 3):
            for node in {*old, new, new1} - {*had}:
                self.way(node, UP if node == new else DOWN,
                         [(n, UP if n == new else DOWN) for n in had])
        self.way(new, DOWN, [(n, UP) for n in old])
        self.way(new1, UP, [(n, UP) for n in old])
        self.visits += 1

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
        self.wandering.append((old + read, list(zip(old, new))))
        self.visits += 1


class Guesser:
    """Keeps that part of the rows; or, if kept is 0, shares memory with others
    and drops whatever comes back in no time."""

    def __init__(self, schedule, price, kept):
        self.s, self.price, self.shared = schedule, price, not kept
        self.lay_out(schedule.ways, len(schedule.born))
        rows, filled = schedule.rows, schedule.filled
        self.memory, self.most = set(filled.values()), int(kept * rows)
        self.lost, self.used, self.pins = set(), set(), set()
        self.last = {i: [filled[i, schedule.slice - 1]]
                     for i in range(schedule.lanes)}
        self.visit = self.cost = rows	# each visit of setup makes a row
        self.held, self.peak = rows * (rows + 1) / 2, 0
        self.drop()
        self.held -= sum(rows - schedule.born[n] for n in self.lost)
        for step, visit in enumerate(schedule.wandering):
            self.wander(step, *visit)

    def lay_out(self, ways, nodes):
        """Arrays with a line for each way and each order wanted."""
        orders = (UP, DOWN, ANY) if self.price == TIME else (UP,)
        self.end = len(orders) * nodes
        table = np.array(sorted(
            (node + nodes * wanted, visit, COLUMN if wanted == order else 1,
             *[n + nodes * (o % len(orders)) for n, o in needs],
             *[self.end] * (4 - len(needs)))
            for node, order, visit, needs in ways for wanted in orders))
        self.when, self.needs = table[:, 1], table[:, 3:].T.astype(int)
        self.own = table[:, 2] if self.price == TIME else 1
        self.first = np.searchsorted(table[:, 0], range(self.end + 1))

    def prices(self):
        """Of each node: price is 0 if it is in memory, best if it were not."""
        here = [n + k for n in self.memory
                for k in range(0, self.end, len(self.s.born))]
        own = np.where(self.when < self.visit, self.own, NEVER)
        self.value = own + NEVER
        while True:
            self.best = np.minimum.reduceat(self.value, self.first[:-1])
            price = np.append(np.minimum(self.best, NEVER), 0)
            price[here] = 0
            value, needs = self.value, price[self.needs]
            self.value = own + (needs.max(0) if self.price == TIME else
                                needs.sum(0))
            self.of = price
            if (self.value >= value).all():
                break

    def plan(self, nodes):
        """The visits to repeat, and the nodes in memory that they need."""
        todo, seen, visits, pins = list(nodes), set(), set(), set()
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                way = self.first[at] + self.value[
                    self.first[at]:self.first[at + 1]].argmin()
                visits.add(int(self.when[way]))
                for need in self.needs[:, way].tolist():
                    if self.of[need]:
                        todo.append(need)
                    elif need < self.end:
                        pins.add(need % len(self.s.born))
        return visits, pins

    def drop(self):
        """The cheapest first, and none that the others need, if it can."""
        rows = self.memory - {n for nodes in self.last.values() for n in nodes}
        dropped = True
        while dropped and len(self.memory) > self.most:
            self.prices()
            dropped = False
            self.pins = set().union(*[self.plan([n])[1] for n in self.lost])
            for n in sorted(rows & self.memory, key=lambda n: (
                    self.best[n] + (n in self.pins), self.s.rng.random())):
                visits, needs = self.plan([n])
                cheap = n not in self.pins and self.best[n] <= CHEAP[self.price]
                if (len(self.memory) <= self.most or
                        not cheap and (dropped or self.shared)):
                    break
                if n not in needs and needs <= self.memory:
                    self.memory.remove(n)
                    self.lost.add(n)
                    self.used |= visits
                    self.pins |= needs
                    dropped = True
        self.peak = max(self.peak, len(self.memory))

    def wander(self, step, needs, writes):
        cost, lost = 1, self.lost.intersection(needs)
        if lost:
            self.prices()
            visits, price = self.plan(lost)[0], max(self.of[n] for n in lost)
            self.used |= visits
            if self.price == WORK:	# or all that was done so far, again
                price = len(visits) if price < NEVER else self.visit
            cost += price
        self.lost -= lost
        self.memory |= lost
        self.cost += cost
        self.held += cost * (len(self.memory) + bool(self.lost) * self.states())
        self.visit += 1
        self.last[step % self.s.lanes] = [new for _, new in writes]
        for old, new in writes:
            self.memory.discard(old)
            self.lost.discard(old)
            self.memory.add(new)
            if self.shared and old in self.pins:
                self.prices()
                dear = {n for n in self.lost if self.of[n] > CHEAP[TIME]}
                self.lost -= dear
                self.memory |= dear
        if not self.shared or step % (self.s.rows // 16) == 0:
            self.drop()

    def states(self):
        """What the states and column numbers that it keeps take, in rows."""
        both = 128 + (256 if self.s.lanes > 1 else 512)
        return sum(both if v >= self.s.rows else 128 for v in self.used) / 24576

    def gain(self):
        """Of memory x time, beside one who keeps all rows."""
        rows, wandering = self.s.rows, self.s.t_cost * self.s.rows ** 2
        if self.shared:
            return (rows * (rows + 1) / 2 + wandering) / self.held
        return (rows ** 2 + wandering) / (self.peak + self.states()) / self.cost


def guess(lanes, t_cost, kept, price, rows, seed):
    schedule = Schedule(rows, lanes, t_cost, random.Random(seed))
    guesser = Guesser(schedule, price, kept)
    return guesser.cost / schedule.visits, guesser.gain()


def main():
    seeds, rows = map(int, (sys.argv[1:] + ["20", "64"][len(sys.argv) - 1:]))
    cases = [(lanes, t_cost, kept, price) for price in (WORK, TIME)
             for lanes in (1, 2, 4) for t_cost in (1, 2, 3)
             for kept in ([1, 15 / 16, 7 / 8] if price == WORK else
                          [1 - 2 ** -(2 + t_cost), 0])]
    print(f"{rows} rows, {seeds} seeds: mean and standard deviation\n"
          "lanes  t  kept              cost              gain", flush=True)
    with multiprocessing.Pool() as pool:
        for lanes, t_cost, kept, price in cases:
            result = pool.starmap(guess, [
                (lanes, t_cost, kept, price, rows, n) for n in range(seeds)])
            print(f"{lanes:5} {t_cost:2}  {kept or 'shared':<7}",
                  ("work", "time")[price], *[
                      f"{statistics.mean(x):8.3f} +- {statistics.stdev(x):5.3f}"
                      for x in zip(*result)], flush=True)


if __name__ == "__main__":
    main()

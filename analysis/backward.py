#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The sponge of Lyra2 runs backward, so rows come back from others.

Runs doc/spec/lyra2.py on small matrices and tries after each visit every way to
get back what it read and wrote: the ways that graphs.py gives to attackers.
Then finds the password in what memory holds after setup.
"""

import itertools
import sys

sys.path.insert(0, sys.path[0] + "/../doc/spec")
import lyra2  # noqa: E402  pylint: disable=wrong-import-position


def mix_back(z, y):
    """The x for which lyra2.blamka(x, y) is z."""
    low = 1 << 32
    x = (z - y) * pow(1 + 2 * (y % low), -1, low) % low
    return (z - y - 2 * x * (y % low)) & lyra2.WORD


def round_back(v):
    for i in (4, 5, 6, 7, 0, 1, 2, 3):
        n = i // 4
        a, b, c, d = (4 * k + (i + n * k) % 4 for k in range(4))
        for left, right in ((1, 48), (40, 32)):
            v[b] = lyra2.rotate_right(v[b], left) ^ v[c]
            v[c] = mix_back(v[c], v[d])
            v[d] = lyra2.rotate_right(v[d], right) ^ v[a]
            v[a] = mix_back(v[a], v[b])


def turned(block, n):
    return block[n:] + block[:n]


class Term:
    """Blocks that a visit adds to its input, column after column, and, unless
    turn is None, what it writes: old, xor the output turned by so many words.
    What an attacker does not have is None."""

    def __init__(self, old, new=None, turn=None):
        self.old, self.new, self.turn = list(old), new and list(new), turn

    def without(self, old, new):
        none = [None] * len(self.old)
        return Term(none if old else self.old, none if new else self.new,
                    self.turn)

    def output(self, c):
        return turned(lyra2.xor_blocks(self.old[c], self.new[c]), -self.turn)


def get_back(terms, start, end):
    """Fills in what terms lack, from the last column to the first.  start and
    end are the states before and after the visit."""
    pairs = [t for t in terms if t.turn is not None]
    whole = [t for t in pairs if None not in t.old + t.new]
    for c in reversed(range(len(terms[0].old))):
        state, output = list(end), end[:12]
        round_back(state)
        for t in pairs:
            if t.old[c] is None and t.new[c] is not None:
                t.old[c] = lyra2.xor_blocks(t.new[c], turned(output, t.turn))
        lack = [t for t in terms if t.old[c] is None]
        if lack:
            before = whole[0].output(c - 1) if c else start[:12]
            rest = lyra2.add_blocks([0] * 12, *[
                t.old[c] for t in terms if t not in lack])
            lack[0].old[c] = [(x ^ y) - z & lyra2.WORD for x, y, z in
                              zip(state, before, rest)]
        for t in pairs:
            t.new[c] = lyra2.xor_blocks(t.old[c], turned(output, t.turn))
        added = lyra2.add_blocks(*[t.old[c] for t in terms])
        end = lyra2.xor_blocks(state[:12], added) + state[12:]


class Checked(lyra2.Lyra2):
    """Tries after each visit every way to get back what it read or wrote."""

    tried = 0

    def fill_row(self, lane, other, row0, prev0, row1, prev1):
        m, start = self.matrix[lane], list(self.sponge[lane].v)
        one, prev = list(other[row1]), list(other[prev1])
        super().fill_row(lane, other, row0, prev0, row1, prev1)
        terms = (Term(m[prev0], m[row0][::-1], 0), Term(one, other[row1], 2),
                 Term(prev))
        for lack in itertools.combinations(range(5), 2):
            self.check(terms, start, lane, lack)

    def visit(self, lane, row0, prev0, row1):
        h, m, prev = self.sponge[lane], self.matrix[lane], []
        start, old, duplex = list(h.v), list(m[row0]), h.reduced_duplex

        def see(block):
            c = len(prev)
            prev.append([x - y - z & lyra2.WORD for x, y, z in
                         zip(block, old[c], row1[c])])
            return duplex(block)
        h.reduced_duplex = see
        super().visit(lane, row0, prev0, row1)
        h.reduced_duplex = duplex
        terms = Term(old, m[row0], 0), Term(row1), Term(prev)
        for lack in ((0,), (1,), (2,)):
            self.check(terms, start, lane, lack)

    def check(self, terms, start, lane, lack):
        """lack counts the old and the new of pairs, then the other terms."""
        n, had = 0, []
        for t in terms:
            size = 1 if t.turn is None else 2
            had.append(t.without(n in lack, size == 2 and n + 1 in lack))
            n += size
        get_back(had, start, list(self.sponge[lane].v))
        assert [(t.old, t.new) for t in had] == [(t.old, t.new) for t in terms]
        Checked.tried += 1


class AfterSetup(lyra2.Lyra2):
    """Rolls setup back from the matrix, the states, the salt and parameters to
    a password of at most one block."""

    def key(self, password, salt, length):
        self.order, self.found = [], None
        self.salt, self.length = salt, length
        return super().key(password, salt, length)

    def fill_row(self, lane, other, row0, prev0, row1, prev1):
        self.order.append((lane, other, row0, prev0, row1, prev1))
        super().fill_row(lane, other, row0, prev0, row1, prev1)

    def fill(self):
        super().fill()
        self.found = self.look([[list(row) for row in rows] for rows in
                                self.matrix], [list(h.v) for h in self.sponge])

    def look(self, matrix, states):
        for lane, other, row0, prev0, row1, prev1 in reversed(self.order):
            m = matrix[lane]
            other = matrix[[o is other for o in self.matrix].index(True)]
            for c in reversed(range(self.cols)):
                out = states[lane][:12]
                other[row1][c] = lyra2.xor_blocks(other[row1][c],
                                                  turned(out, 2))
                self.back(states[lane], [m[prev0][c], other[row1][c],
                                         other[prev1][c]])
        v = states[0]
        for row in (1, 0):
            for c in reversed(range(self.cols)):
                self.back(v, [matrix[0][row][c]])
        for _ in range(self.cols):
            round_back(v)
        return next(filter(None, (self.absorbed(list(v), size)
                                  for size in range(65))), None)

    def absorbed(self, v, size):
        """The password, if it has this size: the rest is then as known."""
        params = [self.length, size, len(self.salt), self.t_cost, self.rows,
                  self.cols] + ([self.lanes, 0] if self.lanes > 1 else [])
        data = lyra2.pad(bytes(size) + self.salt + b"".join(
            n.to_bytes(4, "little") for n in params))
        for i in reversed(range(0, len(data), 64)):
            for _ in range(12):
                round_back(v)
            if i:	# only the first block has the password
                v[:8] = lyra2.xor_blocks(v[:8], lyra2.words_of(
                    data[i:i + 64]))
        first = b"".join(word.to_bytes(8, "little") for word in v[:8])
        if v[8:] == list(lyra2.IV) and first[size:] == data[size:64]:
            return first[:size]
        return None

    @staticmethod
    def back(v, blocks):
        round_back(v)
        v[:12] = lyra2.xor_blocks(v[:12], lyra2.add_blocks(*blocks))


def main():
    for lanes in 1, 2, 4:
        spec = 30, "blamka", 1, 8 * lanes, 5, lanes
        assert (Checked(*spec).key(b"password", b"salt", 32) ==
                lyra2.Lyra2(*spec).key(b"password", b"salt", 32))
        for size in 9, 29, 64:
            after = AfterSetup(*spec)
            password = bytes(range(33, 33 + size))
            after.key(password, b"salt" * 4, 32)
            assert after.found == password, (lanes, size)
    print(f"{Checked.tried} times a visit was run backward, all right; found "
          "9 passwords after setup")


if __name__ == "__main__":
    main()

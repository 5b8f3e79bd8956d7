#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Lyra2, versions 2.5 and 3, and its strings: an executable specification.

It shares nothing with liblyra2, and follows the text beside it, algorithm,
section by section, for those who write or check another implementation.
It is slow, and not for passwords.

usage: lyra2.py PASSWORD SETTING	prints the string, as crypt(3) does
       lyra2.py --check FILE...		checks the rows of raw.csv, strings.csv
"""

import csv
import re
import sys

WORD = (1 << 64) - 1
DIGITS = ("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
          "abcdefghijklmnopqrstuvwxyz")

# ---- 2. the sponge: BLAKE2b's permutation, without message and counter ----

IV = (0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179)


def rotate_right(x, n):
    return (x >> n | x << (64 - n)) & WORD


def add(x, y):
    return (x + y) & WORD


def blamka(x, y):
    """BlaMka: the addition of BLAKE2b with a product of the lower halves."""
    return (x + y + 2 * (x & 0xffffffff) * (y & 0xffffffff)) & WORD


def g(f, v, a, b, c, d):
    v[a] = f(v[a], v[b])
    v[d] = rotate_right(v[d] ^ v[a], 32)
    v[c] = f(v[c], v[d])
    v[b] = rotate_right(v[b] ^ v[c], 24)
    v[a] = f(v[a], v[b])
    v[d] = rotate_right(v[d] ^ v[a], 16)
    v[c] = f(v[c], v[d])
    v[b] = rotate_right(v[b] ^ v[c], 63)


def whole_round(f, v):
    for i in range(4):
        g(f, v, i, 4 + i, 8 + i, 12 + i)
    for i in range(4):
        g(f, v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)


def half_round(f, v):
    """Only the columns; then the rows move on, and do not move back."""
    for i in range(4):
        g(f, v, i, 4 + i, 8 + i, 12 + i)
    for i in (1, 2, 3):
        row = v[4 * i:4 * i + 4]
        v[4 * i:4 * i + 4] = row[i:] + row[:i]


# A round, its addition, and the rounds of the full permutation
SPONGES = {"blake2b": (whole_round, add, 12),
           "blamka": (whole_round, blamka, 12),
           "half-blamka": (half_round, blamka, 24)}


class Sponge:
    """The state, of which block_words are the rate; rho reduced rounds."""

    def __init__(self, kind, rho, block_words):
        self.round, self.f, self.full = SPONGES[kind]
        self.rho, self.rate = rho, block_words
        self.v = [0] * 8 + list(IV)

    def permute(self, rounds):
        for _ in range(rounds):
            self.round(self.f, self.v)

    def absorb(self, block):
        """With the full permutation."""
        for i, word in enumerate(block):
            self.v[i] ^= word
        self.permute(self.full)

    def reduced_squeeze(self):
        block = self.v[:self.rate]
        self.permute(self.rho)
        return block

    def reduced_duplex(self, block):
        for i, word in enumerate(block):
            self.v[i] ^= word
        self.permute(self.rho)
        return self.v[:self.rate]

    def squeeze(self, length):
        out = b""
        while True:
            out += b"".join(w.to_bytes(8, "little")
                            for w in self.v[:self.rate])
            if len(out) >= length:
                return out[:length]
            self.permute(self.full)


def words_of(data):
    return [int.from_bytes(data[i:i + 8], "little")
            for i in range(0, len(data), 8)]


def pad(data):
    """10*1 to blocks of 64 bytes, whatever the size of other blocks."""
    out = bytearray(data + bytes(64 - len(data) % 64))
    out[len(data)] = 0x80
    out[-1] ^= 0x01
    return bytes(out)


def add_blocks(*blocks):
    return [sum(words) & WORD for words in zip(*blocks)]


def xor_blocks(x, y):
    return [a ^ b for a, b in zip(x, y)]


# ---- 3 to 8. Lyra2 ----

class Lyra2:
    """One computation.  rows / lanes rows make the slice of each lane."""

    def __init__(self, version, sponge, t_cost, rows, cols, lanes=1,
                 rotation=128, block_words=12, rho=1):
        self.version, self.kind = version, sponge
        self.t_cost, self.rows, self.cols = t_cost, rows, cols
        self.lanes, self.rotation = lanes, rotation // 64
        self.block_words, self.rho = block_words, rho
        self.slice = rows // lanes
        if (version not in (25, 30) or t_cost < 1 or cols < 1 or lanes < 1 or
                self.slice < 3 or (version == 25 and lanes > 1) or
                (version == 30 and rotation == 256)):
            raise ValueError("a parameter is out of its range")

    def rot(self, block):
        n = self.rotation
        return [block[(j + n) % len(block)] for j in range(len(block))]

    def w(self, state, k):
        """What selects: the first word of the rate, rotated k times."""
        return state[k * self.rotation % self.block_words]

    def key(self, password, salt, length):
        self.sponge, self.matrix = [], []
        for lane in range(self.lanes):
            self.bootstrap(password, salt, length, lane)
            self.first_rows(lane)
        self.fill()
        if self.lanes == 1:
            last = self.wander()
        else:
            last = self.wander_lanes()
        key = bytes(length)
        for sponge, block in zip(self.sponge, last):
            sponge.absorb(block)	# 8. wrap-up
            key = bytes(a ^ b for a, b in zip(key, sponge.squeeze(length)))
        return key

    def bootstrap(self, password, salt, length, lane):
        """3. What is absorbed."""
        params = [length, len(password), len(salt), self.t_cost, self.rows,
                  self.cols]
        if self.lanes > 1:
            params += [self.lanes, lane]
        data = words_of(pad(password + salt + b"".join(
            n.to_bytes(4, "little") for n in params)))
        sponge = Sponge(self.kind, self.rho, self.block_words)
        for i in range(0, len(data), 8):
            sponge.absorb(data[i:i + 8])
        self.sponge.append(sponge)
        self.matrix.append([[None] * self.cols for _ in range(self.slice)])

    def first_rows(self, lane):
        """4. Setup: rows 0, 1, 2, which are written from right to left."""
        h, m, end = self.sponge[lane], self.matrix[lane], self.cols - 1
        for c in range(self.cols):
            m[0][end - c] = h.reduced_squeeze()
        for c in range(self.cols):
            m[1][end - c] = xor_blocks(m[0][c], h.reduced_duplex(m[0][c]))
        for c in range(self.cols):
            if self.version == 30:
                rand = h.reduced_duplex(m[1][c])
            else:
                rand = h.reduced_duplex(add_blocks(m[0][c], m[1][c]))
            m[2][end - c] = xor_blocks(m[1][c], rand)
            if self.version == 25:
                m[0][c] = xor_blocks(m[0][c], self.rot(rand))

    def fill(self):
        """5. Setup: the other rows; a window of those before is revisited."""
        prev0, row1, prev1 = 2, 1, 0
        wnd, stp, gap, sqrt = 2, 1, 1, 2
        sync, offset = 4, 0		# between lanes
        for row0 in range(3, self.slice):
            for lane in range(self.lanes):
                self.fill_row(lane, self.matrix[(lane + offset) % self.lanes],
                              row0, prev0, row1, prev1)
            prev0, prev1 = row0, row1
            row1 = (row1 + stp) % wnd
            if row1 == 0 and self.version == 30:
                wnd, stp, gap = 2 * wnd, sqrt + gap, -gap
                if gap == -1:
                    sqrt *= 2
            elif row1 == 0:
                wnd, stp, gap = 2 * wnd, wnd + gap, -gap
            if row0 == sync:
                sync += sqrt // 2
                offset += 1
        self.prev0, self.prev1, self.sqrt = prev0, prev1, sqrt

    def fill_row(self, lane, other, row0, prev0, row1, prev1):
        h, m = self.sponge[lane], self.matrix[lane]
        for c in range(self.cols):
            rand = h.reduced_duplex(add_blocks(other[row1][c], m[prev0][c],
                                               other[prev1][c]))
            m[row0][self.cols - 1 - c] = xor_blocks(m[prev0][c], rand)
            other[row1][c] = xor_blocks(other[row1][c], self.rot(rand))

    def wander(self):
        """6. Wandering, one lane.  Returns the block for the wrap-up."""
        h, m = self.sponge[0], self.matrix[0]
        prev0, prev1 = self.prev0, self.prev1
        for _ in range(self.t_cost * self.rows):
            row0 = self.w(h.v, 0) % self.rows
            row1 = self.w(h.v, 1) % self.rows
            for c in range(self.cols):
                col0 = self.w(h.v, 2) % self.cols
                col1 = self.w(h.v, 3) % self.cols
                rand = h.reduced_duplex(add_blocks(
                    m[row0][c], m[row1][c], m[prev0][col0], m[prev1][col1]))
                m[row0][c] = xor_blocks(m[row0][c], rand)
                m[row1][c] = xor_blocks(m[row1][c], self.rot(rand))
            prev0, prev1 = row0, row1
        return [m[row0][0 if self.version == 30 else col0]]

    def wander_lanes(self):
        """7. Wandering, several lanes: each writes into half of its slice,
        and reads from the other half of any."""
        half = self.slice // 2
        own, others, sync = 0, half, self.sqrt
        row0 = [self.slice - 1] * self.lanes
        for n in range(self.t_cost * self.slice):
            for lane in range(self.lanes):
                v, prev0 = self.sponge[lane].v, row0[lane]
                row0[lane] = own + self.w(v, 0) % half
                self.visit(lane, row0[lane], prev0,
                           self.matrix[self.w(v, 2) % self.lanes]
                           [others + self.w(v, 1) % half])
            if n == sync:
                sync += self.sqrt
                own, others = others, own
        return [self.matrix[i][row0[i]][0] for i in range(self.lanes)]

    def visit(self, lane, row0, prev0, row1):
        h, m = self.sponge[lane], self.matrix[lane]
        for c in range(self.cols):
            col0 = self.w(h.v, 3) % self.cols
            rand = h.reduced_duplex(add_blocks(m[row0][c], row1[c],
                                               m[prev0][col0]))
            m[row0][c] = xor_blocks(m[row0][c], rand)


# ---- 9. strings: bash256, STB 34.101.77, and HMAC ----

def rot_hi(x, n):
    return (x << n | x >> (64 - n)) & WORD


def bash_s(w0, w1, w2, m1, n1, m2, n2):
    t0 = rot_hi(w0, m1)
    w0 ^= w1 ^ w2
    t1 = w1 ^ rot_hi(w0, n1)
    w1 = t0 ^ t1
    w2 ^= rot_hi(w2, m2) ^ rot_hi(t1, n2)
    return w0 ^ (~w2 & WORD | w1), w1 ^ (w0 | w2), w2 ^ (w0 & w1)


BASH_ORDER = (15, 10, 9, 12, 11, 14, 13, 8, 17, 16, 19, 18, 21, 20, 23, 22,
              6, 3, 0, 5, 2, 7, 4, 1)


def bash_f(s):
    constant = 0x3bf5080ac8ba94b1
    for _ in range(24):
        shifts = (8, 53, 14, 1)
        for j in range(8):
            s[j], s[8 + j], s[16 + j] = bash_s(s[j], s[8 + j], s[16 + j],
                                               *shifts)
            shifts = tuple(7 * n % 64 for n in shifts)
        s = [s[i] for i in BASH_ORDER]
        s[23] ^= constant
        constant = constant >> 1 ^ (0xdc2be1997fe0d8ae * (constant & 1))
    return s


def bash256(data):
    s = [0] * 23 + [32]
    data += b"\x40" + bytes(-(len(data) + 1) % 128)
    for i in range(0, len(data), 128):
        s[:16] = words_of(data[i:i + 128])
        s = bash_f(s)
    return b"".join(w.to_bytes(8, "little") for w in s[:4])


def hmac(key, data):
    key = key.ljust(128, b"\0")
    inner = bash256(bytes(b ^ 0x36 for b in key) + data)
    return bash256(bytes(b ^ 0x5c for b in key) + inner)


# ---- 9. strings, lyra2(5) ----

SETTING = re.compile(
    r"\$(?P<bash>bash)?lyra2\$t(?P<t>[1-9][0-9]{0,9})n(?P<n>[1-9][0-9]?)"
    r"c(?P<c>[1-9][0-9]{1,3})p(?P<p>[124])\$(?P<salt>[./0-9A-Za-z]{8,64})"
    r"(?![^$])")
HASH = re.compile(r"[./0-9A-Za-z]{42}[.26AEIMQUYcgkosw]")
LIMIT_MEMORY, LIMIT_WORK = 1 << 30, 1 << 28


class Malformed(ValueError):
    """No string that anything has made."""


class Costly(ValueError):
    """A string that asks for more than is allowed."""


class Setting:
    """What a string says before its hash; raises Malformed or Costly."""

    def __init__(self, string):
        match = SETTING.match(string)
        if not match:
            raise Malformed("the setting is not of the grammar")
        self.text, self.rest = match.group(), string[match.end():]
        if re.search(r"[^!-~]|[!*:;\\]", self.rest):
            raise Malformed("no setting of crypt(3) holds this character")
        self.method = "bash-lyra2" if match["bash"] else "lyra2"
        self.salt = match["salt"]
        self.t_cost, self.cost, self.cols, self.lanes = (
            int(match[name]) for name in "tncp")
        if (self.t_cost < 2 or self.t_cost >= 1 << 32 or
                not 4 <= self.cost <= 15 or not 12 <= self.cols <= 4096):
            raise Malformed("a number is out of its range")
        self.rows = 1 << self.cost
        self.memory = 96 * self.rows * self.cols
        self.work = (self.t_cost + 1) * self.rows * (self.cols + 8)
        if self.memory > LIMIT_MEMORY or self.work > LIMIT_WORK:
            raise Costly("it takes more memory or work than is allowed")

    def hash(self, password):
        function = Lyra2(30, "blamka", self.t_cost, self.rows, self.cols,
                         self.lanes)
        setting = self.text.encode()
        if self.method == "lyra2":
            return function.key(password, self.salt.encode(), 32)
        return hmac(hmac(bash256(password), setting),
                    function.key(password, setting, 32))


def base64(data):
    """Digits of 6 bits, the first bit of a byte first."""
    n = int.from_bytes(data, "big") << -8 * len(data) % 6
    count = (8 * len(data) + 5) // 6
    return "".join(DIGITS[n >> 6 * i & 63] for i in reversed(range(count)))


def crypt(password, string):
    """The string for a password, under a setting or an earlier string."""
    if len(password) > 511 or b"\0" in password:
        raise ValueError("no password of crypt(3)")
    setting = Setting(string)
    return setting.text + "$" + base64(setting.hash(password))


def parse(string):
    """The setting of a whole string; raises Malformed or Costly."""
    setting = Setting(string)
    if not HASH.fullmatch(setting.rest[1:]):
        raise Malformed("the hash is not of the grammar")
    return setting


def verify(password, string):
    """Whether it is the password of a whole string."""
    return parse(string) and crypt(password, string) == string


# ---- the files of answers ----

WORK = 6000		# above it a row takes long, and is left out
VERSIONS = {"2.5": 25, "3": 30}
SAYS = ("method", "t_cost", "cost", "cols", "lanes", "salt")


def raw_agrees(row):
    numbers = [int(row[name]) for name in (
        "t", "r", "c", "p", "rt", "block_words", "rho")]
    if (numbers[0] + 1) * numbers[1] * numbers[2] > WORK:
        return None
    key = Lyra2(VERSIONS[row["version"]], row["sponge"], *numbers).key(
        bytes.fromhex(row["password_hex"]), bytes.fromhex(row["salt_hex"]),
        int(row["klen"]))
    return key.hex() == row["key_hex"]


def string_agrees(row):
    try:
        setting = parse(row["string"])
    except Malformed:
        return row["verdict"] == "malformed"
    except Costly:
        return row["verdict"] == "costly"
    if (any(str(getattr(setting, name)) != row[name] for name in SAYS) or
            setting.rest != "$" + base64(bytes.fromhex(row["hash_hex"]))):
        return False
    if row["verdict"] == "allowed":
        return True
    if setting.work > WORK:
        return None
    right = verify(bytes.fromhex(row["password_hex"]), row["string"])
    return row["verdict"] == ("right" if right else "wrong")


def check(name):
    """Prints the rows that do not agree."""
    count = {True: 0, False: 0, None: 0}
    with open(name, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            agrees = (string_agrees if "string" in row else raw_agrees)(row)
            count[agrees] += 1
            if agrees is False:
                print("differs:", row)
    print(f"{name}: {count[True]} agree, {count[False]} differ, "
          f"{count[None]} left out")
    return count[False]


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--check":
        sys.exit(any([check(name) for name in sys.argv[2:]]))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(crypt(sys.argv[1].encode(), sys.argv[2]))

# SPDX-License-Identifier: BSD-2-Clause
"""liblyra2 beside the executable specification, doc/spec/lyra2.py.

usage: spec.py SRCDIR LIBLYRA2 COUNT

Prints where they differ: on the rows of strings.csv, and on COUNT random
strings, which are the same in every run.
"""

import csv
import ctypes
import errno
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/doc/spec")
import lyra2  # noqa: E402

LIBRARY = ctypes.CDLL(sys.argv[2], use_errno=True)


def verdict(string, password):
    """What lyra2_verify() says, in the words of strings.csv."""
    ctypes.set_errno(0)
    result = LIBRARY.lyra2_verify(None, string.encode(), password,
                                  ctypes.c_size_t(len(password)))
    if result >= 0:
        return "right" if result == 0 else "wrong"
    error = ctypes.get_errno()
    return {errno.EINVAL: "malformed", errno.EDOM: "costly"}.get(error, error)


def crypt(password, string):
    out = ctypes.create_string_buffer(384)
    LIBRARY.lyra2_crypt(None, string.encode(), password,
                        ctypes.c_size_t(len(password)), out,
                        ctypes.c_size_t(384))
    return out.value.decode()


def setting(rng):
    """Cheap for Python: about 60 blocks; half have rows enough for version
    2.5 and 3 to revisit others."""
    lanes = rng.choice((1, 1, 1, 2, 3, 4))
    version = 25 if lanes == 1 and rng.random() < .4 else 30
    rows = rng.randint(3, 9) * lanes + rng.randrange(lanes)
    if rng.random() < .5 / lanes:
        rows = rng.randint(18, 40)
    text = (f"$lyra2$v={version}$t={rng.choice((1, 1, 1, 2))}$r={rows}"
            f"$c={rng.choice((1, 1, 2, 3))}")
    if lanes > 1:
        text += f"$p={lanes}"
    if version == 30 and rng.random() < .3:
        text += "$f=blake2b"
    if rng.random() < .2:
        text += "$o=bash256"
    return text + "$" + "".join(rng.choices(
        lyra2.DIGITS, k=rng.choice((8, 9, 16, 22, 39, 64))))


def main(srcdir, count):
    with open(srcdir + "/doc/spec/strings.csv", newline="",
              encoding="ascii") as file:
        for row in csv.DictReader(file):
            got = verdict(row["string"], bytes.fromhex(row["password_hex"]))
            if got != row["verdict"] or not lyra2.string_verdict(row):
                print(row["string"], got, row["verdict"])
    rng = random.Random(2026)
    for _ in range(count):
        text = setting(rng)
        word = rng.randbytes(rng.choice((0, 1, 8, 39, 40, 63, 64, 127, 128)))
        want = lyra2.crypt(word, text)
        if crypt(word, text) != want or verdict(want, word) != "right":
            print(word.hex(), want)


main(sys.argv[1], int(sys.argv[3]))

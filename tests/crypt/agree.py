# SPDX-License-Identifier: BSD-2-Clause
"""Random settings and passwords, hashed by libcrypt and by the lyra2 tool.

usage: agree.py LIBCRYPT LYRA2 COUNT

Prints "x<password in hex> <hash by libcrypt> <hash by lyra2>" on each line.
The sets are the same in every run.
"""

import ctypes
import random
import string
import subprocess
import sys

SALT = "./" + string.digits + string.ascii_letters


def setting(rng):
    """Options for "lyra2 hash", and the setting that they stand for."""
    version = rng.choice(("2.5", "3"))
    default = "blake2b" if version == "2.5" else "blamka"
    sponge = rng.choice([default, default, "blake2b"])
    lanes = rng.choice((1, 1, 2, 3)) if version == "3" else 1
    t = rng.randint(1, 3)
    rows = rng.randint(3 * lanes, 80)
    cols = rng.randint(1, 40)
    salt = "".join(rng.choice(SALT) for _ in range(rng.choice(
        (8, 9, 15, 16, 17, 22, 33, 64))))
    text = "$lyra2$v=%s$t=%d$r=%d$c=%d" % (
        "25" if version == "2.5" else "30", t, rows, cols)
    if lanes > 1:
        text += "$p=%d" % lanes
    if sponge != default:
        text += "$f=" + sponge
    text += "$" + salt + rng.choice(("", "$"))
    return ["--version", version, "--sponge", sponge, "--lanes", str(lanes),
            "--t-cost", str(t), "--rows", str(rows), "--cols", str(cols),
            "--salt", salt], text


def password(rng):
    """Any bytes that a line can hold."""
    length = rng.choice((0, 1, 8, 39, 40, 63, 64, 100, 255))
    return bytes(rng.choice((*range(1, 10), *range(11, 256)))
                 for _ in range(length))


def main(libcrypt, lyra2, count):
    crypt = ctypes.CDLL(libcrypt).crypt
    crypt.restype = ctypes.c_char_p
    rng = random.Random(2026)
    for _ in range(int(count)):
        options, text = setting(rng)
        word = password(rng)
        done = subprocess.run([lyra2, "hash", *options], check=True,
                              input=word + b"\n", stdout=subprocess.PIPE)
        print("x" + word.hex(), crypt(word, text.encode()).decode(),
              done.stdout.decode().rstrip("\n"))


main(*sys.argv[1:])

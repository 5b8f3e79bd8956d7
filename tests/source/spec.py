# SPDX-License-Identifier: BSD-2-Clause
"""liblyra2 compared with the executable specification, doc/spec/lyra2.py.

usage: spec.py SRCDIR LIBLYRA2 COUNT

Prints where they differ: in the rows of strings.csv, in COUNT random functions,
and in a tenth as many strings.  These are the same in every run.
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
SPONGES = {"blake2b": 1, "blamka": 2}
WORDS = (0, 1, 8, 39, 40, 63, 64, 127, 128)


def verdict(string, password):
    """The result of lyra2_verify(), in the words of strings.csv."""
    ctypes.set_errno(0)
    if LIBRARY.lyra2_verify(None, string.encode(), password,
                            ctypes.c_size_t(len(password))) == 0:
        return "right"
    error = ctypes.get_errno()
    return {errno.EACCES: "wrong", errno.EINVAL: "malformed",
            errno.EDOM: "costly"}.get(error, error)


def allowed(string):
    return LIBRARY.lyra2_parse(string.encode(), None, None, None) == 0


def crypt(password, string):
    out = ctypes.create_string_buffer(160)
    LIBRARY.lyra2_crypt(None, string.encode(), password,
                        ctypes.c_size_t(len(password)), out,
                        ctypes.c_size_t(160))
    return out.value.decode()


def kdf(numbers, rotation, password, salt, length):
    """The key as lyra2_kdf_rotation() computes it; None if it refuses."""
    params = (ctypes.c_uint32 * 16)(*numbers)
    key = ctypes.create_string_buffer(length)
    if LIBRARY.lyra2_kdf_rotation(
            None, params, ctypes.c_uint32(rotation), password,
            ctypes.c_size_t(len(password)), salt, ctypes.c_size_t(len(salt)),
            key, ctypes.c_size_t(length)) < 0:
        return None
    return key.raw


def function_differs(rng):
    """Tries a function that is cheap in Python: about 60 blocks.  Many have
    enough rows for versions 2.5 and 3 to revisit others, or for lanes to
    change places."""
    lanes = rng.choice((1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8))
    version = rng.choice((25, 30)) if lanes == 1 else 30
    sponge = rng.choice([*SPONGES])
    rotation = 256 if rng.random() < .2 else 128
    rows = rng.choice((rng.randint(3, 9), rng.randint(3, 9),
                       rng.randint(18, 40) // lanes + 3)) * lanes
    rows += rng.randrange(lanes)
    cols, t_cost = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 1, 2))
    password = rng.randbytes(rng.choice(WORDS))
    salt = rng.randbytes(rng.choice(WORDS))
    length = rng.choice((1, 16, 32, 32, 95, 96, 97, 300))
    want = None
    if not (version == 30 and rotation == 256 or
            version == 25 and sponge == "blamka"):
        want = lyra2.Lyra2(version, sponge, t_cost, rows, cols, lanes,
                           rotation).key(password, salt, length)
    numbers = (version, SPONGES[sponge], t_cost, rows, cols, lanes)
    if kdf(numbers, rotation, password, salt, length) != want:
        print(numbers, rotation, password.hex(), salt.hex(), length)


def string_differs(rng):
    text = (f"${rng.choice(('', 'bash'))}lyra2$t{rng.choice((2, 2, 3))}"
            f"n{rng.choice((4, 4, 4, 5))}c{rng.choice((12, 13, 16))}"
            f"p{rng.choice((1, 2, 4))}$" + "".join(rng.choices(
                lyra2.DIGITS, k=rng.choice((8, 9, 16, 22, 39, 64)))))
    word = bytes(rng.choices(range(1, 256), k=rng.choice(WORDS)))
    want = lyra2.crypt(word, text)
    if crypt(word, text) != want or verdict(want, word) != "right":
        print(word.hex(), want)


def main(srcdir, count):
    with open(srcdir + "/doc/spec/strings.csv", newline="",
              encoding="ascii") as file:
        for row in csv.DictReader(file):
            agrees = allowed(row["string"]) if row["verdict"] == "allowed" \
                else verdict(row["string"], bytes.fromhex(
                    row["password_hex"])) == row["verdict"]
            if not agrees:
                print(row)
    rng = random.Random(2026)
    for i in range(count):
        function_differs(rng)
        if i % 10 == 0:
            string_differs(rng)


main(sys.argv[1], int(sys.argv[3]))

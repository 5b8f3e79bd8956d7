# SPDX-License-Identifier: BSD-2-Clause
"""Mutated settings: crypt(3) and liblyra2 accept the same ones, exactly those
that the expressions and the two limits in crypt(5) allow.

usage: settings.py LIBLYRA2 LIBCRYPT CRYPT.5 COUNT

Prints each setting for which they differ, and on standard error how many
settings had each result.
"""

import collections
import ctypes
import errno
import os
import random
import re
import resource
import sys

LIBLYRA2, LIBCRYPT, MANUAL, COUNT = sys.argv[1:]
ALPHABET = "./0129ABYZabyztncp$=,+-_@ "
CHEAP = 1 << 14		# work; costlier hashes are not computed
METHODS = "lyra2", "bashlyra2"

lyra2 = ctypes.CDLL(LIBLYRA2, use_errno=True)
crypt = ctypes.CDLL(LIBCRYPT, use_errno=True)
crypt.crypt_rn.restype = ctypes.c_char_p
data = ctypes.create_string_buffer(32768)
out = ctypes.create_string_buffer(384)


def expressions():
    """The manual's expressions for a whole hash, by method"""
    with open(MANUAL, encoding="utf-8") as file:
        text = file.read().replace("\\e", "\\")
    return {m: re.compile(re.search(
        r'\.hash "\$%s\$" "([^"]*)"' % m, text).group(1)) for m in METHODS}


def setting(rnd):
    salt = "".join(rnd.choices("./0129ABYZabyz", k=rnd.choice(
        (7, 8, 9, 22, 22, 43, 63, 64, 65))))
    number = rnd.choice
    return "$%s$t%dn%dc%dp%d$%s" % (
        rnd.choice(METHODS),
        number((0, 1, 2, 2, 2, 3, 9, 10, 838859, 838860, 999999, 1000000,
                4294967295, 4294967296, 4294967298)),
        number((0, 3, 4, 4, 4, 5, 9, 10, 14, 15, 16, 40)),
        number((1, 10, 11, 12, 12, 12, 13, 99, 100, 341, 342, 999, 1000,
                4089, 4090, 4095, 4096, 4097, 4100, 5000, 10000)),
        number((0, 1, 1, 2, 2, 3, 4, 4, 5, 8, 12)), salt)


def mutated(rnd):
    text = setting(rnd)
    for _ in range(rnd.choice((0, 0, 1, 1, 2))):
        i = rnd.randrange(len(text) + 1)
        text = text[:i] + rnd.choice(("", rnd.choice(ALPHABET))) + \
            text[i + rnd.choice((0, 1)):]
    return text


def expected(every, text):
    """Returns whether the manual allows the setting, and its work."""
    valid = any(e.fullmatch(text + "$" + 43 * ".") for e in every.values())
    if not valid:
        return False, 0
    t, n, c = map(int, re.search(r"\$t(\d+)n(\d+)c(\d+)p", text).groups())
    work = (t + 1) * 2 ** n * (c + 8)
    return 2 ** n * c * 96 <= 2 ** 30 and work <= 2 ** 28, work


def verdicts(every, text):
    want, work = expected(every, text)
    if want and work > CHEAP:
        return want, None	# crypt(3) would compute the hash
    raw = text.encode()
    ctypes.set_errno(0)
    theirs = crypt.crypt_rn(b"pw", raw, data, len(data))
    why = ctypes.get_errno()
    ours = lyra2.lyra2_crypt(None, raw, b"pw", ctypes.c_size_t(2), out,
                             ctypes.c_size_t(len(out))) == 0
    same = (theirs is not None) == ours == want and (
        not ours or theirs == out.value and any(
            e.fullmatch(theirs.decode()) for e in every.values())) and (
        ours or why == errno.EINVAL)
    return want, same


def main():
    # A setting that is accepted by mistake fails at once, for lack of memory.
    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    seed = os.environ.get("SEED") or "%d" % random.randrange(1 << 32)
    rnd = random.Random(seed)
    every = expressions()
    counts = collections.Counter()
    for _ in range(int(COUNT)):
        text = mutated(rnd)
        while (not text.startswith(("$lyra2$", "$bashlyra2$")) or
               text.count("$") > 3):
            text = mutated(rnd)	# neither another method nor a hash
        want, same = verdicts(every, text)
        counts["valid" if want else "invalid"] += 1
        counts["not computed"] += same is None
        if same is False:
            print(text)
    print("seed", seed, dict(counts), file=sys.stderr)


if __name__ == "__main__":
    main()

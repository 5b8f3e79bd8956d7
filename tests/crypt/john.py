#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Guesses of John the Ripper, for doc/attack-cost.

	john.py RUNS

Debian's john(8) gets an entry of each kind of hash, and a list of words of
which the last is the password.  The kinds take turns.  For each, this program
prints the median number of words a second of CPU time, on one core.  What john
takes to start is left out: a list of one word is timed, too.  The program fails
if a password is not found.
"""

import ctypes
import os
import resource
import statistics
import subprocess
import sys

PASSWORD = "dragon"
SALT = "MJHnaAkegEVYHsFKkmfzJ1"
# The kind, its memory in MiB, its setting, and words that take about a second
KINDS = (
    ("$6$, 5,000 rounds", "0", "$6$" + SALT[:16], 500),
    ("$y$, Debian's default", "16", "$y$j9T$" + SALT, 50),
    ("$lyra2$ of 16 MiB", "16", "$lyra2$t2n10c170p2$" + SALT, 100),
    ("$y$ of 96 MiB", "96", "$y$jCL$" + SALT, 10),
    ("$lyra2$, our default", "96", "$lyra2$t2n12c256p2$" + SALT, 16),
)


def crypt(word, setting):
    """The hash of the word, by the libcrypt that john uses, too."""
    function = ctypes.CDLL("libcrypt.so.1").crypt
    function.restype = ctypes.c_char_p
    return function(word.encode(), setting.encode()).decode()


def write(name, lines):
    """Writes a file in the directory of the test."""
    with open(name, "w", encoding="ascii") as file:
        file.write("".join(line + "\n" for line in lines))


def guess(number, words):
    """Lets john find the password; returns the seconds of CPU time."""
    write("words", ["wrong%d" % i for i in range(words - 1)] + [PASSWORD])
    # In the pot, the next run would find the password.
    subprocess.run(["rm", "-f", os.path.expanduser("~/.john/john.pot")],
                   check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(
        ["john", "--format=crypt", "--wordlist=words", "entry%d" % number],
        check=False, capture_output=True, text=True,
        stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not any(line.split() == [PASSWORD, "(alice)"]
               for line in said.stdout.splitlines()):
        sys.exit("%s: john found nothing: %s%s"
                 % (KINDS[number][0], said.stdout, said.stderr))
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime)


os.environ["OMP_NUM_THREADS"] = "1"
seconds = [[] for _ in KINDS]
for at, kind in enumerate(KINDS):
    write("entry%d" % at,
          ["alice:%s:20000:0:99999:7:::" % crypt(PASSWORD, kind[2])])
for run in range(int(sys.argv[1])):
    for at, kind in enumerate(KINDS):
        seconds[at].append(guess(at, kind[3] + 1) - guess(at, 1))
print("%-26s MIB  GUESSES/S" % "HASH")
for (name, mib, _, words), times in zip(KINDS, seconds):
    print("%-26s %3s  %9.1f" % (name, mib, words / statistics.median(times)))

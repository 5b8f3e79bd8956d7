#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Counts, with llvm-mca, the cycles of one duplexing in the wandering phase.

Prints a row for each CPU and a column for each kernel: blake2b, blamka and
half-blamka, rows in the first cache.  llvm-mca knows no cache misses and no
loads that wait for a store.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

SRC = pathlib.Path(__file__).resolve().parents[2] / "src"
SPONGES = "LYRA2_BLAKE2B", "LYRA2_BLAMKA", "LYRA2_HALF_BLAMKA"
# A row of a power of two columns, as a hash has it that is a string.
PROBE = """
#include "core-{kernel}.c"
CORE_TARGET size_t probe(struct state *s, const struct sweep *r, uint64_t mask)
{{
	const struct shape k = {{ {sponge}, 128, 12, 1, 1, 1, false }};

	if (mask == 0)
		__builtin_unreachable();
	return wander_row(k, s, r, (struct modulus){{ mask + 1, mask, 0 }});
}}
"""


def run(*command, text=None):
    return subprocess.run(command, input=text, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def loop(args, kernel, sponge):
    """The instructions of the loop over the columns, as assembly."""
    with tempfile.TemporaryDirectory() as directory:
        made = f"{directory}/probe.o"
        run(*args.cc.split(), "-std=c11", "-O2", "-fPIC", f"-I{SRC}", "-xc",
            "-c", "-", "-o", made,
            text=PROBE.format(kernel=kernel, sponge=sponge))
        listing = run(args.objdump, "-d", "--no-show-raw-insn",
                      "--disassemble=probe", made)
    listing = re.sub(r"\s+(# |// |<).*", "", listing)
    code = re.findall(r"^\s*([0-9a-f]+):\t(.*)", listing, re.M)
    at = {address: i for i, (address, _) in enumerate(code)}
    loops = [(at[m[1]], i) for i, (_, text) in enumerate(code)
             if (m := re.match(r"(?:j|b\.|cb)\w+\s.*?([0-9a-f]+)\s*$", text))
             and at.get(m[1], i) < i]
    first, last = max(loops, key=lambda found: found[1] - found[0])
    return "".join(f"{text}\n" for _, text in code[first:last])


def cycles(args, cpu, body):
    rounds = 200
    report = run(args.mca, f"-mtriple={args.triple}", f"-mcpu={cpu}",
                 f"-iterations={rounds}", text=body)
    return int(re.search(r"Total Cycles: +(\d+)", report)[1]) / rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", default="gcc", help="compiler and options")
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--mca", default="llvm-mca-19")
    parser.add_argument("--triple", default="x86_64")
    parser.add_argument("--kernels", default="avx512vl,avx2,mixed,sse2,plain")
    parser.add_argument("--cpus", default="haswell,skylake,icelake-server,"
                        "sapphirerapids,znver2,znver3,znver4")
    args = parser.parse_args()
    kernels = args.kernels.split(",")
    bodies = {k: [loop(args, k, s) for s in SPONGES] for k in kernels}
    print(" " * 15 + "".join(f"{k:>14}" for k in kernels))
    for cpu in args.cpus.split(","):
        row = ("".join(f"{cycles(args, cpu, b):4.0f}" for b in bodies[k])
               for k in kernels)
        print(f"{cpu:15}" + "".join(f"{cell:>14}" for cell in row),
              flush=True)


main()

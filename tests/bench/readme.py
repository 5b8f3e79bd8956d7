#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures what README.md says of speed, and prints it row by row.

Each library is one of another implementation with PHS(), as the Password
Hashing Competition had it; without any, those rows are missing.
"""

import argparse
import json
import subprocess


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builddir")
    parser.add_argument("libraries", nargs="*", metavar="LIB.so")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--max-memory", default="1G")
    return parser.parse_args()


def table(args, name, program, *rest):
    runs = ["--runs", str(args.runs)] if args.runs else []
    command = [f"{args.builddir}/{program[0]}", *program[1:], *runs, *rest]
    return json.loads(subprocess.run(command, check=True,
                                     stdout=subprocess.PIPE).stdout)[name]


def bench(args, name, *options):
    return table(args, name, ("src/lyra2", "bench", "--json"), *options)


def compare(args, name, *libraries):
    return table(args, name, ("tests/bench/bench",), name, *libraries)


def row(what, value, unit=""):
    print(f"{what:58} {value:8.2f} {unit}".rstrip(), flush=True)


def libraries(args):
    for r in compare(args, "phs", *args.libraries):
        if not r["same_output"]:
            print(f"{r['library']}: computes none of our functions")
        elif r["rows"] == 64:
            row(f"{r['library']} / ours, {r['function']}, R=T=64",
                r["ratio"], "x")


def peers(args):
    result = {r["hash"]: r for r in compare(args, "peers")}
    for r in result.values():
        if r["moved_mib"]:
            row(f"{r['hash']} moves {r['moved_mib']:.0f} MiB",
                r["moved_mib"] / r["median_ms"], "MiB per ms")
    for ours in ("Lyra2 3 blake2b t=1", "Lyra2 3 blamka t=1"):
        row(f"{ours}, 64 MiB", result[ours]["median_ms"], "ms")
        for other in ("Argon2id t=1 p=1 sodium",
                      "Argon2id t=1 p=1 argon2", "$y$ 64 MiB"):
            if other in result:
                row(f"  {other} / that", result[other]["median_ms"] /
                    result[ours]["median_ms"], "x")
    ours = result["$lyra2$ default"]
    row("default setting, whole lyra2_crypt()", ours["median_ms"], "ms")
    other = result.get("$y$ default")
    if other:
        row("  per MiB / $y$ default per MiB",
            ours["median_ms"] / ours["mib"] /
            (other["median_ms"] / other["mib"]), "x")


def memory(args):
    for r in bench(args, "memory", "--memory", "--max-memory",
                   args.max_memory):
        if r["mib"] > 3:
            row(f"time per MiB at {r['mib']:.0f} MiB / at 4 MiB",
                r["scaling"], "x")


def processes(args):
    for r in bench(args, "processes", "--processes"):
        row(f"{r['processes']} processes / 1, 64 MiB", r["speedup"], "x")


def kernels(args):
    for lanes in "1", "4":
        for r in bench(args, "kernels", "--version", "3", "--sponge",
                       "blamka", "--lanes", lanes):
            row(f"3 blamka, {lanes} lanes, {r['kernel']}",
                r["ns_per_duplexing"], "ns per duplexing")


def main():
    args = arguments()
    for measurement in libraries, peers, memory, processes, kernels:
        measurement(args)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures what README.md says of speed, and prints it row by row.

Each library given by --phs is one of another implementation with PHS(), as
the Password Hashing Competition had it; without any, those rows are missing.
"""

import argparse
import json
import subprocess


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lyra2", help="the tool")
    parser.add_argument("--phs", action="append", default=[],
                        metavar="[NAME=]LIB.so")
    parser.add_argument("--plot", metavar="FILE.svg")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--max-memory", default="1G")
    return parser.parse_args()


def bench(args, *options):
    command = [args.lyra2, "bench", "--json", *options]
    if args.runs:
        command += ["--runs", str(args.runs)]
    return json.loads(subprocess.run(command, check=True,
                                     stdout=subprocess.PIPE).stdout)


def row(what, value, unit=""):
    print(f"{what:58} {value:8.2f} {unit}".rstrip(), flush=True)


def library(args, path):
    """A row for a library; the name of the function that both compute."""
    result = bench(args, "--paper", "--rows", "64", "--t-cost", "64",
                   "--phs", path)
    paper = result["paper"][0]
    function = result["paper_spread"][0]["build"].removeprefix("ours ")
    if not paper["same_output"]:
        print(f"{path}: computes none of our functions")
        return None
    name = path.partition("=")[0] if "=" in path else \
        path.rpartition("/")[2].removesuffix(".so")
    row(f"{name} / ours, {function}, R=T=64", paper["ratio"], "x")
    return function


def peers(args):
    result = {r["hash"]: r for r in bench(args, "--peers")["peers"]}
    for ours in ("Lyra2 3 blake2b t=1", "Lyra2 3 blamka t=1"):
        row(f"{ours}, 64 MiB", result[ours]["median_ms"], "ms")
        for other in ("Argon2id t=1 p=1 sodium",
                      "Argon2id t=1 p=1 argon2", "$y$ 64 MiB"):
            if other in result:
                row(f"  {other} / that", result[other]["median_ms"] /
                    result[ours]["median_ms"], "x")
    ours = result["$lyra2$ default"]
    row("default setting, whole lyra2_crypt()", ours["median_ms"], "ms")
    if "$y$ default" in result:
        row("  per MiB / $y$ default per MiB", ours["ms_per_mib"] /
            result["$y$ default"]["ms_per_mib"], "x")


def memory(args):
    for r in bench(args, "--memory", "--max-memory",
                   args.max_memory)["memory"]:
        if r["mib"] > 3:
            row(f"time per MiB at {r['mib']:.0f} MiB / at 4 MiB",
                r["scaling"], "x")


def processes(args):
    for r in bench(args, "--processes")["processes"]:
        row(f"{r['processes']} processes / 1, 64 MiB", r["speedup"], "x")


def kernels(args):
    function = ["--version", "3", "--sponge", "blamka"]
    lanes, used = {}, {}
    for n in (1, 4):
        result = bench(args, *function, "--lanes", str(n))
        lanes[n] = {r["kernel"]: r["ns_per_duplexing"]
                    for r in result["kernels"]}
        for kernel, ns in lanes[n].items():
            row(f"3 blamka, {n} lanes, {kernel}", ns, "ns per duplexing")
        used[n] = result["kernel"]
    row(f"4 lanes, {used[4]} / 1 lane, {used[1]}",
        lanes[4][used[4]] / lanes[1][used[1]], "x")


def main():
    args = arguments()
    functions = {path: library(args, path) for path in args.phs}
    for measurement in (peers, memory, processes, kernels):
        measurement(args)
    if args.plot:
        # One picture has one function: the first library's.
        drawn = [o for path, f in functions.items()
                 if f and f == functions[args.phs[0]] for o in ("--phs", path)]
        bench(args, "--paper", "--sizes", "--max-memory", args.max_memory,
              "--plot", args.plot, *drawn)


main()

#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Sums what "lyra2 audit --json" said on many machines.

usage: audit-fleet.py HOST.json...     (made by: lyra2 audit --json >HOST.json)

Prints the totals of all, then each machine with weaker hashes and who has
them.  Exits with 1 if there are any, with 2 if a file cannot be read."""
import collections
import json
import pathlib
import sys

totals, weaker, status = collections.Counter(), [], 0
for path in map(pathlib.Path, sys.argv[1:]):
    try:
        audit = json.loads(path.read_text(encoding="ascii"))
        numbers = {k: int(n or 0) for k, n in audit["totals"].items()
                   if k.isidentifier()}
        users = [x["user"] for x in audit["users"] if x["status"] == "weaker"]
    except Exception as why:    # pylint: disable=broad-except
        # Whoever has one of the machines can write anything.
        print(f"{path}: no audit: {why!a}", file=sys.stderr)
        status = 2
        continue
    totals.update(numbers)
    if users:
        weaker.append(f"{path.stem}: {' '.join(map(ascii, users))}")
print(", ".join(f"{n} {name}" for name, n in totals.items()))
print("\n".join(weaker))
sys.exit(status or (1 if weaker else 0))

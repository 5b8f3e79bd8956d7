# SPDX-License-Identifier: BSD-2-Clause
"""tap - says what passed in the Test Anything Protocol, as tap.sh does."""

import sys
import traceback

_count = 0
_failed = 0


def ok(what, passed, detail=""):
    """Report one result; detail is printed when it failed."""
    global _count, _failed
    _count += 1
    if passed:
        print("ok %d - %s" % (_count, what), flush=True)
        return
    _failed += 1
    print("not ok %d - %s" % (_count, what), flush=True)
    for line in str(detail).splitlines():
        print("# " + line, flush=True)


def equal(what, got, wanted):
    ok(what, got == wanted, "got:    %r\nwanted: %r" % (got, wanted))


def attempt(what, function, *args):
    """ok() of what function returns; an exception is a failure, not the end."""
    try:
        ok(what, function(*args), "it returned a false value")
    except Exception:
        ok(what, False, traceback.format_exc())


def skip(what, reason):
    global _count
    _count += 1
    print("ok %d - %s # SKIP %s" % (_count, what, reason), flush=True)


def done():
    """End the script; its exit status tells whether all passed."""
    print("1..%d" % _count, flush=True)
    sys.exit(_failed != 0)

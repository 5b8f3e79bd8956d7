# SPDX-License-Identifier: BSD-2-Clause
"""tap - says what passed in the Test Anything Protocol, as tap.sh does."""

import os
import sys
import time
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


def within(took, seconds):
    """Whether that is less than so many seconds, as long as others leave a CPU
    to this program; more, where they do not: twice as many for half of it."""
    if took < seconds:
        return True
    begun, used = time.monotonic(), time.process_time()
    while time.process_time() < used + 0.2:
        pass
    return took < seconds * (time.monotonic() - begun) / 0.2


def equal(what, got, wanted):
    ok(what, got == wanted, "got:    %r\nwanted: %r" % (got, wanted))


def attempt(what, function, *args):
    """ok() of what function returns; an exception is a failure, not the end."""
    try:
        ok(what, function(*args), "it returned a false value")
    except Exception:
        ok(what, False, traceback.format_exc())


def run(scenarios):
    """Call each, then done(); one that raises an exception has failed, and its
    line is named.  $SCENARIOS, where it is set, names those that are wanted."""
    for scenario in scenarios:
        name = scenario.__name__
        if name not in os.environ.get("SCENARIOS", name).split():
            continue
        begun = time.monotonic()
        try:
            scenario()
        except Exception as error:
            script = os.path.abspath(sys.argv[0])
            line = [frame.lineno for frame in traceback.extract_tb(
                error.__traceback__) if frame.filename == script][-1]
            ok("%s: line %d: %r" % (name, line, error), False,
               traceback.format_exc())
        print("# %s: %.0f s" % (name, time.monotonic() - begun), flush=True)
    done()


def skip(what, reason):
    global _count
    _count += 1
    print("ok %d - %s # SKIP %s" % (_count, what, reason), flush=True)


def done():
    """End the script; its exit status tells whether all passed."""
    print("1..%d" % _count, flush=True)
    sys.exit(_failed != 0)

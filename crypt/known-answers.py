# SPDX-License-Identifier: BSD-2-Clause
"""Prints the rows of test/ka-table.inc for a method that the series adds.

The first argument is libxcrypt's test/ka-table-gen.py with the series applied.
It has the passphrases and its own implementation of the method, which is the
second argument.  Other methods need passlib and the library: this one does not.
"""

import ctypes
import sys
from unittest import mock

for name in ("passlib", "passlib.hash", "passlib.handlers",
             "passlib.handlers.sun_md5_crypt", "passlib.utils",
             "passlib.utils.binary"):
    sys.modules[name] = mock.MagicMock()
ctypes.cdll = mock.MagicMock()

with open(sys.argv[1], encoding="utf-8") as file:
    program = file.read().rpartition("\nif __name__")[0]
# Runs in this module, so that processes that it starts find its functions.
exec(compile(program, sys.argv[1], "exec"))
SETTINGS = [s for s in globals()["SETTINGS"] if s[0] == sys.argv[2]]
globals()["main"]()

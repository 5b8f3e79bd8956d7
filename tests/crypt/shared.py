# SPDX-License-Identifier: BSD-2-Clause
"""What a libcrypt with the method in liblyra2 does.

usage: shared.py LIBCRYPT SETTING

Prints on each line a call, its result, errno, and "loaded" or "not loaded",
whether liblyra2 was in memory after the call.
"""

import ctypes
import errno
import sys


def loaded():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return "loaded" if "liblyra2" in maps.read() else "not loaded"


def say(call, function, *args):
    ctypes.set_errno(0)
    result = function(*args)
    code = ctypes.get_errno()
    print(call + ":", result.decode() if result else "NULL",
          errno.errorcode.get(code, code), loaded())


def main(libcrypt, setting):
    lib = ctypes.CDLL(libcrypt, use_errno=True)
    data = ctypes.create_string_buffer(32768)
    for name in "crypt", "crypt_rn", "crypt_gensalt":
        getattr(lib, name).restype = ctypes.c_char_p
    lib.crypt_gensalt.argtypes = (ctypes.c_char_p, ctypes.c_ulong,
                                  ctypes.c_char_p, ctypes.c_int)
    setting = setting.encode()
    say("another", lib.crypt, b"secret", b"ab")
    say("crypt", lib.crypt, b"secret", setting)
    say("crypt_rn", lib.crypt_rn, b"secret", setting, data, len(data))
    say("crypt_gensalt", lib.crypt_gensalt, b"$lyra2$", 4, b"0" * 16, 16)
    say("another", lib.crypt, b"secret", b"ab")


main(*sys.argv[1:])

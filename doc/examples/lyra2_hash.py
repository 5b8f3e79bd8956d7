#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes $lyra2$ strings with liblyra2, and is a filter plugin for Ansible.

In Python:   lyra2_hash.hash_password("secret")
In a shell:  lyra2_hash.py                (reads one line of standard input)
In Ansible:  put it into filter_plugins/ beside the playbook, then
             password: "{{ secret | lyra2_hash }}"
             update_password: on_create

The salt is new each time, so a task with "update_password: always" changes the
entry at every run.  The parameters are the library's defaults."""
import ctypes
import os
import sys

MAX_STRING = 384        # LYRA2_MAX_STRING of lyra2.h

lib = ctypes.CDLL("liblyra2.so.0", use_errno=True)
lib.lyra2_ctx_new.restype = ctypes.c_void_p
lib.lyra2_ctx_free.argtypes = [ctypes.c_void_p]
lib.lyra2_hash.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p,
                           ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def hash_password(password):
    """Returns a new string for the password, which is str or bytes."""
    if isinstance(password, str):
        password = password.encode()
    ctx, out = lib.lyra2_ctx_new(), ctypes.create_string_buffer(MAX_STRING)
    if not ctx:
        raise MemoryError
    done = lib.lyra2_hash(ctx, None, password, len(password), out, len(out))
    error = ctypes.get_errno()
    lib.lyra2_ctx_free(ctx)
    if done != 0:
        raise OSError(error, os.strerror(error))
    return out.value.decode()


class FilterModule:     # pylint: disable=too-few-public-methods
    """What Ansible looks for."""
    def filters(self):
        """Returns the filter's name and function."""
        return {"lyra2_hash": hash_password}


if __name__ == "__main__":
    print(hash_password(sys.stdin.buffer.readline().rstrip(b"\n")))

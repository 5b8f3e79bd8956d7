#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How many passwords a second one who guesses can try on an OpenCL device.

Hashes passwords with lyra2.cl, compares four with lyra2_crypt().

usage: attack.py LIBLYRA2 [LANES [COST [COLS [T [HASHES]]]]]
"""

import ctypes
import pathlib
import sys
import time
from ctypes import byref, c_int, c_size_t, c_uint, c_ulong, c_void_p

LOCAL, MEMORY, BUFFER = 0x1023, 0x101f, 0x1010	# sizes that a device tells
DIGITS = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def call(name, *arguments):
    """Of the library of OpenCL.  Returns what the function creates."""
    function, error = getattr(ctypes.CDLL("libOpenCL.so.1"), name), c_int()
    if name.startswith("clCreate"):
        function.restype, arguments = c_void_p, (*arguments, byref(error))
    result = function(*arguments)
    if error.value or function.restype is c_int and result:
        raise OSError(f"{name}: OpenCL error {error.value or result}")
    return c_void_p(result)


def size(device, what):
    number = c_ulong()
    call("clGetDeviceInfo", device, what, c_size_t(8), byref(number), None)
    return number.value


def build(device, lanes, cost, cols):
    context = call("clCreateContext", None, 1, byref(device), None, None)
    source = pathlib.Path(__file__).with_name("lyra2.cl").read_bytes()
    program = call("clCreateProgramWithSource", context, 1,
                   byref(ctypes.c_char_p(source)), None)
    near = lanes > 1 and 96 * cols * lanes <= min(size(device, LOCAL), 1 << 16)
    options = f"-D LANES={lanes} -D ROWS={1 << cost} -D COLS={cols}"
    call("clBuildProgram", program, 1, byref(device),
         (options + near * " -D NEAR").encode(), None, None)
    return context, device, program


class Part:
    """Hashes whose matrices lie in one buffer, as devices limit a buffer."""

    def __init__(self, built, hashes, lanes, matrix, *values):
        context, device, program = built
        self.kernel = call("clCreateKernel", program, b"lyra2")
        self.queue = call("clCreateCommandQueue", context, device, c_ulong(0))
        self.got = ctypes.create_string_buffer(32 * lanes * hashes)
        self.items = 4 * lanes * hashes, 4 * lanes
        self.keys, memory = (
            call("clCreateBuffer", context, c_ulong(1), c_size_t(n), None)
            for n in (len(self.got), matrix * hashes))
        for i, value in enumerate((*values, self.keys, memory)):
            call("clSetKernelArg", self.kernel, i,
                 c_size_t(ctypes.sizeof(value)), byref(value))

    def start(self):
        call("clEnqueueNDRangeKernel", self.queue, self.kernel, 1, None,
             *(byref(c_size_t(n)) for n in self.items), 0, None, None)
        call("clFlush", self.queue)

    def finish(self):
        call("clEnqueueReadBuffer", self.queue, self.keys, 1, c_size_t(0),
             c_size_t(len(self.got)), self.got, 0, None, None)
        return self.got.raw


def wrong(library, setting, password, keys):
    """Whether the xor of these keys is not what lyra2_crypt() computes."""
    out, key = ctypes.create_string_buffer(384), 0
    library.lyra2_crypt(None, setting, password, c_size_t(len(password)), out,
                        c_size_t(len(out)))
    for at in range(0, len(keys), 32):
        key ^= int.from_bytes(keys[at:at + 32], "big")
    digits = bytes(DIGITS[key << 2 >> 6 * n & 63] for n in range(43))
    return out.value != setting + b"$" + digits[::-1]


def main():
    lanes, cost, cols, t_cost, hashes = map(int, (
        *sys.argv[2:], *("2", "12", "256", "2", "0")[len(sys.argv) - 2:]))
    found, device, every = c_void_p(), c_void_p(), c_ulong(0xffffffff)
    try:
        call("clGetPlatformIDs", 1, byref(found), None)
        call("clGetDeviceIDs", found, every, 1, byref(device), None)
    except OSError as error:
        print(error)
        return 77	# a test is skipped
    built = build(device, lanes, cost, cols)
    seed, matrix = b"%08x" % (time.time_ns() % (1 << 32)), 96 * cols << cost
    most = max(size(device, BUFFER) // matrix, 1)
    hashes = hashes or size(device, MEMORY) * 9 // 10 // matrix
    parts = [Part(built, min(most, hashes - first), lanes, matrix,
                  c_ulong.from_buffer_copy(seed), c_uint(t_cost), c_uint(first))
             for first in range(0, hashes, most)]
    for _ in range(2):	# some compile only when they begin
        begun = time.monotonic()
        for part in parts:
            part.start()
        keys = b"".join([part.finish() for part in parts])
        rate = hashes / (time.monotonic() - begun)
    bad, library = 0, ctypes.CDLL(sys.argv[1])
    setting = f"$lyra2$t{t_cost}n{cost}c{cols}p{lanes}$0123456789abcdefghijklmn"
    for i in {(hashes - 1) * n // 3 for n in range(4)}:
        number = bytes(97 + (i >> 4 * n & 15) for n in range(4)) + b"aaaa"
        bad += wrong(library, setting.encode(), seed + number,
                     keys[32 * lanes * i:32 * lanes * (i + 1)])
    print(f"{rate:.1f} guesses/s, {hashes} in flight, {bad} wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""left - what is in the memory of a program when it says its first word.

usage: left.py COMMAND [ARGUMENT...] -- WORD...

Somebody reads the memory while the program waits for room in a pipe.  Prints
for each word True, if it is there, or False.
"""

import os
import subprocess
import sys
import time


def fill(pipe):
    os.set_blocking(pipe, False)
    try:
        while os.write(pipe, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(pipe, True)


def memory(pid):
    """All that it can write to."""
    text = b""
    with open("/proc/%d/mem" % pid, "rb", 0) as mem:
        with open("/proc/%d/maps" % pid, encoding="utf-8") as maps:
            for line in maps:
                start, end = (int(x, 16) for x in line.split()[0].split("-"))
                if " rw" in line and "[v" not in line:
                    mem.seek(start)
                    text += mem.read(end - start)
    return text


def waits(pid):
    """In write(2) to standard output."""
    with open("/proc/%d/syscall" % pid, encoding="ascii") as file:
        return file.read().startswith("1 0x1 ")


def main():
    end = sys.argv.index("--")
    _, pipe = os.pipe()
    fill(pipe)
    with subprocess.Popen(sys.argv[1:end], stdout=pipe) as child:
        while not waits(child.pid):
            time.sleep(0.02)
        text = memory(child.pid)
        child.kill()
    print(*(word.encode() in text for word in sys.argv[end + 1:]))


if __name__ == "__main__":
    main()

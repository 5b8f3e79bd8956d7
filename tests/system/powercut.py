#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""powercut - sets passwords until the power fails; see powercut.sh.

Process 1 of a virtual machine.  At first it says what the last cut has left of
/etc/shadow.  lasting=N of the kernel's arguments: the password of alice was said
to be number N.
"""

import hashlib
import os
import re
import subprocess
import sys
import time

SHADOW = "/etc/shadow"
OTHERS = "/opt/others"	# what the lines of others are


def is_word(number, field):
    return subprocess.run(["lyra2", "verify", field], check=False, text=True,
                          input="word %d\n" % number,
                          stdout=subprocess.DEVNULL).returncode == 0


def others(lines):
    return hashlib.sha256("".join(
        x for x in lines if not x.startswith("alice:")).encode()).hexdigest()


def state(lasting):
    with open(SHADOW) as file:
        lines = file.readlines()
    fields = [x.split(":")[1] for x in lines if x.startswith("alice:")]
    found = [n for n in range(lasting, lasting + 2)
             if len(fields) == 1 and is_word(n, fields[0])]
    with open(OTHERS) as file:
        same = file.read() == others(lines)
    info = os.stat(SHADOW)
    print("state:", found[0] if found else "damaged",
          "same" if same else "changed",
          "%d:%d:%o" % (info.st_uid, info.st_gid, info.st_mode), flush=True)
    return found[0] if found else lasting


def main():
    if os.getpid() != 1:	# the disk is being made
        with open(SHADOW) as file, open(OTHERS, "w") as out:
            out.write(others(file.readlines()))
        return
    sys.stdout = open("/dev/ttyS1", "w")
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    with open("/proc/cmdline") as file:
        number = state(int(re.search(r"lasting=(\d+)", file.read()).group(1)))
    subprocess.Popen(["lyra2d"])
    while not os.path.exists("/run/lyra2/socket"):
        time.sleep(0.1)
    begun = number + 1
    while True:
        number += 1
        subprocess.run(["chpasswd"], check=True, text=True,
                       input="alice:word %d\n" % number)
        print("set:", number, flush=True)
        if number == begun:
            print("guest: begun", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""devlog - a system log for tests: runs a command while collecting /dev/log.

usage: devlog FILE COMMAND...

Appends each message that is sent to /dev/log (syslog(3)) to FILE as one line,
"<priority> ident[pid]: text", at once, while COMMAND runs; exits with the
status of COMMAND after every message that it sent is in FILE.  Also a module:
with devlog.Collector(path) as log: ... log.lines().  Only for private roots:
it takes the place of the system's own /dev/log until it ends.
"""

import os
import re
import select
import socket
import subprocess
import sys
import threading

# The date, in RFC 3164 form, that syslog(3) puts in front of each message.
DATE = re.compile(r"^(<\d+>)(\w{3} [ \d]\d \d\d:\d\d:\d\d )?")


class Collector:
    def __init__(self, path, address="/dev/log"):
        self.path = path
        self.address = address

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if os.path.lexists(self.address):	# a link to journald's
            os.rename(self.address, self.address + ".aside")
        self.socket.bind(self.address)
        os.chmod(self.address, 0o666)
        self.file = open(self.path, "a", encoding="utf-8")
        self.wake, self.stop = os.pipe()
        self.thread = threading.Thread(target=self._collect, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        os.close(self.stop)
        self.thread.join()
        os.close(self.wake)
        self.file.close()
        self.socket.close()
        if os.path.lexists(self.address):
            os.unlink(self.address)
        if os.path.lexists(self.address + ".aside"):
            os.rename(self.address + ".aside", self.address)

    def _collect(self):
        waiting = [self.socket, self.wake]
        while True:
            ready = select.select(waiting, [], [])[0]
            if self.socket not in ready:
                return
            text = self.socket.recv(65536).decode("utf-8", "backslashreplace")
            text = DATE.sub(r"\1 ", text.rstrip("\0\n"))
            self.file.write(text.replace("\n", "\\n") + "\n")
            self.file.flush()

    def lines(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read().splitlines()


def main(args):
    if len(args) < 2:
        sys.exit(__doc__)
    with Collector(args[0]):
        return subprocess.call(args[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

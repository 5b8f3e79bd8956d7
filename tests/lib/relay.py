# SPDX-License-Identifier: BSD-2-Clause
"""relay - a wire between two servers that a suite can cut and mend."""

import contextlib
import select
import socket
import socketserver
import threading


class _Link(socketserver.BaseRequestHandler):
    """One connection; it ends when an end closes it or the wire is cut."""

    def handle(self):
        if not self.server.is_cut:
            with contextlib.suppress(OSError):
                self.carry()

    def carry(self):
        with socket.create_connection(self.server.target) as other:
            ends = {self.request: other, other: self.request}
            while not self.server.is_cut:
                for end in select.select(ends, [], [], 0.05)[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    ends[end].sendall(data)


class Wire(socketserver.ThreadingTCPServer):
    """Listens on a port of loopback, and carries all to another one."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False

    def __init__(self, port, to):
        super().__init__(("127.0.0.1", port), _Link)
        self.target = "127.0.0.1", to
        self.is_cut = False
        threading.Thread(target=self.serve_forever, daemon=True).start()

#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""apparmor - logins and password changes while the AppArmor profiles are
enforced.

Runs as root in a machine that systemd has booted, with the users and ways of
selinux.py.  It is a failure if AppArmor denies lyra2d or lyra2_chkpwd
anything.  The test provokes one denial, to check that it notices denials.
Prints TAP.
"""

import os
import re

import clients
import selinux
import tap
from pamroot import read, write

PROFILES = "/sys/kernel/security/apparmor/profiles"
CONF = selinux.CONF
FOREIGN = "/opt/elsewhere"	# not in /root: ProtectHome
DENIED = re.compile(r'apparmor="DENIED".*profile="[^"]*lyra2')


def denials():
    clients.must(["journalctl", "--sync"])
    return [x for x in clients.must(["journalctl", "-b", "-o", "cat"])
            .splitlines() if DENIED.search(x)]


def confined():
    """The kernel says that both programs are confined."""
    loaded = read(PROFILES).splitlines()
    for name in ("lyra2d", "lyra2_chkpwd"):
        tap.ok(name + " has an enforced profile",
               name + " (enforce)" in loaded, loaded)
    pid = clients.must(["systemctl", "show", "-P", "MainPID",
                        "lyra2d.service"]).strip()
    tap.equal("the service runs under it",
              read("/proc/%s/attr/current" % pid), "lyra2d (enforce)\n")


def denial_is_seen():
    """The configuration is a link to a file that the profile does not allow."""
    old = read(CONF)
    write(FOREIGN, "cost = 7\n")
    os.unlink(CONF)
    os.symlink(FOREIGN, CONF)
    selinux.unprivileged("carol", selinux.RIGHT)
    os.unlink(CONF)
    write(CONF, old)
    return any(FOREIGN in x for x in denials())


def main():
    clients.PORT = 22
    write(CONF, "method = lyra2\ncost = 10\n")
    selinux.set_all("SHA512")
    tap.attempt("a denial to lyra2d is seen", denial_is_seen)
    confined()
    selinux.all_ways("pam_lyra2")
    selinux.all_rehash()
    selinux.without_service()
    after = [x for x in denials() if FOREIGN not in x]
    for line in after:
        print("# " + line)
    tap.equal("nothing is denied to lyra2d and its helper", after, [])
    tap.done()


if __name__ == "__main__":
    main()

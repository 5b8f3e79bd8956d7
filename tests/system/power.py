#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""power - what is left of /etc/shadow when the power fails.

usage: power.py NAME MKFS,OPTION... MOUNT-OPTIONS STATES

Runs as root in a machine of its own (tests/lib/guest).  /etc is on a file
system of a device that logs each write and each flush, dm-log-writes.  There
lyra2_update rehashes and sets passwords.  Then the states in which a power cut
could leave the disk are made from the log: all that was flushed before the
cut, and of what was written since nothing, a part, or all; a long write may be
cut between two blocks.  Each state is mounted, so that the journal is replayed,
and /etc/shadow must be the file before or after the change that was under way:
byte for byte, with its owner, mode, access control list and label.  A change
that lyra2_update has reported is not lost.  Prints TAP.
"""

import collections
import os
import random
import shutil
import struct
import subprocess
import sys
import time

import tap

CHANGES = 24
DISK_MIB = 320		# the least that mkfs.xfs accepts is 300
LOG_MIB = 600
SECTOR = 512
BLOCK = 4096		# what a disk writes whole: ext4's superblock relies on it
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
DONE = b"done"		# the mark behind a change; the log ends with another
OP_VERIFY, OP_SET, FLAG_ROOT = "1", "4", "4"
OTHER_USERS = 200	# a file of some blocks
AGAIN = 20		# in one of so many states another change is made
BAD = {
    "torn": "/etc/shadow is no file that was ever there",
    "lost": "a change that was reported is lost",
    "stripped": "owner, mode, ACL or label differ",
    "stuck": "the next change fails, or a file is left behind",
    "unusable": "/etc/shadow cannot be read",
}

Entry = collections.namedtuple("Entry", "flags sector data")
Version = collections.namedtuple("Version", "bytes attributes")


def run(*argv):
    return subprocess.run(argv, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


# --- the file ------------------------------

def version(path):
    """All of a file that has to survive."""
    status = os.stat(path)
    with open(path, "rb") as file:
        return Version(file.read(), (
            status.st_uid, status.st_gid, status.st_mode,
            sorted((x, os.getxattr(path, x)) for x in os.listxattr(path))))


def populate(etc):
    """An /etc of its own, its shadow with attributes that must not go."""
    os.chmod(etc, 0o755)
    for name in ("passwd", "group", "nsswitch.conf"):
        shutil.copy("/etc/" + name, etc)
    with open(etc + "/passwd", "a", encoding="ascii") as file:
        file.write("alice:x:1000:100::/:/bin/sh\n")
    shadow = etc + "/shadow"
    with open(shadow, "w", encoding="ascii") as file:
        for i in range(OTHER_USERS):
            file.write("user%d:$y$j9T$%s:19000:0:99999:7:::\n" % (i, "x" * 66))
        file.write("alice::19000:0:99999:7:::\n")
    os.chown(shadow, 0, 42)
    os.chmod(shadow, 0o640)
    run("setfacl", "-m", "user:1:r", shadow)
    os.setxattr(shadow, "security.selinux", b"system_u:object_r:shadow_t:s0\0")


def ask(op, flags, cost, password, new):
    """lyra2_update does it, and says that it is done."""
    conf = "/run/conf.%d" % cost
    with open(conf, "w", encoding="ascii") as file:
        file.write("t_cost = 1\ncost = %d\ncols = 256\nrehash = exact\n" %
                   cost)
    output = run("ask", op, flags, conf, "alice", password, new,
                 "/usr/sbin/lyra2_update")
    if "verdict 0" not in output:
        raise RuntimeError(output)


def change(number):
    """A new password, and rehashes by a cost that is another each time."""
    if number % 4 == 0:
        ask(OP_SET, FLAG_ROOT, 6, "", "password %d" % number)
    else:
        ask(OP_VERIFY, "0", 6 + number % 4,
            "password %d" % (number - number % 4), "")


# --- the log of writes ------------------------------

def loop(path):
    return run("losetup", "--find", "--show", path)


def sparse(path, mib):
    with open(path, "wb") as file:
        file.truncate(mib << 20)
    return path


def record(mkfs, options):
    """Make the changes; the versions of the file, the disk before, the log."""
    run("modprobe", "-a", "loop", "dm-log-writes")
    os.environ["DM_DISABLE_UDEV"] = "1"	# dmsetup makes the node itself
    disk, log = sparse("/tmp/disk", DISK_MIB), sparse("/tmp/log", LOG_MIB)
    device = loop(disk)
    run(*mkfs.split(","), device)
    run("mount", "-o", options, device, "/mnt")
    populate("/mnt")
    versions = [version("/mnt/shadow")]
    run("umount", "/mnt")
    run("cp", "--sparse=always", disk, "/tmp/state.0")
    run("dmsetup", "create", "logged", "--table", "0 %d log-writes %s %s" % (
        (DISK_MIB << 20) // SECTOR, device, loop(log)))
    run("mount", "-o", options, "/dev/mapper/logged", "/etc")
    for number in range(CHANGES):
        change(number)
        versions.append(version("/etc/shadow"))
        run("dmsetup", "message", "logged", "0", "mark", DONE.decode())
    run("umount", "/etc")
    run("dmsetup", "remove", "logged")
    run("losetup", "-D")
    os.unlink(disk)
    return versions, "/tmp/state.0", log


def read_log(path):
    """As Documentation/admin-guide/device-mapper/log-writes.rst has it."""
    with open(path, "rb") as file:
        magic, _, count, sector = struct.unpack("<QQQI", file.read(28))
        if magic != 0x6a736677736872 or sector != SECTOR:
            raise ValueError("no log of writes: %x, %d" % (magic, sector))
        file.seek(SECTOR)
        for _ in range(count):
            head = file.read(SECTOR)
            start, sectors, flags, length = struct.unpack("<QQQQ", head[:32])
            if flags & MARK:
                yield Entry(flags, start, head[32:32 + length])
            else:
                yield Entry(flags, start, b"" if flags & DISCARD else
                            file.read(sectors * SECTOR))


def is_done(entry):
    return bool(entry.flags & MARK) and entry.data.rstrip(b"\0") == DONE


def apply(disk, entries):
    for entry in entries:
        disk.seek(entry.sector * SECTOR)
        disk.write(entry.data)


def survivors(unflushed, chance):
    """What of the writes since the last flush a cut may leave."""
    how = chance.choice(["nothing", "all", "some", "some", "some"])
    for entry in unflushed:
        if entry.flags & FUA or how == "all":
            yield entry
        elif how == "some" and chance.random() < 0.5:
            yield entry
        elif how == "some" and chance.random() < 0.5:
            whole = chance.randrange(len(entry.data) // BLOCK + 1)
            yield entry._replace(data=entry.data[:whole * BLOCK])


def states(base, log, picks, chance):
    """Each state: how many changes were done before, and the disk.

    picks: how many states are made of a cut behind each entry of the log.  Each
    has a file of its own, because a loop device may keep the one before for a
    moment, and mount(8) would use that device again.
    """
    done, unflushed, made = 0, [], 0
    with open(base, "r+b") as durable:
        for number, entry in enumerate(read_log(log)):
            done += is_done(entry)
            if entry.flags & FLUSH:
                apply(durable, unflushed)
                durable.flush()
                unflushed = []
            if entry.data and not entry.flags & MARK:
                unflushed.append(entry)
            for _ in range(picks[number]):
                made += 1
                path = "/tmp/cut.%d" % made
                run("cp", "--sparse=always", base, path)
                with open(path, "r+b") as cut:
                    apply(cut, survivors(unflushed, chance))
                yield done, path
                os.unlink(path)


# --- verdicts ------------------------------

def judge(versions, done, path):
    """What became of the file after so many changes."""
    found = version(path)
    for name, index in (("after", done + 1), ("before", done)):
        if index < len(versions) and found == versions[index]:
            return name
    if found in versions:
        print("# the file of change %d is there, after change %d was reported"
              % (versions.index(found), done))
        return "lost"
    if found.bytes in [x.bytes for x in versions]:
        return "stripped"
    return "torn"


def changes_again(etc):
    """The next change works, and leaves nothing behind."""
    run("mount", "--bind", etc, "/etc")
    try:
        ask(OP_SET, FLAG_ROOT, 6, "", "another password")
        return not [x for x in os.listdir("/etc") if "shadow.lyra2" in x]
    finally:
        run("umount", "/etc")


def look(versions, done, disk, options, again):
    """Mount a state, and say what is there."""
    run("mount", "-o", "loop," + options, disk, "/mnt")
    try:
        found = judge(versions, done, "/mnt/shadow")
        if again and not changes_again("/mnt"):
            found = "stuck"
        return found
    finally:
        run("umount", "/mnt")


def verdict(versions, number, done, disk, options):
    try:
        return look(versions, done, disk, options, number % AGAIN == 0)
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print("# state %d: %s" % (number, error))
        return "unusable"


def main():
    name, mkfs, options, wanted = sys.argv[1:]
    seed = int(os.environ.get("POWER_SEED") or time.time())
    begun = time.monotonic()
    versions, base, log = record(mkfs, options)
    entries = sum(1 for _ in read_log(log))
    marks = [x for x, entry in enumerate(read_log(log)) if is_done(entry)]
    tap.equal("%s: a mark for each change" % name, len(marks), CHANGES)
    tap.equal("%s: each change makes another file" % name,
              len({x.bytes for x in versions}), CHANGES + 1)
    chance = random.Random(seed)
    picks = collections.Counter(
        chance.choices(range(entries), k=int(wanted) - 1))
    picks[chance.choice(marks) - 1] += 1	# done, but not yet reported
    counts = collections.Counter()
    for number, (done, disk) in enumerate(states(base, log, picks, chance)):
        counts[verdict(versions, number, done, disk, options)] += 1
    print("# %s: %d changes, %d writes and flushes; seed %d; %d states in "
          "%d s: %s" % (name, CHANGES, entries, seed, sum(counts.values()),
                        time.monotonic() - begun, ", ".join(
                            "%d %s" % (y, x)
                            for x, y in sorted(counts.items()))))
    for bad, what in BAD.items():
        tap.equal("%s: in no state %s" % (name, what), counts[bad], 0)
    tap.equal("%s: all states were looked at" % name,
              sum(counts.values()), int(wanted))
    for good in ("before", "after"):
        tap.ok("%s: in some state, the file %s the change" % (name, good),
               counts[good], counts)
    tap.done()


if __name__ == "__main__":
    main()

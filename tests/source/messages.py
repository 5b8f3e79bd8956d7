# SPDX-License-Identifier: BSD-2-Clause
"""Finds log messages that no manual explains.

	messages.py [--all] SRCDIR

Each format in pam/ must be in DIAGNOSTICS of lyra2d(8) or pam_lyra2(8), with
words in capitals for its arguments, or must be one of pam_unix's.  Prints the
other formats, and entries in the manuals that no format can produce.

With --all, prints every message to users and administrators instead, one on a
line, after its file: those of the log, the tool, the configuration, the
maintainer scripts and bootstrap.
"""
import pathlib
import re
import sys

PAM_UNIX = {
    "%s; logname=%s uid=%d euid=%d tty=%s ruser=%s rhost=%s %s%s",
    "auth could not identify password for [%s]", "bad username [%s]",
    "check pass; user unknown", "could not obtain username",
    "password - (old) token not obtained", "password received unknown request",
    "service(%s) ignoring max retries; %d > %d", "user [%s] has blank "
    "password; authenticated without it", "username [%s] obtained"}
# Messages that pam_unix logs because of Lyra2 hashes
BECAUSE = {'The password hash "$lyra2" is unknown to libcrypt.'}
CALL = re.compile(r"\b(?:pam_syslog|syslog|say|log_line|job_say|report_line|"
                  r"say_once_a_day)\("
                  r'[^";]*?((?:"(?:\\.|[^"\\])*"\s*|PATH_\w+\s*)+)')
PUT_IN = re.compile(r"%l?[sdum]")


def formats(folder):
    for file in sorted(folder.rglob("*.c")):
        for call in CALL.findall(file.read_text()):
            text = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', call))
            yield text.replace('\\"', '"')


def pattern(text):
    parts = [re.escape(part) for part in PUT_IN.split(text)]
    return re.compile(r"(?:[A-Z]+|passed|failed)".join(parts) + "$")


def entries(page):
    text = page.read_text()
    part = text[text.index(".Sh DIAGNOSTICS"):]
    part = part[:part.index("\n.Sh ", 1)]
    for line in re.findall(r"(?m)^\.It (.*)$", part):
        line = line.replace("\\(dq", "\0")
        yield line.strip('"').replace("\0", '"')


def literals(text):
    """Returns the text of a C expression: adjacent literals are one."""
    for run in re.findall(r'(?:"(?:\\.|[^"\\\n])*"\s*|\bPATH_\w+\s*)+', text):
        yield "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', run))


def all_messages(top):
    """Each literal with words is a message, unless a line includes a file."""
    for folder in ("pam", "src/account", "src/config", "src/stored",
                   "src/tool", "crypt/openldap"):
        for file in sorted((top / folder).rglob("*.c")):
            text = re.sub(r"(?s)/\*.*?\*/|^#.*?$", "", file.read_text(),
                          flags=re.M)
            for message in literals(text):
                if re.search(r"[a-z]{2,} [a-z%(]", message):
                    yield file.relative_to(top), message
    for file in sorted((top / "debian").glob("*.p[ro]*")) + [top / "bootstrap"]:
        text = file.read_text()
        for here in re.findall(r"(?s)<<-?'?(\w+)'?\n(.*?)\n\1\n", text):
            yield from ((file.relative_to(top), line)
                        for line in here[1].splitlines() if line)
        for words in re.findall(r'(?:echo|fail|logged) (".*?")(?: >&2)?$', text,
                                re.M | re.S):
            if words.count("\n") < 6:
                yield file.relative_to(top), " ".join(words.split())


top = pathlib.Path(sys.argv[-1])
if sys.argv[1] == "--all":
    for name, words in all_messages(top):
        print(f"{name}: {words}")
    sys.exit()
known = {entry for name in ("lyra2d.8", "pam_lyra2.8")
         for entry in entries(top / "man" / name)}
found = set()
for form in sorted(set(formats(top / "pam")) - PAM_UNIX):
    if not PUT_IN.sub("", form):
        continue
    matches = {entry for entry in known if pattern(form).match(entry)}
    found |= matches
    if not matches:
        print("not in a manual:", form)
for entry in sorted(BECAUSE - known):
    print("not in a manual:", entry)
for entry in sorted(known - found - BECAUSE):
    print("nothing writes:", entry)

# SPDX-License-Identifier: BSD-2-Clause
"""One string, one verdict: library, crypt(3), slapd's module, lyra2 audit and
the specification in Python on strings inside and outside of the grammar.

usage: verdicts.py SRCDIR BUILDDIR LIBCRYPT SLAPD DIRECTORY COUNT

The grammar is read from lyra2(5).  SLAPD is a library with what slapd gives to
its module.  Prints each string on which two differ, and then how many strings
of each verdict there were.
"""

import collections
import ctypes
import json
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
SRCDIR, BUILDDIR, LIBCRYPT, SLAPD, DIRECTORY, COUNT = sys.argv[1:]
sys.path.insert(0, SRCDIR + "/doc/spec")
import lyra2  # noqa: E402

WORD = b"password"
CHEAP = 1 << 13		# of work; others are only parsed
PRINTABLE = [chr(c) for c in range(0x21, 0x7f) if chr(c) not in "!*:;\\"]

# ---- ABNF: what lyra2(5) uses of it ----

TOKEN = re.compile(r'\s*(?:(\d*)(\*?)(\d*)(?=["%(A-Za-z])'
                   r'(?:(%s)?"([^"]*)"|%x(\w\w)(?:-(\w\w))?|([A-Za-z]\w*)|'
                   r'(\())|([])/[]))')


def grammar(manual):
    """The rules of the manual as trees."""
    with open(manual, encoding="ascii") as file:
        text = re.search(r"\.Ss Grammar\n.*?\.Bd [^\n]*\n(.*?)\.Ed",
                         file.read(), re.S).group(1)
    rules = {"DIGIT": ("range", "0", "9")}
    for name, body in re.findall(r"^(\w+) *= (.*(?:\n .*)*)", text, re.M):
        tree, rest = alternatives(body)
        assert not rest.strip(), rest
        rules[name] = tree
    return rules


def alternatives(text):
    found, sequence = [], []
    while match := TOKEN.match(text):
        low, star, high, _, literal, a, b, rule, group, mark = match.groups()
        rest = text[match.end():]
        if mark in ("]", ")"):
            break
        if mark == "/":
            found.append(("all", sequence))
            sequence, text = [], rest
            continue
        if mark == "[" or group:
            item, rest = alternatives(rest)
            rest = rest.lstrip()[1:]
        elif literal is not None:
            item = ("text", literal)
        elif a:
            item = ("range", chr(int(a, 16)), chr(int(b or a, 16)))
        else:
            item = ("rule", rule)
        if mark == "[":
            item = ("times", 0, 1, item)
        elif low or star:
            item = ("times", int(low or 0), int(high or low or 9), item)
        sequence.append(item)
        text = rest
    return ("any", found + [("all", sequence)]), text


def pattern(rules, tree):
    """The same as a regular expression."""
    kind, *rest = tree
    if kind == "text":
        return re.escape(rest[0])
    if kind == "range":
        return f"[{re.escape(rest[0])}-{re.escape(rest[1])}]"
    if kind == "rule":
        return pattern(rules, rules[rest[0]])
    if kind == "times":
        return f"(?:{pattern(rules, rest[2])}){{{rest[0]},{rest[1]}}}"
    if kind == "all":
        return "".join(pattern(rules, item) for item in rest[0])
    return "(?:" + "|".join(pattern(rules, item) for item in rest[0]) + ")"


def crypt5():
    """The expression that the libxcrypt series adds to crypt(5)."""
    with open(SRCDIR + "/crypt/patches/libxcrypt/doc.patch",
              encoding="ascii") as file:
        text = re.search(r'^\+\.hash "\$lyra2\$" "(\S+)"', file.read(), re.M)
    return re.compile(text.group(1).replace(r"\e", "\\"))


# ---- strings ----

class Maker:
    """Makes strings of the grammar and, with one change, of nearly it."""

    def __init__(self, rules, rng):
        self.rules, self.rng, self.change = rules, rng, -1

    def make(self, tree):
        self.change -= 1
        here = self.change == 0
        text = self.whole(tree)
        return self.bend(text) if here else text

    def whole(self, tree):
        kind, *rest = tree
        if kind == "text":
            return rest[0]
        if kind == "range":
            return chr(self.rng.randint(ord(rest[0]), ord(rest[1])))
        if kind == "rule" and rest[0] == "number" and self.rng.random() < .98:
            return str(self.rng.choice((1, 1, 2, 3, 3, 5, 6, 8, 12, 20)))
        if kind == "rule" and rest[0] == "lanes" and self.rng.random() < .9:
            return "$p=" + self.rng.choice("234")
        if kind == "rule":
            return self.make(self.rules[rest[0]])
        if kind == "times":
            n = self.rng.choice((rest[0], rest[1],
                                 self.rng.randint(rest[0], rest[1])))
            return "".join(self.make(rest[2]) for _ in range(n))
        if kind == "all":
            return "".join(self.make(item) for item in rest[0])
        return self.make(self.rng.choice(rest[0]))

    def bend(self, text):
        """One production lost, twice, another's, or with another character."""
        at = self.rng.randrange(len(text) + 1)
        new = self.rng.choice(PRINTABLE + [" ", "*", ":", "\n", "\x7f", "0"])
        return self.rng.choice((
            "", text + text, self.whole(("rule", self.rng.choice(
                [*self.rules]))), text[:at] + new + text[at:],
            text[:at] + new + text[at + 1:], text[:at] + text[at + 1:],
            text[:at], text.swapcase()))

    def string(self):
        self.change = -1
        if self.rng.random() < .7:
            # The first productions are few, the digits of the hash many.
            self.change = self.rng.choice((self.rng.randint(1, 40),
                                           self.rng.randint(1, 150)))
        return self.make(self.rules["string"])


# ---- those who are asked ----

class Berval(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ulong), ("val", ctypes.c_char_p)]


LIBRARY = ctypes.CDLL(BUILDDIR + "/src/.libs/liblyra2.so")
CRYPT = ctypes.CDLL(LIBCRYPT)
CRYPT.crypt_rn.restype = ctypes.c_char_p
SERVER = ctypes.CDLL(SLAPD, mode=ctypes.RTLD_GLOBAL)
MODULE = ctypes.CDLL(BUILDDIR + "/crypt/openldap/.libs/pw-lyra2.so")


def crypt(string):
    data = ctypes.create_string_buffer(32768)
    return CRYPT.crypt_rn(WORD, string.encode(), data, 32768)


def slapd(string):
    value = Berval(len(string), string.encode())
    word = Berval(len(WORD), WORD)
    return SERVER.check(ctypes.byref(value), ctypes.byref(word)) == 0


def audit(strings):
    """Which of them lyra2 audit takes for hashes of Lyra2."""
    with open(DIRECTORY + "/etc/shadow", "w", encoding="ascii") as file:
        for i, string in enumerate(strings):
            file.write(f"u{i}:{string}:1::::::\n")
    done = subprocess.run([BUILDDIR + "/src/lyra2", "audit", "--json",
                           "--root", DIRECTORY], stdout=subprocess.PIPE,
                          check=False)
    entries = json.loads(done.stdout)["users"]
    return {strings[int(e["user"][1:])]: e["method"] == "lyra2"
            for e in entries}


def parsed(function, string):
    try:
        return function(string)
    except ValueError:
        return None


def differences(string, expression):
    """Who says something else than the specification."""
    known = string.isprintable() and not set(string) & set(" !*:;\\")
    setting = parsed(lyra2.Setting, string)
    whole = parsed(lyra2.parse, string)
    params = ctypes.create_string_buffer(64)
    if LIBRARY.lyra2_parse(string.encode(), params, None, 0) != (
            0 if whole else 1 if setting and setting.rest in ("", "$")
            else -1):
        yield "parse"
    inside = bool(expression.fullmatch(string))
    if whole and not inside:
        yield "the grammar"
    # Where a number has more than ten digits, only the grammar ends.
    if bool(CRYPT5.fullmatch(string)) != inside and not re.search(
            r"=\d{11}", string):
        yield "crypt(5)"
    if setting and setting.work > CHEAP:
        return
    verify = LIBRARY.lyra2_verify(None, string.encode(), WORD, len(WORD))
    if (verify >= 0) != bool(whole):
        yield "verify"
    # Without the prefix it is another method's, such as DES.
    hashed = string.startswith("$lyra2$") and crypt(string)
    if bool(hashed) != bool(setting and known):
        yield "crypt"
    if (hashed == string.encode()) != (verify == 0) or (
            slapd(string) != (verify == 0)):
        yield "who lets in"
    if hashed and hashed.decode() != string:
        yield from ("its hash: " + who
                    for who in differences(hashed.decode(), expression))
        if LIBRARY.lyra2_verify(None, hashed, WORD, len(WORD)) != 0:
            yield "its hash is not right"


CRYPT5 = crypt5()


def main():
    rules = grammar(SRCDIR + "/man/lyra2.5")
    expression = re.compile(pattern(rules, rules["string"]))
    maker = Maker(rules, random.Random(2026))
    MODULE.init_module(0, None)
    made = {}		# as a set that keeps its order
    while len(made) < int(COUNT):
        made[maker.string()] = True
    strings = list(made)
    verdicts = collections.Counter()
    for string in strings:
        whole = parsed(lyra2.parse, string)
        verdicts["hash" if whole else "in the grammar" if
                 expression.fullmatch(string) else "malformed"] += 1
        for who in differences(string, expression):
            print(f"{who}: {string!r}")
    lines = [s for s in strings if s.isprintable() and ":" not in s
             and s[:1] not in ("", "!", "*")]
    for string, known in audit(lines).items():
        if known != bool(parsed(lyra2.parse, string)):
            print(f"audit: {string!r}")
    print(dict(verdicts), file=sys.stderr)


main()

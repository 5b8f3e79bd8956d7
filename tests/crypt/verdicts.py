# SPDX-License-Identifier: BSD-2-Clause
"""Library, crypt(3) and the specification in Python have the same result for
strings inside and outside of the grammar, with random passwords.

usage: verdicts.py SRCDIR LIBLYRA2 LIBCRYPT COUNT

Reads the grammar from lyra2(5).  Prints each string for which two differ, and
on standard error how many strings had each result.
"""

import collections
import ctypes
import errno
import random
import re
import sys

sys.dont_write_bytecode = True
SRCDIR, LIBLYRA2, LIBCRYPT, COUNT = sys.argv[1:]
sys.path.insert(0, SRCDIR + "/doc/spec")
import lyra2  # noqa: E402

CHEAP = 1 << 13		# work; costlier strings are only parsed
USUAL = {"number": "223", "cost": "4445", "cols": ("12", "12", "13", "16")}
PRINTABLE = [chr(c) for c in range(0x21, 0x7f) if chr(c) not in "!*:;\\"]

# ---- the part of ABNF that lyra2(5) uses ----

TOKEN = re.compile(r'\s*(?:(\d*)(\*?)(\d*)(?=["%(A-Za-z])'
                   r'(?:(%s)?"([^"]*)"|%x(\w\w)(?:-(\w\w))?|([A-Za-z]\w*)|'
                   r'(\())|([])/[]))')


def grammar(manual):
    """Returns the manual's rules as trees."""
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
    """Returns a rule's tree as a regular expression."""
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
    """The expressions that the libxcrypt series add to crypt(5)."""
    found = []
    for method in "lyra2", "bash":
        with open(f"{SRCDIR}/crypt/patches/{method}/doc.patch",
                  encoding="ascii") as file:
            found += re.findall(r'^\+\.hash "\$\w+\$" "(\S+)"', file.read(),
                                re.M)
    return re.compile("|".join(found).replace(r"\e", "\\"))


# ---- strings ----

class Maker:
    """Makes strings of the grammar and, with one change, near misses."""

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
        if kind == "rule" and rest[0] in USUAL and self.rng.random() < .95:
            return self.rng.choice(USUAL[rest[0]])
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
        """Leaves out, doubles or replaces one production, or changes a
        character."""
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
            # Half of the changes are among the first productions; most of the
            # others are digits of the hash.
            self.change = self.rng.choice((self.rng.randint(1, 40),
                                           self.rng.randint(1, 150)))
        return self.make(self.rules["string"])


# ---- the implementations ----

LIBRARY = ctypes.CDLL(LIBLYRA2, use_errno=True)
CRYPT = ctypes.CDLL(LIBCRYPT)
CRYPT.crypt_rn.restype = ctypes.c_char_p


def crypt(word, string):
    data = ctypes.create_string_buffer(32768)
    return CRYPT.crypt_rn(word, string.encode(), data, 32768)


def password(rng):
    """Any bytes but NUL, with a length at which an error is likely."""
    length = rng.choice((0, 1, 8, 39, 40, 63, 64, 100, 511))
    return bytes(rng.randrange(1, 256) for _ in range(length))


def parsed(function, string):
    try:
        return function(string)
    except ValueError:
        return None


def verdict(word, string):
    """The result of lyra2_verify()."""
    ctypes.set_errno(0)
    if LIBRARY.lyra2_verify(None, string.encode(), word, len(word)) == 0:
        return "right"
    return {errno.EACCES: "wrong", errno.EINVAL: "refused",
            errno.EDOM: "refused"}[ctypes.get_errno()]


def differences(word, string, expression):
    """Names each implementation that differs from the specification."""
    setting = parsed(lyra2.Setting, string)
    whole = parsed(lyra2.parse, string)
    if (LIBRARY.lyra2_parse(string.encode(), None, None, None) == 0) != bool(
            whole):
        yield "parse"
    inside = bool(expression.fullmatch(string))
    if whole and not inside:
        yield "the grammar"
    # crypt(5) has ranges, too: settings.py compares them.
    documented = bool(CRYPT5.fullmatch(string))
    if whole and not documented or documented and not inside:
        yield "crypt(5)"
    if setting and setting.work > CHEAP:
        return
    verify = verdict(word, string)
    if (verify != "refused") != bool(whole):
        yield "verify"
    out = ctypes.create_string_buffer(160)
    ours = LIBRARY.lyra2_crypt(None, string.encode(), word, len(word), out, 160)
    # Without the prefix the string is of another method, such as DES.
    hashed = re.match(r"\$(bash)?lyra2\$", string) and crypt(word, string)
    if bool(hashed) != bool(setting) or (ours == 0) != bool(setting):
        yield "crypt"
    if (hashed or b"") != out.value:
        yield "the hash"
    if (hashed == string.encode()) != (verify == "right"):
        yield "who lets in"
    if hashed and hashed.decode() != string:
        yield from ("its hash: " + who
                    for who in differences(word, hashed.decode(), expression))
        if verdict(word, hashed.decode()) != "right":
            yield "its hash is not right"


CRYPT5 = crypt5()


def main():
    rules = grammar(SRCDIR + "/man/lyra2.5")
    expression = re.compile(pattern(rules, rules["string"]))
    rng = random.Random(2026)
    maker = Maker(rules, rng)
    made = {}		# used as a set that keeps its order
    while len(made) < int(COUNT):
        made[maker.string()] = True
    verdicts = collections.Counter()
    for string in made:
        whole = parsed(lyra2.parse, string)
        verdicts["hash" if whole else "in the grammar" if
                 expression.fullmatch(string) else "malformed"] += 1
        for who in differences(password(rng), string, expression):
            print(f"{who}: {string!r}")
    print(dict(verdicts), file=sys.stderr)


main()

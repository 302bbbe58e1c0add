"""C code as tokens: the lexer, the names in the code, and its parts."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

COMPOUND = frozenset("+ - * / % & | ^ << >>".split())
"""The operators that form a compound assignment with `=`, such as `+=`."""
_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>//|/\*)
    | (?P<raw>(?:u8|[uUL])?R")
    | (?P<literal>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|[uUL]?'(?:[^'\\\n]|\\.)+')
    | (?P<name>[^\W\d]\w*)
    | (?P<separated>\.?[0-9](?:[eEpP][+-]|[\w.])*')
    | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
    | (?P<sign>->|==|!=|<=|>=|&&|\|\||<<|>>|\+\+|--|%:|<:|:>|<%|%>|[-+*/%&|^~!<>=?:.,;()\[\]{}\#"'\\])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_MEMBER = r"(?a)(?!self\s*->)[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[[\w +*-]+\])*"
remembered = lru_cache(maxsize=1024)
"""A cache for functions that analyse C code. Many rules examine the same code in quick succession."""


class Token(NamedTuple):
    kind: Literal["comment", "raw", "literal", "name", "separated", "number", "sign", "other"]
    text: str


def fold(text: str) -> str:
    """Joins a value of several lines to one line."""
    lines = text.splitlines()
    return lines[0].strip() if len(lines) == 1 else " ".join([line for line in map(str.strip, lines) if line])


@remembered
def tokens(text: str) -> tuple[Token, ...]:
    """Splits C code into tokens. An unclosed quote is the last token, because the code after it is meaningless."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        found.append(Token(kind, match.group()))  # type: ignore[arg-type]
        if match.group() in ('"', "'"):
            break
    return tuple(found)


def spans(text: str) -> list[tuple[int, int]]:
    """Returns the start and end of each token of `tokens`."""
    return [match.span() for match in _TOKEN.finditer(text) if match.lastgroup != "space"]


def pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yields the text and the place of each token between two places."""
    for match in _TOKEN.finditer(text, start, end):
        if match.lastgroup != "space":
            yield match.group(), match.start()


@remembered
def names(text: str) -> tuple[str, ...]:
    """Returns the names of things in scope. Members (`x.name`, `x->name`) and called functions do not count."""
    return tuple(_names(tokens(text)))


def evaluated(text: str) -> tuple[Token, ...]:
    """Returns the tokens without the operands of `sizeof`, whose values do not matter."""
    seen = tokens(text)
    if "sizeof" not in text:
        return seen
    left: list[Token] = []
    index = 0
    while index < len(seen):
        left.append(seen[index])
        index = behind_operand(seen, index + 1) if seen[index].text == "sizeof" else index + 1
    return tuple(left)


def evaluated_names(text: str) -> tuple[str, ...]:
    """Returns the names outside the operands of `sizeof`."""
    return tuple(_names(evaluated(text)))


def _names(tokens: tuple[Token, ...]) -> Iterator[str]:
    seen = (*tokens, Token("sign", ""))
    for index, token in enumerate(seen[:-1]):
        called = seen[index + 1].text == "("
        member = index > 0 and seen[index - 1].text in (".", "->")
        if token.kind == "name" and not called and not member:
            yield token.text


def behind_operand(seen: tuple[Token, ...], index: int) -> int:
    """Returns the index after the operand that begins at `index`: `*v`, `(T)`, `self->size[0]`."""
    depth = 0
    while index < len(seen):
        token = seen[index]
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.text, 0)
        if depth < 0:
            return index
        following = seen[index + 1].text if index + 1 < len(seen) else ""
        ends = token.kind in ("name", "number", "literal") or token.text in (")", "]")
        index += 1
        if ends and depth == 0 and following not in ("->", ".", "[", "("):
            break
    return index


def mentions(text: str, name: str) -> bool:
    """Returns whether `name` is one of the `names`."""
    return name in text and name in names(text)


def change(text: str) -> str | None:
    """Returns the first assignment operator outside braces, or None. Braces can contain designators and statements."""
    if "=" not in text and "++" not in text and "--" not in text:
        return None
    depth, before = 0, ""
    for token in tokens(text):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if depth == 0 and token.text in ("=", "++", "--"):
            return before + token.text if before in COMPOUND else token.text
        before = token.text
    return None


def split(text: str, signs: Container[str]) -> tuple[list[str], list[str]]:
    """Splits the code at each of `signs` outside brackets. Returns the parts and the signs between them."""
    parts, found = [""], []
    depth = start = 0
    for match in _TOKEN.finditer(text):
        sign = match.group()
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0 and sign in signs:
            parts[-1] = text[start : match.start()].strip()
            parts.append("")
            found.append(sign)
            start = match.end()
    parts[-1] = text[start:].strip()
    return parts, found


def open_parentheses(text: str) -> int:
    """Returns how many more `(` than `)` stand outside literals."""
    return sum({"(": 1, ")": -1}.get(token.text, 0) for token in tokens(text) if token.kind == "sign")


def is_member(text: str) -> bool:
    """Returns whether `text` can follow `self->` on the left of an assignment to a member."""
    return re.fullmatch(_MEMBER, text) is not None

"""Small pieces of C that several parts of a binding are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dlpack_bindgen import ctext
from dlpack_bindgen.binding import Refusal
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.quote import c_string
from dlpack_bindgen.spec import Check

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TIGHT = frozenset({"->", ".", "(", ")", "[", "]", ","})
_LOOSE = frozenset({"&&", "||", "?", ",", "=", "!", *_OPPOSITES})
_NAME = re.compile(r'''"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|(?P<member>(?:->|\.)\s*)?\b(?P<name>[A-Za-z_]\w*)''')
_NUMBER = re.compile(r"\d+", re.ASCII)


def integer(expression: str) -> str:
    return f"DLB_INTEGER({expression})"


def is_number(expression: str) -> bool:
    return _NUMBER.fullmatch(expression) is not None


def dtype_literal(name: str) -> str:
    return f"DLB_DTYPE({DTYPES[name].code}, {DTYPES[name].bits})"


def equals(expression: str, key: str) -> str:
    """Rule 2: keys are compared with `==`, string literals with `strcmp`."""
    if key.startswith('"'):
        return f"strcmp({expression}, {key}) == 0"
    return f"{_operand(expression)} == {_operand(key)}"


def _operand(expression: str) -> str:
    """`expression` so that a comparison beside it binds less tightly."""
    signs = {token.text for token in ctext.tokens(expression) if token.kind == "sign"}
    return expression if signs <= _TIGHT else f"({expression})"


def negate(condition: str) -> str:
    """The opposite of a condition, as a person would write it where that is plain to see."""
    depth = 0
    found = []
    for token in ctext.tokens(condition):
        if token.kind != "sign":
            continue
        if token.text in "([{":
            depth += 1
        elif token.text in ")]}":
            depth -= 1
        elif depth == 0 and token.text in _LOOSE:
            found.append(token.text)
    if len(found) == 1 and found[0] in _OPPOSITES and condition.count(f" {found[0]} ") == 1:
        left, right = condition.split(f" {found[0]} ")
        return f"{left} {_OPPOSITES[found[0]]} {right}"
    return f"!({condition})"


def refusals(checks: Iterable[Check]) -> tuple[Refusal, ...]:
    return tuple(Refusal(negate(c.expr), c_string(c.message or f"{c.expr} does not hold")) for c in checks)


def replace_names(expression: str, replacements: Mapping[str, str]) -> str:
    """`expression` with some of its names replaced, outside literals and not where they name members."""

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        return match.group() if name is None or match["member"] else replacements.get(name, name)

    return _NAME.sub(replaced, expression)


def statement(text: str) -> str:
    """A statement of the spec, ended."""
    return text if text.endswith((";", "}")) else f"{text};"

"""Small pieces of C that several parts of a binding are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dlpack_bindgen import ctext
from dlpack_bindgen.binding import Refusal
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.quote import c_string
from dlpack_bindgen.spec import Check

_OPPOSITES = {"==": "!=", "!=": "=="}
_LOOSE = frozenset({"==", "!=", "&", "^", "|", "&&", "||", "?", "=", "!"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_LITERAL = r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'"""
_NAME = re.compile(rf"{_LITERAL}|(?P<member>(?:->|\.)\s*)?\b(?P<name>[A-Za-z_]\w*)")
_RESULT = re.compile(rf"{_LITERAL}|(?P<result>%)")
_BLOCK = re.compile(r"\{|(if|for|while|switch)\b")
_NUMBER = re.compile(r"\d+", re.ASCII)


def argument(expression: str) -> str:
    """`expression` as one argument of a macro, which would be split at the commas of a compound literal."""
    return f"({expression})" if "{" in expression else expression


def integer(expression: str) -> str:
    return f"DLB_INTEGER({argument(expression)})"


def subtracts(expression: str) -> bool:
    """Whether the value of `expression` is a difference or negated, outside of indices and of arguments of calls."""
    hidden: list[bool] = []
    before = ctext.Token("sign", "")
    for token in ctext.tokens(expression):
        if token.text in _OPENING:
            hidden.append(token.text == "[" or before.kind == "name" or before.text in _CLOSING)
        elif token.text in _CLOSING:
            hidden.pop()
        elif token.text == "-" and not any(hidden):
            return True
        before = token
    return False


def is_number(expression: str) -> bool:
    return _NUMBER.fullmatch(expression) is not None


def dtype_literal(name: str) -> str:
    return f"DLB_DTYPE({DTYPES[name].code}, {DTYPES[name].bits})"


def equals(expression: str, key: str) -> str:
    """Rule 2: keys are compared with `==`, string literals with `strcmp`."""
    if key.startswith(('"', 'u8"')):
        return f"strcmp({expression}, {key}) == 0"
    return f"{operand(expression)} == {operand(key)}"


def operand(expression: str) -> str:
    """`expression` so that an operator beside it binds less tightly."""
    tokens = [*ctext.tokens(expression)]
    unary = len(tokens) > 1 and tokens[0].text in ("-", "~", "&", "*")
    return f"({expression})" if _outer_signs(tokens[unary:]) - {"->", "."} else expression


def _outer_signs(tokens: Iterable[ctext.Token]) -> set[str]:
    """The operators outside all brackets."""
    depth = 0
    found = set()
    for token in tokens:
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
        elif depth == 0 and token.kind == "sign":
            found.add(token.text)
    return found


def negate(condition: str) -> str:
    """The opposite of a condition, as a person would write it where that is plain to see.

    `a < b` is not among them: with a number that is none, its opposite is not `a >= b`."""
    tokens = [*ctext.tokens(condition)]
    for sign, opposite in _OPPOSITES.items():
        left, between, right = condition.partition(f" {sign} ")
        parts = [*ctext.tokens(left)], [*ctext.tokens(right)]
        cut = [*parts[0], ctext.Token("sign", sign), *parts[1]] == tokens  # and not inside a literal
        if between and cut and _depth(parts[0]) == 0 and not _LOOSE & (_outer_signs(parts[0]) | _outer_signs(parts[1])):
            return f"{left} {opposite} {right}"
    return f"!({condition})"


def _depth(tokens: Iterable[ctext.Token]) -> int:
    return sum((token.text in _OPENING) - (token.text in _CLOSING) for token in tokens)


def refusals(checks: Iterable[Check]) -> tuple[Refusal, ...]:
    return tuple(Refusal(negate(c.expr), c_string(c.message or f"{c.expr} does not hold")) for c in checks)


def replace_names(expression: str, replacements: Mapping[str, str]) -> str:
    """`expression` with some of its names replaced, outside literals and not where they name members."""

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        return match.group() if name is None or match["member"] else replacements.get(name, name)

    return _NAME.sub(replaced, expression)


def replace_result(condition: str) -> str:
    """An `ok` condition of the spec with `result` in the place of `%`, outside literals."""
    return _RESULT.sub(lambda match: "result" if match["result"] else match.group(), condition)


def statement(text: str) -> str:
    """A statement of the spec, ended."""
    ended = text.endswith(";") or (text.endswith("}") and _BLOCK.match(text) is not None)
    return text if ended else f"{text};"

"""Literals of C, and whether a variable can hold them. The compiler checks other values."""

from __future__ import annotations

import re
from typing import Literal

from dlpack_bindgen.c.integers import bare_integer
from dlpack_bindgen.c.types import NumberKind, family

Fit = Literal["fits", "differs", "unknown"]
"""`differs`: C would convert the literal to another number."""

_FLOATING = r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?[fFlL]?"
_CHARACTER = r"'(?:[ -~]|\\[abfnrtv0'\"\\?])'"
_ESCAPES = {**dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True)), "0": "\0"}
_SIZE = r"sizeof\s*\([\w\s*]+\)"
_WIDTHS = {
    "signed char": (8, 8),
    "unsigned char": (8, 8),
    "short": (16, 16),
    "unsigned short": (16, 16),
    "int": (32, 32),
    "unsigned int": (32, 32),
    "long long": (64, 64),
    "unsigned long long": (64, 64),
    **{f"{sign}int{bits}_t": (bits, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{f"{sign}intmax_t": (64, 64) for sign in ("", "u")},
}
_ADDRESSES = (32, 64)
"""The minimum and maximum width, in bits, of all other types. They are as wide as a `long` or an address."""
_SMALLEST = range(128)
"""The numbers that every integer type can hold."""


def fit(value: str, base: str, kind: NumberKind | None) -> Fit:
    """Returns whether a variable can hold `value`. `base`: the C type of a variable by value; `kind`: the kind of its
    values, None if unknown."""
    number = bare_integer(value)
    if kind == "bool":
        return "differs" if is_floating(value) or (number is not None and number not in (0, 1)) else "fits"
    if kind in ("float", "complex"):
        return "fits"
    if is_floating(value):
        return "differs" if kind is not None else "unknown"
    known = family(base) in ("int", "char")
    if number is None:
        return "fits" if re.fullmatch(_CHARACTER, value) or (known and re.fullmatch(_SIZE, value)) else "unknown"
    if number in _SMALLEST or not known:
        return "fits" if number in _SMALLEST else "unknown"
    if base == "char":
        return "unknown" if number in range(-128, 256) else "differs"
    fewest, most = _WIDTHS.get(base, _ADDRESSES)
    if number in _range(base, fewest):
        return "fits"
    return "unknown" if number in _range(base, most) else "differs"


def character(value: str) -> str | None:
    """Returns the character of a literal such as `'a'`, or None for another expression."""
    if re.fullmatch(_CHARACTER, value) is None:
        return None
    return _ESCAPES.get(value[2], value[2]) if value[1] == "\\" and len(value) == 4 else value[1]


def is_floating(value: str) -> bool:
    return re.fullmatch(_FLOATING, value) is not None


def _range(base: str, bits: int) -> range:
    unsigned = base.startswith(("unsigned ", "uint")) or base == "size_t"
    return range(1 << bits) if unsigned else range(-(1 << (bits - 1)), 1 << (bits - 1))

"""Checks of `bytes` lengths for C pointers to types that only the compiler knows. C counts elements of such a type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.bind.functions.elements import constant_row
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import lengths
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import mentions, operand
from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import BYTES
from dlpack_bindgen.validate.functions.calls import Call


def given(key: str, argument: Argument, function: Call) -> list[Assertion]:
    """Returns assertions for the counts of one argument.

    A count of bytes equals a count of elements only if an element is one byte. `size_of`, `sizeof` in a count, and
    rows of whole elements are right for elements of every size.
    """
    if not argument.kind.is_bytes or argument.ctype.base in BYTES:
        return []
    return list(_assertions(key, argument, function))


def _assertions(key: str, argument: Argument, function: Call) -> Iterator[Assertion]:
    kind, name, base = argument.kind, argument.name, argument.ctype.base
    points = f"but {name} points to {base}"
    row = _row(argument, function)
    for each in function.arguments:
        number, measure = each.name, each.kind.measure
        if measure is None or measure.of != name:
            continue
        remedy = _remedy(argument, measure, bool(row))
        if remedy is not None:
            yield _one_byte(base, f"{key}.{number}: {measure.what}_of counts bytes, {points}: {remedy}")
    count = kind.require.count
    if count is not None and not _says_bytes(count, function):
        remedy = f"write count: {operand(count)} * sizeof({base}), or * sizeof(char) for a number of bytes"
        yield _one_byte(base, f"{key}.{name}: count: {count} counts bytes, {points}: {remedy}")
    if row:
        whole = " * ".join(map(operand, row))
        text = f"{key}.{name}: a row of {whole} bytes is not a whole {base}"
        yield Assertion("WHOLE", (base, whole), text)
    elif kind.require.shape is not None and not any(_says_bytes(each, function) for each in kind.require.shape):
        shape = ", ".join(kind.require.shape)
        remedy = f"write shape: [{shape}, sizeof({base})]"
        yield _one_byte(base, f"{key}.{name}: shape: [{shape}] counts bytes, {points}: {remedy}")
    made = argument.kind.new_output
    if made is not None and made.like is not None and not any(lengths(argument)) and not _is_bytes(made.like, function):
        remedy = f"write default: new, and require count: N * sizeof({base})"
        what = f"default: like {made.like} makes one byte for each element"
        yield _one_byte(base, f"{key}.{name}: {what}, {points}: {remedy}")


def _one_byte(base: str, text: str) -> Assertion:
    return Assertion("SIZE", (base, "1"), text)


def _remedy(argument: Argument, measure: Measure, has_rows: bool) -> str | None:
    """Returns a suggestion for the measure if elements have several bytes.

    None means that the measure is already right.
    """
    rows = f"shape: [N, sizeof({argument.ctype.base})]"
    if measure.what == "count":
        return f"use size_of, or extent_of and require {rows}"
    if measure.what == "extent" and not has_rows:
        return f"use size_of, or require {rows}"
    if measure.what == "stride" and not measure.in_bytes:
        return "write unit: bytes"
    return None


def _row(argument: Argument, function: Call) -> Sequence[str]:
    """Returns the extents of a row of constant size, in bytes. The first axis counts such rows."""
    return constant_row((argument.kind.require.shape or ())[1:], function)


def _says_bytes(length: str, function: Call) -> bool:
    """Returns whether a length is clearly in bytes: it contains `sizeof` or a parameter that counts bytes."""
    if _has_sizeof(length):
        return True
    for each in function.arguments:
        measure = each.kind.measure
        counts_bytes = (measure is not None and measure.what == "size") or _has_sizeof(each.kind.value or "")
        if counts_bytes and mentions([length], each.name):
            return True
    return False


def _has_sizeof(text: str) -> bool:
    return any(token.text == "sizeof" for token in ctext.tokens(text))


def _is_bytes(name: str, function: Call) -> bool:
    return any(each.name == name and each.kind.is_bytes for each in function.arguments)

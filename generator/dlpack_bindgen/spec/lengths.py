"""How long a spec says that the arrays of a function are, and in which order that, values and conditions are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import is_number, mentions, operand
from dlpack_bindgen.c.names import C_KEYWORDS
from dlpack_bindgen.c.types import BYTES
from dlpack_bindgen.spec.functions import Argument, Array, Derived, Fixed, Object, Raw, capacity, is_made_late
from dlpack_bindgen.spec.requirements import Check

Item = TypeVar("Item", Argument, Check)


def lengths(argument: Argument) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The extents that it must have, and numbers of elements, as C expressions. An array of so many elements in its C
    type, if that is a number, is counted where it is converted, or made; a table of so many rows has its shape."""
    kind = argument.kind
    if not isinstance(kind, Object | Raw | Array):
        return (), ()
    capacity = prototype_length(argument) if isinstance(kind, Array) and not kind.rows else None
    said = capacity if capacity and (is_made_late(argument) or not is_number(capacity)) else None
    return kind.require.shape or (), tuple(count for count in (kind.require.count, said) if count is not None)


def prototype_length(argument: Argument) -> str | None:
    """Returns the length that the prototype gives. It counts elements of the C type. An argument of `bytes` is counted
    in bytes, so the length is multiplied by the size of a type that only the compiler knows."""
    length, base = argument.ctype.length, argument.ctype.base
    if length and isinstance(argument.kind, Array) and argument.kind.is_bytes and base not in BYTES:
        return f"{operand(length)} * sizeof({base})"
    return length


Step = list[Argument] | list[Check]
"""What is done at once: values, lengths, or conditions."""


class Order(NamedTuple):
    first: list[Argument]
    """Values that are there before any array is known."""
    steps: list[Step]
    left: list[Argument]
    """Values and lengths of which nothing is ever known."""


def late_measures(arguments: Sequence[Argument]) -> list[Argument]:
    """What is known of arrays that are made once their lengths are known, and so after those."""
    made = [each.name for each in arguments if is_made_late(each)]
    return [each for each in arguments if isinstance(each.kind, Derived) and each.kind.of in made]


def in_order(arguments: Sequence[Argument], require: Sequence[Check] = ()) -> Order:
    """Values, lengths and conditions, each after those that it reads: `offsets[n]` is there once `n` has its value and
    `offsets` is known to be so long. What calls something, or looks into an object, could read more than is there: it
    comes after the conditions that can be tested by then, and if possible after the lengths of what it looks into."""
    values = [each for each in arguments if isinstance(each.kind, Fixed) and not each.ctype.is_function]
    values += late_measures(arguments)
    lengthy = [each for each in arguments if any(lengths(each)) or capacity(each)]
    plain = [each for each in values if _is_plain(each)]
    first = _take(plain, values, [each for each in arguments if isinstance(each.kind, Array | Derived)])
    values = [each for each in values if each not in first]
    required = list(require)
    steps: list[Step] = []
    while True:
        arrays = [each for each in lengthy if isinstance(each.kind, Array) or is_made_late(each) or capacity(each)]
        plain = [each for each in lengthy if _is_plain(each)]
        found: Step = (
            _take(plain, values, arrays)
            or _take(required, values, arrays)
            or _take(values, values, lengthy)
            or _take(lengthy, values, lengthy)
            or _take(lengthy, values, arrays)
            or _take(values, values, arrays)
        )
        if not found:
            return Order(first, steps, [*values, *lengthy])
        lengthy = [each for each in lengthy if each not in found]
        steps.append(found)


def _take(left: list[Item], *unknown: Sequence[Argument]) -> list[Item]:
    """Removes those that read nothing unknown, one after the other."""
    found: list[Item] = []
    while ready := [each for each in left if not any(reads(each, others) for others in unknown)]:
        found += ready
        left[:] = [each for each in left if each not in ready]
    return found


def texts(item: Argument | Check) -> tuple[str, ...]:
    """What it is made of: a value, lengths, a room, a condition and its message; a measure of its array."""
    if isinstance(item, Check):
        return (item.expr, item.error) if item.error is not None else (item.expr,)
    if isinstance(item.kind, Derived):
        return (item.kind.of,)
    if found := capacity(item):
        return (found,)
    return (item.kind.value,) if isinstance(item.kind, Fixed) else sum(lengths(item), ())


def reads(item: Argument | Check, others: Sequence[Argument]) -> bool:
    """Whether it is made of one of these: values, numbers of an array, what is in an array or an object."""
    found = texts(item)
    return any(
        mentions(found, other.name) for other in others if other is not item or isinstance(other.kind, Array | Derived)
    )


def _is_plain(argument: Argument) -> bool:
    """Whether nothing is called, and nothing read through a pointer."""
    for text in texts(argument):
        before = ctext.Token("sign", "")
        for token in ctext.evaluated(text):
            is_call = token.text == "(" and before.kind == "name" and before.text not in C_KEYWORDS
            is_read = token.text == "*" and before.kind == "sign" and before.text not in (")", "]")
            if is_call or is_read or token.text in ("[", "->", "."):
                return False
            before = token
    return True

"""The lengths of a function's arrays, and the order in which lengths, values and conditions are evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import is_number, mentions, operand
from dlpack_bindgen.text.names import C_KEYWORDS
from dlpack_bindgen.text.types import BYTES

Item = TypeVar("Item", Argument, Check)


def lengths(argument: Argument) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the required extents and the required numbers of elements, as C expressions. A constant length in the
    prototype is left out: it is checked where the array is converted or allocated. An array of rows is checked by its
    shape."""
    kind = argument.kind
    if kind.is_list:
        return (), ()
    capacity = prototype_length(argument) if kind.is_pointer and not kind.rows else None
    declared = capacity if capacity and (argument.kind.is_made_late or not is_number(capacity)) else None
    return kind.require.shape or (), tuple(count for count in (kind.require.count, declared) if count is not None)


def prototype_length(argument: Argument) -> str | None:
    """Returns the length that the prototype gives. It counts elements of the C type. An argument of `bytes` is counted
    in bytes, so the length is multiplied by the size of a type that only the compiler knows."""
    length, base = argument.ctype.length, argument.ctype.base
    if length and argument.kind.is_bytes and base not in BYTES:
        return f"{operand(length)} * sizeof({base})"
    return length


Step = list[Argument] | list[Check]
"""Items that are evaluated together: values, lengths, or conditions."""


class Order(NamedTuple):
    first: list[Argument]
    """Values that are known before any array."""
    steps: list[Step]
    left: list[Argument]
    """Values and lengths that can never be evaluated, because they depend on each other."""


def late_measures(arguments: Sequence[Argument]) -> list[Argument]:
    """Returns the derived arguments of arrays that are allocated after their lengths are known."""
    made = [each.name for each in arguments if each.kind.is_made_late]
    return [each for each in arguments if each.kind.measure is not None and each.kind.measure.of in made]


def in_order(arguments: Sequence[Argument], require: Sequence[Check] = ()) -> Order:
    """Orders values, lengths and conditions so that each follows the ones that it reads. For example, `offsets[n]` is
    read after `n` has its value and the length of `offsets` is checked. A call, or access to an object, could read too
    far. It therefore follows all conditions that can be tested earlier and, if possible, the lengths of the arrays and
    objects that it reads."""
    values = [each for each in arguments if each.kind.value is not None and not each.ctype.is_function]
    values += late_measures(arguments)
    lengthy = [each for each in arguments if any(lengths(each)) or each.kind.capacity]
    plain = [each for each in values if _is_plain(each)]
    first = _take(plain, values, [each for each in arguments if each.kind.is_read_late])
    values = [each for each in values if each not in first]
    required = list(require)
    steps: list[Step] = []
    while True:
        arrays = [each for each in lengthy if each.kind.has_elements or each.kind.is_made_late or each.kind.capacity]
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
    """Removes the items that read no unknown argument from `left`, repeatedly, and returns them."""
    found: list[Item] = []
    while ready := [each for each in left if not any(reads(each, others) for others in unknown)]:
        found += ready
        left[:] = [each for each in left if each not in ready]
    return found


def expressions(item: Argument | Check) -> tuple[str, ...]:
    """Returns the C expressions of an item: its value, lengths or capacity, its condition and message, or the array
    that it is derived from."""
    if isinstance(item, Check):
        return (item.expr, item.error) if item.error is not None else (item.expr,)
    if item.kind.measure is not None:
        return (item.kind.measure.of,)
    if found := item.kind.capacity:
        return (found,)
    return (item.kind.value,) if item.kind.value is not None else sum(lengths(item), ())


def reads(item: Argument | Check, others: Sequence[Argument]) -> bool:
    """Returns whether the item reads one of `others`: a value, a derived argument, or the content of an array or
    object."""
    found = expressions(item)
    return any(mentions(found, other.name) for other in others if other is not item or other.kind.is_read_late)


def _is_plain(argument: Argument) -> bool:
    """Returns whether the expressions of an argument call no function and dereference no pointer."""
    for text in expressions(argument):
        before = ctext.Token("sign", "")
        for token in ctext.evaluated(text):
            is_call = token.text == "(" and before.kind == "name" and before.text not in C_KEYWORDS
            is_read = token.text == "*" and before.kind == "sign" and before.text not in (")", "]")
            if is_call or is_read or token.text in ("[", "->", "."):
                return False
            before = token
    return True

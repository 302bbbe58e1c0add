"""Lengths of arrays, and elements that C code reads: the order in which they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple, TypeVar

from dlpack_bindgen.calls.kind import Argument, Measure, ParameterEntry
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.expressions import Element, Reads
from dlpack_bindgen.text.expressions import reads as reads_of_text
from dlpack_bindgen.text.fragments import is_number, mentions, operand
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.text.names import C_KEYWORDS, suggests
from dlpack_bindgen.text.types import BYTES

# ---- The lengths of a function's arrays, and the order in which lengths, values and conditions are evaluated ----

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


# ---- Elements of arrays and strings that C code of a function reads before the call ----
# Python gives their lengths.


class Elements:
    def __init__(self, arguments: Sequence[Argument]) -> None:
        arrays = [argument for argument in arguments if argument.kind.has_elements]
        self._tensors = [argument.name for argument in arguments if argument.kind.is_dltensor]
        self._depths = {argument.name: max(1, len(argument.ctype.extents)) for argument in arrays}
        self._known = {argument.name: _least(argument) for argument in arrays}

    def reads(self, text: str) -> Reads:
        return reads_of_text(text, self._depths, self._tensors)

    def unknown(self, text: str) -> list[Element]:
        """Returns the elements that may lie outside their arrays."""
        return [each for each in self.reads(text).elements if not self._is_known(each)]

    def _is_known(self, element: Element) -> bool:
        index = integer_value(element.indices[0])
        return len(element.indices) == 1 and index is not None and 0 <= index < self._known[element.array]


def _least(argument: Argument) -> int:
    """Returns the guaranteed number of contiguous elements that the CPU can read."""
    kind = argument.kind
    if kind.least_elements is not None:
        return kind.least_elements
    if kind.optional or kind.require.devices != ("cpu",) or kind.require.dtypes:
        return 0
    shape, counts = lengths(argument)
    known = [integer_value(count) or 0 for count in (*counts, argument.ctype.length or "0")]
    return max(0, *known, prod(integer_value(extent) or 0 for extent in shape) if shape else 0)


# ---- Lengths of the arrays of a function ----
# C reads past the end of an array whose length the spec does not declare.


def implied(
    entries: Sequence[ParameterEntry], arguments: Sequence[Argument | None], known: Sequence[str]
) -> tuple[Argument | None, ...]:
    """Returns the arguments with implied lengths, shapes and capacities.

    If exactly one array of the function is counted, arrays of its C type without a declared length get its count.
    Parameters that may be undeclared lengths prevent this. Arrays of arrays get the shape of their C type. `known` are
    the arguments and params of the call. A capacity that depends on them is unknown to the compiler.
    """
    arguments = [_completed(argument, arguments, known) if argument else None for argument in arguments]
    counted = _counted(arguments)
    pairs = [(each, argument) for each, argument in zip(entries, arguments, strict=True) if argument]
    free = any(is_free(each, argument) or of_array(each, argument, arguments) for each, argument in pairs)
    if counted is None or free:
        return tuple(arguments)
    of, count = counted
    return tuple(
        replace(argument, kind=argument.kind.counted(count))
        if argument is not None
        and argument.ctype.base == of.ctype.base
        and is_open(each, argument, arguments)
        and not (argument.kind.rows or argument.kind.is_bytes)
        else argument
        for each, argument in zip(entries, arguments, strict=True)
    )


def _completed(argument: Argument, arguments: Sequence[Argument | None], known: Sequence[str]) -> Argument:
    """Returns the argument with the shape or the capacity that its C type implies."""
    extents: dict[int, str] = {}
    for each in arguments:
        measure = each.kind.measure if each else None
        if each and measure and (measure.what, measure.of, measure.plus) == ("extent", argument.name, 0):
            extents.setdefault(measure.axis, each.name)
    return replace(argument, kind=argument.kind.completed(argument.ctype, extents, known))


def is_open(each: ParameterEntry, argument: Argument, arguments: Sequence[Argument | None]) -> bool:
    """Returns whether the length of the array is not declared.

    `of: array` and an empty `require` declare that the function knows the length. `of: bytes` does not, because a
    `void *` needs it to accept bytes at all, and `of: records` only says that there is no object.
    """
    if not argument.kind.is_pointer or argument.kind.require.shape is not None:
        return False
    if argument.kind.rows:
        return not {0, 1} <= {of.axis for of in _measures(arguments) if of.of == argument.name and of.what == "extent"}
    if argument.ctype.length:
        return False
    if argument.ctype.extents:
        return True
    is_unbounded = each.requires_nothing or (each.name is not None and each.name.text not in ("bytes", "records"))
    if is_unbounded or argument.kind.require.count is not None:
        return False
    return not any(of.of == argument.name and of.is_length for of in _measures(arguments))


def is_extent(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length or an extent, such as `rows`."""
    return is_free(each, argument) or (is_undeclared_integer(each, argument) and suggests(argument.name, "extent"))


def is_free(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length."""
    return is_undeclared_integer(each, argument) and suggests(argument.name, "length")


def is_capacity(each: ParameterEntry, argument: Argument, filled: str) -> bool:
    """Returns whether the name of an undeclared integer means the capacity of the buffer `filled`.

    `dstCapacity` is the capacity of `dst`. `capacity` alone is the capacity of any buffer.
    """
    is_named = suggests(argument.name, "capacity") or suggests(argument.name, "capacity of", filled)
    return is_named and is_undeclared_integer(each, argument)


def is_count(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the name of an undeclared integer means only a count: `n`, but not `n_threads`."""
    return is_free(each, argument) and suggests(argument.name, "count")


def is_number_out(argument: Argument) -> bool:
    """Returns whether the argument is an `out` for one number."""
    value, ctype = argument.kind.returned, argument.ctype
    is_one = ctype.depth == 1 and ctype.length is None and not ctype.extents
    return value is not None and value.kind.is_number and is_one


def of_array(each: ParameterEntry, argument: Argument, arguments: Sequence[Argument | None]) -> str | None:
    """Returns the array whose length the name means, or None: `x` for `nx`, `x_len` or `num_x`."""
    if not is_undeclared_integer(each, argument) or suggests(argument.name, "extent"):
        return None
    arrays = [other.name for other in arguments if other and other.kind.is_pointer]
    return max((name for name in arrays if suggests(argument.name, "length of", name)), key=len, default=None)


def is_stride(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a stride."""
    return is_undeclared_integer(each, argument) and suggests(argument.name, "stride")


def is_undeclared_integer(each: ParameterEntry, argument: Argument) -> bool:
    is_declared = each.name is not None or each.has_entry or each.is_bounded
    return not is_declared and argument.kind.is_integer and argument.ctype.depth == 0


def _measures(arguments: Sequence[Argument | None]) -> list[Measure]:
    return [measure for each in arguments if each is not None and (measure := each.kind.measure)]


def _counted(arguments: Sequence[Argument | None]) -> tuple[Argument, str] | None:
    """Returns the only counted array and the name of its count, or None.

    Returns None as well if another parameter is a length, a size or an extent.
    """
    measures = [(each.name, each.kind.measure) for each in arguments if each is not None]
    found = [(name, measure) for name, measure in measures if measure is not None and measure.is_length]
    if len(found) != 1 or found[0][1].plus:
        return None
    name, measure = found[0]
    of = next((each for each in arguments if each and each.name == measure.of), None)
    if of is None or not of.kind.is_pointer or of.kind.is_bytes or of.kind.rows:
        return None
    one_axis = measure.axis == 0 and of.kind.require.ndim in (None, (1, 1))
    is_count = measure.what == "count" or (measure.what == "extent" and one_axis)
    return (of, name) if is_count else None

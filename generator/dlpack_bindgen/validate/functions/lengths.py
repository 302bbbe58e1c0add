"""Lengths of the arrays of a function.

C reads past the end of an array whose length the spec does not declare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.text.types import as_number


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
    return value is not None and as_number(value.kind or "") is not None and is_one


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

"""Lengths of the arrays of a function.

C reads past the end of an array whose length the spec does not declare.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.derived import Derived
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.names import ROWS
from dlpack_bindgen.c.types import as_number
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.validate.functions.given import Given

MOST_ON_STACK = 65536
"""The limit of one argument on the stack, in bytes."""
LENGTHS = ("count", "size", "extent")
_LENGTH = r"(?i)n|nnz|(?:\w*_)?(?:len|length|count|size|num|nelems?|numel|elements|samples)|(?:n|num)_\w+"
_CALL = r"\b(?!sizeof\b)[A-Za-z_]\w*\s*\("
_COUNT = r"(?i)n|(?:len|length|count|num|nelems?|numel|elements|samples)"
_CAPACITY = r"(?:\w+_)?(?:capacity|cap|room|avail|out_?len|out_?size)|\w*[a-z](?:Capacity|Cap|Storage|Avail)"
_SIZE = r"_?(?:len|length|size|cap|capacity|room|max|n|count)"
_STRIDE = rf"(?i:inc[a-z]?|ld[a-z])|(?i:\w*(?:strides?|{ROWS}))(?:[A-Z_]\w*)?"
_EXTENTS = frozenset("m n k l h w rows cols columns width height depth nx ny nz".split())


def implied(
    given: Sequence[Given], arguments: Sequence[Argument | None], known: Sequence[str]
) -> tuple[Argument | None, ...]:
    """Returns the arguments with implied lengths, shapes and capacities.

    If exactly one array of the function is counted, arrays of its C type without a declared length get its count.
    Parameters that may be undeclared lengths prevent this. Arrays of arrays get the shape of their C type. `known` are
    the arguments and params of the call. A capacity that depends on them is unknown to the compiler.
    """
    arguments = [_with_capacity(_shaped(argument, arguments), known) if argument else None for argument in arguments]
    counted = _counted(arguments)
    pairs = [(each, argument) for each, argument in zip(given, arguments, strict=True) if argument]
    free = any(is_free(each, argument) or of_array(each, argument, arguments) for each, argument in pairs)
    if counted is None or free:
        return tuple(arguments)
    of, count = counted
    return tuple(
        _with_count(argument, count)
        if argument is not None
        and argument.ctype.base == of.ctype.base
        and is_open(each, argument, arguments)
        and not is_table(argument)
        and not is_bytes(argument)
        else argument
        for each, argument in zip(given, arguments, strict=True)
    )


def _shaped(argument: Argument, arguments: Sequence[Argument | None]) -> Argument:
    """Returns the argument with its implied shape.

    The number of rows comes from the C type, from the parameter that is the extent of axis 0, or from the spec.
    """
    kind, extents = argument.kind, argument.ctype.extents
    if not isinstance(kind, Array):
        return argument
    if kind.rows and argument.ctype.length and kind.require.shape is None:
        columns = [each.name for each in arguments if each and each.kind == Derived("extent", argument.name, 1)]
        found = (argument.ctype.length, columns[0]) if columns else None
        return replace(argument, kind=replace(kind, require=replace(kind.require, shape=found)))
    if not extents:
        return argument
    own = kind.require.shape or ("",)
    rows = [each.name for each in arguments if each and each.kind == Derived("extent", argument.name, 0)]
    first = extents[0] or next(iter(rows), own[0])
    shape = (first, *extents[1:]) if first else None
    require = replace(kind.require, ndim=(len(extents), len(extents)), shape=shape)
    return replace(argument, kind=replace(kind, require=require))


def _with_capacity(argument: Argument, known: Sequence[str]) -> Argument:
    """Returns the argument with a capacity if its buffer is allocated at run time.

    Small buffers of bytes or characters are on the stack, if the compiler knows their type and size.
    """
    kind, length = argument.kind, argument.ctype.length
    if not length or not isinstance(kind, Out) or kind.kind not in ("bytes", "str", "array"):
        return argument
    if kind.kind == "str" and argument.ctype.depth > 1:
        return argument
    is_large = length.isdecimal() and int(length) > MOST_ON_STACK
    if (
        is_large
        or kind.kind == "array"
        or argument.ctype.base == "void"
        or re.search(_CALL, length)
        or any(ctext.mentions(length, name) for name in known)
    ):
        return replace(argument, kind=replace(kind, capacity=length))
    return argument


def is_open(each: Given, argument: Argument, arguments: Sequence[Argument | None]) -> bool:
    """Returns whether the length of the array is not declared.

    `of: array` and an empty `require` declare that the function knows the length. `of: bytes` does not, because a
    `void *` needs it to accept bytes at all.
    """
    if not isinstance(argument.kind, Array) or argument.kind.require.shape is not None:
        return False
    if argument.kind.rows:
        return not {0, 1} <= {of.axis for of in _measures(arguments) if of.of == argument.name and of.what == "extent"}
    if argument.ctype.length:
        return False
    if argument.ctype.extents:
        return True
    is_unbounded = each.requires_nothing or (each.name is not None and not argument.kind.is_bytes)
    if is_unbounded or argument.kind.require.count is not None:
        return False
    return not any(of.of == argument.name and of.what in LENGTHS for of in _measures(arguments))


def is_table(argument: Argument) -> bool:
    """Returns whether C gets a table of pointers to the rows of the array."""
    return isinstance(argument.kind, Array) and argument.kind.rows


def is_bytes(argument: Argument) -> bool:
    """Returns whether the array is a plain buffer of bytes."""
    return isinstance(argument.kind, Array) and argument.kind.is_bytes


def is_extent(each: Given, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length or an extent, such as `rows`."""
    return is_free(each, argument) or (is_undeclared_integer(each, argument) and argument.name in _EXTENTS)


def is_free(each: Given, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length."""
    return is_undeclared_integer(each, argument) and re.fullmatch(_LENGTH, argument.name) is not None


def is_capacity(each: Given, argument: Argument, filled: str) -> bool:
    """Returns whether the name of an undeclared integer means the capacity of the buffer `filled`.

    `dstCapacity` is the capacity of `dst`. `capacity` alone is the capacity of any buffer.
    """
    rest = argument.name[len(filled) :] if argument.name.lower().startswith(filled.lower()) else ""
    is_named = re.fullmatch(_CAPACITY, argument.name) or re.fullmatch(_SIZE, rest, re.IGNORECASE)
    return bool(is_named) and is_undeclared_integer(each, argument)


def is_count(each: Given, argument: Argument) -> bool:
    """Returns whether the name of an undeclared integer means only a count: `n`, but not `n_threads`."""
    return is_free(each, argument) and re.fullmatch(_COUNT, argument.name) is not None


def is_number_out(argument: Argument) -> bool:
    """Returns whether the argument is an `out` for one number."""
    out, ctype = argument.kind, argument.ctype
    is_one = ctype.depth == 1 and ctype.length is None and not ctype.extents
    return isinstance(out, Out) and as_number(out.kind or "") is not None and is_one


def of_array(each: Given, argument: Argument, arguments: Sequence[Argument | None]) -> str | None:
    """Returns the array whose length the name means, or None: `x` for `nx`, `x_len` or `num_x`."""
    if not is_undeclared_integer(each, argument) or argument.name in _EXTENTS:
        return None
    words = "n|num|len|length|size|count"
    if not re.search(rf"(?i)^(?:{words})|(?:{words})$", argument.name):
        return None
    arrays = [other.name for other in arguments if other and isinstance(other.kind, Array)]
    named = [name for name in arrays if re.fullmatch(rf"(?i)(?:{words})_?{name}|{name}_?(?:{words})", argument.name)]
    return max(named, key=len, default=None)


def is_stride(each: Given, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a stride."""
    return is_undeclared_integer(each, argument) and re.fullmatch(_STRIDE, argument.name) is not None


def is_undeclared_integer(each: Given, argument: Argument) -> bool:
    is_declared = each.name is not None or each.record is not None or each.is_bounded
    return (
        not is_declared
        and isinstance(argument.kind, Number)
        and argument.kind.kind == "int"
        and argument.ctype.depth == 0
    )


def _measures(arguments: Sequence[Argument | None]) -> list[Derived]:
    return [each.kind for each in arguments if each is not None and isinstance(each.kind, Derived)]


def _counted(arguments: Sequence[Argument | None]) -> tuple[Argument, str] | None:
    """Returns the only counted array and the name of its count, or None.

    Returns None as well if another parameter is a length, a size or an extent.
    """
    found = [each for each in arguments if each and isinstance(each.kind, Derived) and each.kind.what in LENGTHS]
    if len(found) != 1 or not isinstance(found[0].kind, Derived) or found[0].kind.plus:
        return None
    measure = found[0].kind
    of = next((each for each in arguments if each and each.name == measure.of), None)
    if of is None or not isinstance(of.kind, Array) or is_bytes(of) or is_table(of):
        return None
    one_axis = measure.axis == 0 and of.kind.require.ndim in (None, (1, 1))
    is_count = measure.what == "count" or (measure.what == "extent" and one_axis)
    return (of, found[0].name) if is_count else None


def _with_count(argument: Argument, count: str) -> Argument:
    kind = argument.kind
    assert isinstance(kind, Array)
    return replace(argument, kind=replace(kind, require=replace(kind.require, count=count)))

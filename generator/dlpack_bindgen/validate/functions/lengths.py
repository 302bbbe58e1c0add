"""How long the arrays of a function are: C reads on wherever nothing says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.names import ROWS
from dlpack_bindgen.c.types import as_number
from dlpack_bindgen.spec.functions import Argument, Array, Derived, Number, Out
from dlpack_bindgen.validate.functions.given import Given

MOST_ON_STACK = 65536
"""Bytes of one argument."""
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
    """Arrays of which the spec says nothing have as many elements as the one of their C type that is counted, if it is
    the only one of the function. Arrays of arrays have the shape of their C type. `known`: what each call knows."""
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
    """How many rows there are is said by the C type, by the parameter that is the extent of the first axis, or by the
    spec."""
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
    """Few bytes and letters lie on the stack, if the compiler knows how many, and that they are bytes."""
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
    """Whether nothing says how long the array is: `of: array`, or an empty `require`, says that the function knows.
    `bytes` says less: of a `void *` it is how Python's are taken at all."""
    if not isinstance(argument.kind, Array) or argument.kind.require.shape is not None:
        return False
    if argument.kind.rows:
        return not {0, 1} <= {of.axis for of in _measures(arguments) if of.of == argument.name and of.what == "extent"}
    if argument.ctype.length:
        return False
    if argument.ctype.extents:
        return True
    is_said = each.requires_nothing or (each.name is not None and not argument.kind.is_bytes)
    if is_said or argument.kind.require.count is not None:
        return False
    return not any(of.of == argument.name and of.what in LENGTHS for of in _measures(arguments))


def is_table(argument: Argument) -> bool:
    """Whether C gets a table of pointers to the rows."""
    return isinstance(argument.kind, Array) and argument.kind.rows


def is_bytes(argument: Argument) -> bool:
    """Whether it is a buffer, of whose bytes there is a number, and no more."""
    return isinstance(argument.kind, Array) and argument.kind.is_bytes


def is_extent(each: Given, argument: Argument) -> bool:
    """Whether it is a free integer that may be an extent: by its name a length, or a letter or a word of shapes."""
    return is_free(each, argument) or (is_said_nothing_of(each, argument) and argument.name in _EXTENTS)


def is_free(each: Given, argument: Argument) -> bool:
    """Whether it is an integer that by its name is a length, and of which the spec says nothing."""
    return is_said_nothing_of(each, argument) and re.fullmatch(_LENGTH, argument.name) is not None


def is_capacity(each: Given, argument: Argument, filled: str) -> bool:
    """Whether by its name it is how many bytes C may write there: `dstCapacity` of `dst`, `room` of any."""
    rest = argument.name[len(filled) :] if argument.name.lower().startswith(filled.lower()) else ""
    is_named = re.fullmatch(_CAPACITY, argument.name) or re.fullmatch(_SIZE, rest, re.IGNORECASE)
    return bool(is_named) and is_said_nothing_of(each, argument)


def is_count(each: Given, argument: Argument) -> bool:
    """Whether its name says nothing else: `n`, but not `n_threads`."""
    return is_free(each, argument) and re.fullmatch(_COUNT, argument.name) is not None


def is_number_out(argument: Argument) -> bool:
    """Whether it is one number that C fills."""
    out, ctype = argument.kind, argument.ctype
    is_one = ctype.depth == 1 and ctype.length is None and not ctype.extents
    return isinstance(out, Out) and as_number(out.kind) is not None and is_one


def of_array(each: Given, argument: Argument, arguments: Sequence[Argument | None]) -> str | None:
    """The array whose length it is by its name: `nx`, `x_len` or `num_x` of `x`."""
    if not is_said_nothing_of(each, argument) or argument.name in _EXTENTS:
        return None
    words = "n|num|len|length|size|count"
    if not re.search(rf"(?i)^(?:{words})|(?:{words})$", argument.name):
        return None
    arrays = [other.name for other in arguments if other and isinstance(other.kind, Array)]
    named = [name for name in arrays if re.fullmatch(rf"(?i)(?:{words})_?{name}|{name}_?(?:{words})", argument.name)]
    return max(named, key=len, default=None)


def is_stride(each: Given, argument: Argument) -> bool:
    """The same of what by its name is a stride."""
    return is_said_nothing_of(each, argument) and re.fullmatch(_STRIDE, argument.name) is not None


def is_said_nothing_of(each: Given, argument: Argument) -> bool:
    said = each.name is not None or each.record is not None or each.is_bounded
    return not said and isinstance(argument.kind, Number) and argument.kind.kind == "int" and argument.ctype.depth == 0


def _measures(arguments: Sequence[Argument | None]) -> list[Derived]:
    return [each.kind for each in arguments if each is not None and isinstance(each.kind, Derived)]


def _counted(arguments: Sequence[Argument | None]) -> tuple[Argument, str] | None:
    """The array whose number of elements is a parameter, and that one, if no other is about lengths."""
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

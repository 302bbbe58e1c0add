"""Lengths of arrays and strings: their rules, and the order in which they are known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from dlpack_bindgen.calls.argument_kind import Argument, ParameterEntry
from dlpack_bindgen.calls.array import SIZE
from dlpack_bindgen.calls.derived_arguments import Measure
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.function_keys import REQUIRE, RETURNS
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import items_of
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT, Check
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Piece, is_number, mentions, operand
from dlpack_bindgen.text.names import C_KEYWORDS, suggests
from dlpack_bindgen.text.types import BYTES

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body

Pairs = list[tuple[ParameterEntry, Argument]]
"""Arguments with their entries."""


class RequiredLength(Frozen):
    """The shape or the number of elements that an array must have, for the template."""

    name: str
    extents: tuple[str, ...] = ()
    """C expressions of the spec."""
    count: str = ""
    like: str = ""
    """The argument that the array must be like."""


class Lengths(Feature, Frozen):
    """The lengths of the arrays and strings of a call, from Python and from C."""

    arguments: tuple[Argument, ...]

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _string_lengths(call)
        yield from _string_counts(call)
        yield from _unknown_lengths(call)
        yield from _unclear_outputs(call)
        yield from _late_capacities(call)
        yield from _uses_of_buffers(call)
        yield from _circular_lengths(call)
        yield from _shapes_of_other_axes(call)

    @classmethod
    def read(cls, call: Call) -> Lengths | None:
        return cls(call.arguments) if any(each.kind.is_operand for each in call.arguments) else None

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        """Yields the checks of outputs without a declared length against the array that they are `like`."""
        for each in self.arguments if stage is Stage.ARRAYS else ():
            made = each.kind.new_output
            if made is not None and made.like and each.kind.has_elements and not any(lengths(each)):
                yield _piece("has_count_unlike", RequiredLength(each.name, like=made.like), body)

    def checks(self, item: Argument | Check, body: Body) -> Iterator[Piece]:
        """Yields the checks of a declared length, which allocate an array that is made late."""
        if (
            isinstance(item, Check)
            or item.kind.value is not None
            or item.kind.measure is not None
            or item.kind.capacity
        ):
            return
        shape, counts = lengths(item)
        late = item.kind.is_made_late
        if shape:
            yield _piece("has_no_shape" if late else "has_other_shape", RequiredLength(item.name, shape), body)
        for index, count in enumerate(counts):
            macro = "has_no_count" if late and not shape and not index else "has_other_count"
            yield _piece(macro, RequiredLength(item.name, count=count), body)


def _piece(macro: str, own: RequiredLength, body: Body) -> Piece:
    return Piece("calls/conditions", macro, Part(own, body), is_condition=True)


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


# ---- Lengths of the arrays of a function ----
# C reads past the end of an array whose length the spec does not declare.


def implied(
    entries: Sequence[ParameterEntry], arguments: Sequence[Argument | None], known: Set[str]
) -> tuple[Argument | None, ...]:
    """Returns the arguments with implied lengths, shapes and capacities.

    If exactly one array of the function is counted, arrays of its C type without a declared length get its count.
    Parameters that may be undeclared lengths prevent this. Arrays of arrays get the shape of their C type. `known` are
    the arguments and params of the call. A capacity that depends on them is unknown to the compiler.
    """
    arguments = [_completed(argument, arguments, known) if argument else None for argument in arguments]
    counted = _counted(arguments)
    pairs = [(each, argument) for each, argument in zip(entries, arguments, strict=True) if argument]
    free = any(is_free(each, argument) or _of_array(each, argument, arguments) for each, argument in pairs)
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


def _completed(argument: Argument, arguments: Sequence[Argument | None], known: Set[str]) -> Argument:
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


def _is_extent(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length or an extent, such as `rows`."""
    return is_free(each, argument) or (is_undeclared_integer(each, argument) and suggests(argument.name, "extent"))


def is_free(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an undeclared integer with the name of a length."""
    return is_undeclared_integer(each, argument) and suggests(argument.name, "length")


def _is_capacity(each: ParameterEntry, argument: Argument, filled: str) -> bool:
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


def _of_array(each: ParameterEntry, argument: Argument, arguments: Sequence[Argument | None]) -> str | None:
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


# ---- Rules for the lengths of the arrays and strings of a function, from Python and from C ----

_AFTER_CALL = ("size", "count", "shape", "finally")
_WHAT = {
    "count": "number of elements",
    "size": "size in bytes",
    "extent": "extent along another axis",
    "stride": "stride",
}


def _unknown_lengths(call: Call) -> Iterator[Diagnostic]:
    """Yields arrays of unknown length, first those beside an integer whose name suggests the length."""
    unknown = not all(each.of is not None and each.of.kind.has_length for each in call.derived)
    conditions = call.fields[REQUIRE]
    broken = REQUIRE in call.fields and (not conditions or conditions.count != len(conditions.items))
    misread = call.fields.has_unknown or any(each.is_misread for each in call.entries)
    if broken or not call.is_whole or unknown or misread:
        return
    pairs = call.pairs
    yield from _capacities(call, pairs)
    left = [
        (each, argument)
        for each, argument in pairs
        if is_open(each, argument, call.read_arguments)
        and (argument.kind.new_output is None or argument.kind.new_output.like is None)
    ]
    if named := list(_named(call, pairs, left)):
        yield from named
        return
    free = next((each for each, argument in pairs if is_free(each, argument)), None)
    tables = [(each, argument) for each, argument in left if argument.ctype.extents or argument.kind.rows]
    for each, argument in tables:
        yield from _unknown_rows(call, each, argument, free.parameter.name if free else "N")
    if tables:
        return
    if free is not None and left:
        array, hint = left[0][1], None
        extents = [argument.name for each, argument in pairs if _is_extent(each, argument)]
        if len(extents) > 1:
            hint = f"declare the length of each array: args: {{{_required(array, ' * '.join(extents[:2]))}, ...}}"
            axes = f"{extents[0]}: {{extent_of: {array.name}}}, {extents[1]}: {{extent_of: {array.name}, axis: 1}}"
            hint += "" if array.kind.is_bytes else f"; or whose axes they are: {{{axes}, ...}}"
        yield _may_be_length(free, array, hint)
        return
    if left:
        yield from _arrays_without_length(call, left)
    yield from _single_numbers(call, pairs)


def _single_numbers(call: Call, pairs: Pairs) -> Iterator[Diagnostic]:
    """Yields an output of one number before an integer whose name suggests the number of items."""
    fragments = [leaf.text for _, leaf in call.fragments]
    for (each, filled), (count, argument) in pairwise(pairs):
        if is_number_out(filled) and is_count(count, argument) and not mentions(fragments, filled.name):
            name, length = filled.name, argument.name
            message = f"'{length}' may be the number of '{name}', and '{name}' holds one number only"
            required = f"args: {{{name}: {{require: [{{count: {length}}}]}}}}, and Python gives the array"
            yield Diagnostic("argument-length", each.span, message, f"{required}; {{{length}: int}} if not")


def _named(call: Call, pairs: Pairs, left: Pairs) -> Iterator[Diagnostic]:
    """Yields integers named after an array of unknown length."""
    for each, argument in pairs:
        of = _of_array(each, argument, call.read_arguments)
        array = next((other for _, other in left if other.name == of), None)
        if array is not None:
            yield _may_be_length(each, array)


def _may_be_length(each: ParameterEntry, array: Argument, hint: str | None = None) -> Diagnostic:
    name = each.parameter.name
    message = f"'{name}' may be the length of '{array.name}': Python could give more, and C would read beyond its end"
    way = f"{{size_of: {array.name}}}}}" if array.kind.is_bytes else f"{{count_of: {array.name}}}}}, or extent_of"
    default_hint = f"args: {{{name}: {way}; {{{name}: int}} if it is another number"
    return Diagnostic("argument-length", each.span, message, hint or default_hint)


def _unclear_outputs(call: Call) -> Iterator[Diagnostic]:
    """Yields arrays in `returns` without their own declaration, which C probably fills. Their length would only be
    inferred from another array."""
    found = [
        (each, argument.kind.require.count)
        for each, argument in call.pairs
        if argument.kind.is_pointer and argument.kind.require.count and not each.has_entry
        if argument.name in _listed_results(call) and not argument.ctype.reads
    ]
    if not found:
        return
    names = [each.parameter.name for each, _ in found]
    arrays = ", ".join(f"{each.parameter.name}: {{require: [{{count: {count}}}]}}" for each, count in found)
    many = len(names) > 1
    message = f"{_names(names)} either filled by C or given by Python: declare which"
    ways = ("numbers", "arrays") if many else ("a number", "an array")
    hint = f"{ways[0]}: args: {{{_outs(names)}}}; {ways[1]}: {{{arrays}}}"
    notes = tuple(Note(each.span, f"'{each.parameter.name}'") for each, _ in found[1:])
    yield Diagnostic("argument-unclear", found[0][0].span, message, hint, notes)


def _listed_results(call: Call) -> list[str]:
    listed = items_of(call.fields[RETURNS])
    return [leaf.text for leaf in listed.leaves()] if listed else []


def _circular_lengths(call: Call) -> Iterator[Diagnostic]:
    """Yields values and lengths that depend on each other, or on elements of an array of unknown length."""
    left = in_order(call.arguments).left
    while outer := [each for each in left if not any(reads(other, [each]) for other in left)]:
        left = [each for each in left if each not in outer]
    if not left:
        return
    span = next(each.span for each, argument in call.pairs if argument in left)
    for name, measure in [(each.name, each.kind.measure) for each in left]:
        if measure is not None:
            message = f"the shape of a new '{measure.of}' is made of '{name}', which is a length of that array"
            yield Diagnostic("default-made", span, message, f"let Python give it: args: {{{name}: int}}")
            return
    fixed = [each.name for each in left if each.kind.value is not None]
    values = _listed("value", fixed)
    arrays = _listed("length", [each.name for each in left if each.kind.value is None])
    hint = f"leave the value of '{fixed[0]}' away: then Python gives it" if fixed else _open_hint(left[0])
    if not arrays:
        yield Diagnostic("used-too-early", span, f"{values} made of each other", hint)
    elif values:
        yield Diagnostic("argument-length", span, f"{values} read from elements, and {arrays} made of them", hint)
    elif len(left) > 1:
        yield Diagnostic("argument-length", span, f"{arrays} read from each other's elements", hint)
    else:
        yield Diagnostic("argument-length", span, f"{arrays} read from its own elements before it is known", hint)


def _open_hint(argument: Argument) -> str:
    """Returns a hint that leaves the length of the array to the function."""
    name = argument.name
    prototype = f"'*{name}' in the prototype, and " if argument.ctype.length else ""
    knows = "{of: bytes, require: []}" if argument.kind.is_bytes else "{of: array}"
    return f"{prototype}args: {{{name}: {knows}}} if the function knows; the elements that C text reads are checked"


def _shapes_of_other_axes(call: Call) -> Iterator[Diagnostic]:
    """Yields shapes with a parameter that is derived from another axis, or another property, of the array
    itself."""
    for each, argument in call.pairs:
        shape = argument.kind.require.shape if not argument.kind.is_list else None
        for axis, extent in enumerate(shape or ()):
            measure = call.find(extent)
            kind = measure.kind.measure if measure else None
            if kind is None or kind.of != argument.name or kind.what == "flags" or each.is_broken:
                continue
            if kind.what == "extent" and shape and extent in shape[kind.axis : kind.axis + 1]:
                continue  # of this axis, or of several: a square array
            if kind.what == "count" and shape and len(shape) == 1:
                continue
            axes = f", axis: {axis}" if axis else ""
            what = f"'{extent}' is the {_WHAT[kind.what]} of '{argument.name}'"
            message = f"{what}, and not its extent along axis {axis}"
            yield Diagnostic(
                "argument-length", each.span, message, f"args: {{{extent}: {{extent_of: {argument.name}{axes}}}}}"
            )


def _late_capacities(call: Call) -> Iterator[Diagnostic]:
    """Yields outputs whose capacity is not known before the call."""
    names = [each.parameter.name for each in call.entries]
    late = [argument.name for argument in call.arguments if argument.kind.returned is not None]
    for each, argument in call.pairs:
        name, length = argument.name, argument.ctype.length
        if argument.kind.returned is None or not length:
            continue
        measure = next(
            (each for each in (late if argument.kind.capacity else names) if ctext.mentions(length, each)), None
        )
        if measure is not None:
            hint = f"an array in memory that Python owns: {{{name}: {{out: true, of: array}}}}"
            if measure in late:
                hint = f"args: {{{measure}: {{of: int, value: ...}}}} if C reads the capacity there"
            yield Diagnostic(
                "argument-length", each.span, f"the buffer of '{name}' is made before '{measure}' is known", hint
            )


def _uses_of_buffers(call: Call) -> Iterator[Diagnostic]:
    """Yields `sizeof` of an output in a Python object, and uses of it after its length has changed."""
    for each, argument in call.pairs:
        value, size = argument.kind.returned, argument.kind.capacity
        if value is None or size is None:
            continue
        name, own = argument.name, each.fields[SIZE]
        for key, text in call.fragments:
            if re.search(rf"\bsizeof\s*\(?\s*{name}\b", text.text):
                what = f"({size}) * sizeof({argument.ctype.base})" if value.kind.is_array else size
                message = f"'{name}' is a pointer here, and its capacity is '{size}'"
                yield Diagnostic("argument-length", text.span, message, f"write '{what}' for 'sizeof {name}'")
            elif value.size and text is not own and key in _AFTER_CALL and ctext.mentions(text.text, name):
                yield Diagnostic(
                    "argument-length", text.span, f"'{name}' is Python's by then, and its 'size' gives its length"
                )


def _capacities(call: Call, pairs: Pairs) -> Iterator[Diagnostic]:
    """Yields integers that are probably the capacity of an output: by their name, or beside the output."""
    for place, (_, filled) in enumerate(pairs):
        length, returned = filled.ctype.length, filled.kind.returned
        if returned is None or not length:
            continue
        is_buffer, is_array = returned.kind.may_be_buffer, returned.kind.is_array
        behind = pairs[place + 1 : place + 2]
        has_length = any(argument.kind.value is not None or is_free(each, argument) for each, argument in behind)
        beside = behind if has_length else pairs[max(0, place - 1) : place]
        asked = [pair for pair in beside if is_free(*pair)]
        named = [pair for pair in pairs if is_buffer and _is_capacity(*pair, filled.name)]
        asked += [pair for pair in named if pair not in asked]
        for each, argument in asked:
            if not ctext.mentions(length, argument.name):
                size = f"sizeof {filled.name}" if is_buffer and not filled.kind.capacity else length
                hint = f"args: {{{argument.name}: {{value: {size}}}}}; {{{argument.name}: int}} if not"
                message = f"'{argument.name}' may be the capacity of '{filled.name}': Python could give more"
                yield Diagnostic("argument-length", each.span, message, hint)
        for each, argument in beside if is_buffer and not is_array else ():
            value = argument.kind.value
            if value and value.isdecimal() and length.isdecimal() and int(value) > int(length):
                message = f"'{filled.name}' holds {length} bytes, and '{argument.name}' is {value}"
                hint = f"args: {{{argument.name}: {{value: sizeof {filled.name}}}}}"
                yield Diagnostic("argument-length", each.span, message, hint)


def _unknown_rows(call: Call, each: ParameterEntry, argument: Argument, count: str) -> Iterator[Diagnostic]:
    name, inner = argument.name, ", ".join(argument.ctype.extents[1:])
    if argument.kind.rows:
        measured = f"{count}: {{extent_of: {name}}}, M: {{extent_of: {name}, axis: 1}}"
        hint = f"args: {{{measured}}}, or {{{name}: {{of: rows, require: [{{shape: [{count}, M]}}]}}}}"
        message = f"the number of rows of '{name}', and of their elements, is not declared: C would go on beyond them"
        yield Diagnostic("argument-length", each.span, message, hint)
        return
    hint = f"args: {{{count}: {{extent_of: {name}}}}}, or {{{name}: {{require: [{{shape: [{count}, {inner}]}}]}}}}"
    yield Diagnostic(
        "argument-length", each.span, f"the number of rows of '{name}' is not declared: C would go on beyond them", hint
    )


def _arrays_without_length(call: Call, left: Pairs) -> Iterator[Diagnostic]:
    """Yields all arrays of unknown length in one diagnostic: they probably have one cause."""
    arrays, names = [argument for _, argument in left], [argument.name for _, argument in left]
    measures = [(each.argument.name, each.measure) for each in call.derived]
    # A size in bytes counts elements of one byte.
    counting = [each for each in call.derived if each.measure.what != "size" or (each.of and each.of.kind.is_bytes)]
    counts = [_counted_by(each.argument.name, each.measure.plus) for each in counting]
    count = counts[0] if len(counts) == 1 else "N"
    required = [REQUIRE_OF_ARGUMENT in each.fields for each, _ in left]
    entries = [_required(array, count, others) for array, others in zip(arrays, required, strict=True)]
    numbers = [array.name for array in arrays if array.ctype.base != "void"]
    filled = [array.name for array in arrays if array.name in numbers and not array.ctype.reads]
    filled = [name for name in filled if name in _listed_results(call)] or filled[:1]
    number = f"; exactly one number that C fills: {{{_outs(filled)}}}" if filled and not any(required) else ""
    if buffer := next((array.name for array in arrays if array.name in filled and array.kind.is_bytes), None):
        number = f"; bytes that C fills have one, and {{{buffer}: {{of: bytes, out: true}}}}"
    has_entry = left[0][0].has_entry
    knows = f"{names[0]}: {{of: array, ...}}" if has_entry else f"{names[0]}: array"
    if arrays[0].kind.is_bytes and not required[0]:
        knows = f"{names[0]}: {{of: bytes, require: []}}"
    if measures and not counts:
        number += f"; 'size_of' counts bytes and 'count_of' elements, perhaps for '{measures[0][0]}'"
    several = len(left) > 1
    length = f", or {'lengths' if several else 'a length'} in the prototype" if len(numbers) == len(left) else ""
    hint = f"args: {{{', '.join(entries)}}}{length}{number}; {{{knows}}} if the function knows"
    message = (
        f"nothing declares how long {_names(names)}: C would go on beyond {'their ends' if several else 'its end'}"
    )
    notes = tuple(Note(each.span, f"'{argument.name}'") for each, argument in left[1:])
    yield Diagnostic("argument-length", left[0][0].span, message, hint, notes)


def _listed(what: str, names: list[str]) -> str:
    verb = "s of {} are" if len(names) > 1 else " of {} is"
    return f"the {what}{verb.format(' and '.join(map(repr, names)))}" if names else ""


def _required(array: Argument, count: str, more: bool = False) -> str:
    """Returns the entry of `args` that requires `count` elements. `more`: the array has other requirements."""
    word = "of: bytes, " if array.kind.is_bytes else ""
    return f"{array.name}: {{{word}require: [{{count: {count}}}{', ...' if more else ''}]}}"


def _outs(names: list[str]) -> str:
    return ", ".join(f"{name}: {{out: true}}" for name in names)


def _names(names: list[str]) -> str:
    """Returns the quoted names with their verb: `'a' is`, or `'a', 'b' and 'c' are`."""
    quoted = [f"'{name}'" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]} are" if len(names) > 1 else f"{quoted[0]} is"


def _counted_by(name: str, plus: int) -> str:
    """Returns the number of elements as an expression of the parameter that is derived from it."""
    return f"{name} {'-' if plus > 0 else '+'} {abs(plus)}" if plus else name


# ---- Rules for numbers beside strings, and beside tables of strings: such a number may be their length ----


def _string_lengths(call: Call) -> Iterator[Diagnostic]:
    """Yields integers that are probably the length of the string before them. C would trust the number."""
    for (_, string), (each, argument) in pairwise(call.pairs):
        is_named = suggests(argument.name, "length of a string", string.name)
        length = string.kind.length(string.name, argument.ctype) if is_named else None
        if length is not None and is_undeclared_integer(each, argument):
            name = argument.name
            message = f"'{name}' may be the length of '{string.name}': "
            message += "Python could give more, and C would read beyond its end"
            hint = f"args: {{{name}: {{value: {length}}}}}; {{{name}: int}} if it is another number"
            yield Diagnostic("argument-length", each.span, message, hint)


def _string_counts(call: Call) -> Iterator[Diagnostic]:
    """Yields string arrays beside an integer that is probably their length. C finds the end of a string array by NULL
    or by a number. An argument that is only declared as `strings` is checked as well."""
    pairs = call.pairs
    measures = [(other.name, other.kind.measure) for _, other in pairs]
    counts = [name for name, measure in measures if measure is not None and measure.what == "count"]
    tables = [other.kind for _, other in pairs if other.kind.is_table_of_strings]
    counts += [count for kind in tables for count in kind.expressions() if not count.isdecimal()]
    for place, (each, argument) in enumerate(pairs):
        name, kind = argument.name, argument.kind
        is_counted = kind.expressions() or any(measure.what == "count" for measure in call.measures(argument))
        if not kind.is_table_of_strings or is_counted or each.is_broken:
            continue
        before = [pair for pair in pairs[max(0, place - 1) : place] if suggests(pair[1].name, "number of strings")]
        number = next((pair for pair in pairs[place + 1 : place + 2] + before if _is_plain_integer(*pair)), None)
        if number is not None:
            message = f"'{number[1].name}' may be the number of '{name}': Python could give more"
            hint = f"args: {{{number[1].name}: {{count_of: {name}}}}}; {{{number[1].name}: int}} if not"
            yield Diagnostic("argument-count", number[0].span, message, hint)
        elif counts and not each.requires_nothing:
            message = f"'{counts[0]}' may be the number of '{name}': C would go on beyond their end"
            hint = f"args: {{{name}: {{of: strings, require: [{{count: {counts[0]}}}]}}}}"
            hint += f"; {{{name}: {{of: strings, require: []}}}} if NULL ends them"
            yield Diagnostic("argument-count", each.span, message, hint)


def _is_plain_integer(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an integer without any declaration in `args`."""
    return argument.kind.is_integer and not each.has_entry and each.name is None

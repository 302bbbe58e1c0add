"""Numbers that count structs, axes of arrays, or strings: rules about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument, ParameterEntry
from dlpack_bindgen.calls.derived_arguments import AXIS, STRIDE_OF, UNIT, Measure
from dlpack_bindgen.calls.failures import is_status
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.function_keys import RETURNS
from dlpack_bindgen.calls.lengths import is_count, is_number_out, is_stride, is_undeclared_integer, lengths
from dlpack_bindgen.calls.result_kinds import RESULT
from dlpack_bindgen.calls.string import COUNT
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, is_record, text_of
from dlpack_bindgen.tensor.match_rules import rank_bounds
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.tensor.steps import OK
from dlpack_bindgen.text.diagnostics import Diagnostic, Span
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.names import suggests, suggests_other_axis
from dlpack_bindgen.text.types import family, is_unknown

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


class Counts(Feature):
    """The parameters of a call that are numbers of structs, extents and strides of arrays, or numbers of strings."""

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _measured_structs(call)
        yield from _required_structs(call)
        yield from _beside_structs(call)
        yield from _repeated_axes(call)
        yield from _missing_extents(call)
        yield from _beside_axes(call)
        yield from _strides(call)
        yield from _units(call)
        yield from _uncounted_tables(call)


# ---- Rules for numbers beside a pointer to a struct: C may get one object, or an array of structs ----


def _measured_structs(call: Call) -> Iterator[Diagnostic]:
    for derived in call.derived:
        each, argument, kind, of = derived.entry, derived.argument, derived.measure, derived.of
        if not kind.is_length or of is None:
            continue
        span = each.fields.values[kind.key].span
        is_object = of.kind.is_dltensor or call.struct_of(of) is not None
        if UNIT in each.fields and not is_object:
            message = f"'{of.name}' is not an object that C gets by a pointer to its struct"
            hint = "leave 'unit' out: it is about strides, and about numbers beside such objects"
            yield Diagnostic("without-effect", each.place(UNIT), message, hint)
        elif (one := call.one_struct(of)) is not None:
            size = f"sizeof({one.type})" if kind.what == "size" else "'1'"
            always = f"'{argument.name}' would be the same for each '{one.name.text}'"
            message = f"{always}: it may be the number of objects at '{of.name}'"
            yield Diagnostic("measure-of", span, message, _several(f"{argument.name}: {{value: {size}}}"))
        elif is_object and UNIT not in each.fields and _may_count_structs(call, argument, kind, of):
            yield _unclear(span, argument.name, of, kind.key, kind.what == "size")


def _required_structs(call: Call) -> Iterator[Diagnostic]:
    """Yields required numbers of elements that C also gets: they may be numbers of structs. With `default: new`,
    the spec declares the shape of one object."""
    numbers = {argument.name for _, argument in call.pairs if argument.kind.is_number}
    for each, argument in call.pairs:
        is_struct = argument.kind.is_dltensor or call.struct_of(argument) is not None
        is_one = argument.kind.is_made_late or call.one_struct(argument) is not None
        if not is_struct or not each.has_entry or is_one:
            continue
        required = argument.kind.require
        count = required.count or (required.shape[0] if required.shape and len(required.shape) == 1 else None)
        if count in numbers and count is not None and _may_be_several(call, argument, count):
            yield _unclear(each.place(REQUIRE_OF_ARGUMENT), count, argument, "count" if required.count else "shape")


def _beside_structs(call: Call) -> Iterator[Diagnostic]:
    """Yields a number beside one struct if its name suggests a number of structs."""
    own = call.self_index
    structs = {
        argument.name: of
        for place, argument in enumerate(call.read_arguments)
        if place != own and argument is not None and (of := call.one_struct(argument)) is not None
    }
    for place, (each, number) in enumerate(call.pairs):
        near = call.pairs[max(0, place - 1) : place + 2]
        beside = [argument.name for _, argument in near if argument.name in structs]
        if is_count(each, number) and beside:
            one = structs[beside[0]].name.text
            message = f"'{number.name}' may be the number of objects at '{beside[0]}', which is one '{one}'"
            hint = _several(f"{number.name}: {{value: '1'}}", f"; {{{number.name}: int}} if not")
            yield Diagnostic("argument-count", each.span, message, hint)


def _may_count_structs(call: Call, number: Argument, kind: Measure, of: Argument) -> bool:
    """Returns whether C may get an array of structs. Parameters for several axes or a stride show one object."""
    if any(each.axis > 0 or each.what == "stride" for each in call.measures(of)):
        return False
    if kind.what == "size":
        return suggests(number.name, "number")
    return _may_be_several(call, of, number.name)


def _may_be_several(call: Call, of: Argument, number: str) -> bool:
    """Returns whether a number beside the object may count objects. For objects with at least two axes, only the
    names in the prototype suggest this."""
    found = call.class_of(of)
    known = rank_bounds(found.fields) if found is not None else None
    least = max((bounds[0] for bounds in (known, of.kind.require.ndim) if bounds), default=0)
    return least < 2 or suggests(of.name, "several structs") or suggests(number, "number of objects")


def _unclear(span: Span, number: str, of: Argument, key: str, in_bytes: bool = False) -> Diagnostic:
    what = f"'{of.kind.object_class or of.ctype.base}' structs"
    unit = "bytes" if in_bytes else "elements"
    measure = "size_of" if in_bytes else key if key.endswith("_of") else "count_of"
    message = f"'{number}' may be the number of {what} at '{of.name}', but '{key}' counts the {unit} of one object"
    one = f"args: {{{number}: {{{measure}: {of.name}, unit: {unit}}}}} if C has one object"
    structs = f"{{{number}: {{value: '1'}}}} if C counts structs"
    numbers = f"{{of: array, require: [{{dtype: ...}}, {{shape: [{number}, N]}}]}}"
    hint = f"{one}; {structs}; if the structs hold only numbers, an array of them is {numbers}; others need a C "
    hint += "function that takes a list of pointers"
    return Diagnostic("measure-of", span, message, hint)


def _several(one: str, otherwise: str = "") -> str:
    """Returns a hint with the declarations for one struct and for several structs."""
    return (
        f"for one object: args: {{{one}}}; an array of such structs needs a C function that takes 'void *'{otherwise}"
    )


# ---- Rules for parameters that are extents and strides of the axes of an array ----

_BYTES = frozenset(("char", "signed char", "unsigned char", "int8_t", "uint8_t", "bool", "_Bool"))


def _extents(call: Call) -> dict[tuple[str, int], list[ParameterEntry]]:
    """Returns the parameters for the extent of each axis of each array."""
    found: dict[tuple[str, int], list[ParameterEntry]] = {}
    for each, argument in call.pairs:
        value = argument.kind.measure
        if value is not None and value.what == "extent":
            found.setdefault((value.of, value.axis), []).append(each)
    return found


def _repeated_axes(call: Call) -> Iterator[Diagnostic]:
    """Yields two parameters for the extent of one axis if both leave out `axis`."""
    for (of, axis), found in _extents(call).items():
        silent = [each for each in found if each.has_entry and AXIS not in each.fields]
        if len(silent) > 1:
            first, second = (each.parameter.name for each in silent[:2])
            message = f"'{first}' and '{second}' are both the extent of axis {axis} of '{of}'"
            hint = f"args: {{{second}: {{extent_of: {of}, axis: {axis + 1}}}}}; write 'axis: {axis}' if that is meant"
            yield Diagnostic("argument-length", silent[1].span, message, hint)


def _missing_extents(call: Call) -> Iterator[Diagnostic]:
    """Yields arrays with a parameter for some extents, but not for all."""
    extents = _extents(call)
    counted = [kind.of for kind in call.measures() if kind.what in ("count", "size")]
    for each, argument in call.pairs:
        if not argument.kind.is_pointer:
            continue
        axes_measured = [value.axis for value in call.measures(argument) if value.what in ("extent", "stride")]
        ndim = argument.kind.require.ndim or (max(axes_measured, default=-1) + 1,) * 2
        declared = each.name is not None or argument.name in counted or _has_length(argument)
        if declared or ndim[0] != ndim[1]:
            continue
        axes = [extents.get((argument.name, axis)) for axis in range(ndim[0])]
        if any(axes) and None in axes:
            shape = ", ".join(found[0].parameter.name if found else "N" for found in axes)
            message = f"the extent of axis {axes.index(None)} of '{argument.name}' is not declared, and C needs it"
            hint = f"args: {{{argument.name}: {{require: [{{shape: [{shape}]}}]}}}}; {{of: array}} if it does"
            yield Diagnostic("argument-length", each.span, message, hint)


def _beside_axes(call: Call) -> Iterator[Diagnostic]:
    """Yields an integer whose name suggests the other axis of an array with only one declared extent."""
    for each, argument in call.pairs if call.derived else ():
        if not is_undeclared_integer(each, argument):
            continue
        for name, kind, of in [(other.argument.name, other.measure, other.of) for other in call.derived]:
            if kind.what not in ("extent", "count") or not suggests_other_axis(argument.name, name):
                continue
            if of is None or len(call.measures(of)) > 1 or not of.kind.is_pointer or of.kind.rows or _has_length(of):
                continue
            message = f"'{argument.name}' may be the extent of another axis of '{kind.of}': Python could give more"
            axes = f"{name}: {{extent_of: {kind.of}}}, {argument.name}: {{extent_of: {kind.of}, axis: 1}}"
            yield Diagnostic(
                "argument-length", each.span, message, f"args: {{{axes}}}; {{{argument.name}: int}} if not"
            )
            break


def _strides(call: Call) -> Iterator[Diagnostic]:
    """Yields integers that are probably strides. With a wrong stride C reads beyond the end of the array."""
    array = None
    for each, argument in call.pairs:
        if argument.kind.is_pointer:
            array = argument.name
        elif array is not None and is_stride(each, argument):
            name = argument.name
            message = f"'{name}' may be a stride of '{array}': Python could give more, and C would go on beyond its end"
            unit = ", unit: bytes" if suggests(name, "stride in bytes") else ""
            hint = f"args: {{{name}: {{stride_of: {array}{unit}}}}}, or {{value: '1'}}; {{{name}: int}} if not"
            yield Diagnostic("argument-length", each.span, message, hint)


def _units(call: Call) -> Iterator[Diagnostic]:
    """Yields derived strides and lengths whose name suggests another unit than the declared unit."""
    for derived in call.derived:
        each, of = derived.entry, derived.of
        if not each.has_entry or of is None or _has_bytes(of):
            continue
        if derived.measure.what != "stride":
            yield from _unit_of_length(derived.argument.name, derived.measure, each.fields, of)
        elif not text_of(each.fields[UNIT]):
            yield from _unit_of_stride(derived.argument.name, of.name, each.fields, of)


def _unit_of_stride(name: str, of: str, record: Fields, array: Argument) -> Iterator[Diagnostic]:
    if suggests(name, "stride in bytes"):
        message = f"'{name}' may count bytes: it gets elements, which may be larger in '{of}'"
    elif _has_several_sizes(array):
        message = f"'{name}' may count bytes: it gets elements, which have several sizes in '{of}'"
    else:
        return
    hint = "write 'unit: bytes'; 'unit: elements' if they are meant"
    yield Diagnostic("stride-unit", (record[STRIDE_OF] or record).span, message, hint)


def _unit_of_length(name: str, kind: Measure, record: Fields, array: Argument) -> Iterator[Diagnostic]:
    if array.ctype.base == "void":
        return
    for what, other, unit, is_other in (
        ("size", "count_of", "elements", suggests(name, "number of elements")),
        ("count", "size_of", "bytes", suggests(name, "stride in bytes")),
    ):
        if kind.what == what and is_other:
            message = f"'{name}' may count {unit}: those of '{kind.of}' are '{array.ctype.base}'"
            if suggests(name, "bytes from row to row"):
                other = "unit: bytes, stride_of"
            hint = f"write {{{other}: {kind.of}}}; if not, call it something else: the header need not have its name"
            yield Diagnostic("argument-length", record.given[kind.key], message, hint)


def _has_bytes(argument: Argument) -> bool:
    """Returns whether each element is known to have one byte."""
    kind = argument.kind
    if not kind.is_pointer:
        return not kind.is_array
    bits = [dtype.bits * dtype.lanes for name in kind.require.dtypes if (dtype := DTYPES.get(name))]
    return set(bits) == {8} if bits else argument.ctype.base in _BYTES


def _has_several_sizes(argument: Argument) -> bool:
    """Returns whether the size of the elements can differ between calls."""
    kind = argument.kind
    if not kind.is_array:
        return False
    known = [DTYPES[name] for name in kind.require.dtypes if name in DTYPES]
    sizes = {dtype.bits * dtype.lanes for dtype in known}
    return len(sizes) > 1 or not (kind.require.dtypes or kind.element)


def _has_length(argument: Argument) -> bool:
    return any(lengths(argument)) or bool(argument.ctype.extents) or argument.ctype.length is not None


# ---- Rules for string arrays that C returns: a number beside one may be its length, and then NULL need not end it ----


def _uncounted_tables(call: Call) -> Iterator[Diagnostic]:
    """Yields returned string arrays without `count` if C returns an integer that may be the length. Integers from
    Python are ignored: the array of `char **words(int count)` can still end with NULL."""
    for table in _tables(call):
        number = next((name for name in _numbers(call) if name != table.name), None)
        if number is not None:
            message = f"'{number}' may be the number of strings in {table.text}, and without 'count' they end with NULL"
            entry = f"{table.key}: {{of: strings, {table.more}count: "
            hint = f"{entry}{number}}}{table.end}; {entry}none}}{table.end} if NULL ends the table"
            yield Diagnostic("argument-count", table.span, message, hint)


class _Table(Frozen):
    """A returned table of strings without `count`, and the parts of the hint about it."""

    name: str
    span: Span
    text: str
    key: str
    more: str = ""
    end: str = ""


def _tables(call: Call) -> Iterator[_Table]:
    function = call.fields
    returns = function[RETURNS]
    has_count = is_record(returns, RESULT) and COUNT in returns
    if call.read_result is not None and call.read_result.kind.is_table_of_strings and not has_count:
        yield _Table("result", returns.span if returns is not None else call.place, "the result", "returns")
    for each, argument in call.pairs:
        has_count = COUNT in each.fields
        output = argument.kind.returned
        if output is not None and output.kind.is_table_of_strings and not has_count:
            name = argument.name
            yield _Table(name, each.span, f"'{name}'", f"args: {{{name}", "out: true, ", "}")


def _numbers(call: Call) -> Iterator[str]:
    """Yields the integers that C returns, without status codes and sizes of other values."""
    ok, values = text_of(call.fields[OK]), [value for _, value in call.outputs()]
    sizes = [text for value in values for text in value.sizes if text != value.count]
    for each, argument in call.pairs:
        output, is_given = argument.kind.returned, argument.kind.is_number or argument.kind.value is not None
        is_out = is_number_out(argument) and output is not None and output.kind.is_integer
        is_changed = argument.by_address and is_given
        is_int = is_out or (is_changed and not each.parameter.ctype.reads)
        if is_int and not is_status(ok, argument.name) and not mentions(sizes, argument.name):
            yield argument.name
    ctype, result = call.prototype.result, call.read_result
    is_int = not ctype.depth and (family(ctype.base) == "int" or (family(ctype.base) is None and is_unknown(ctype)))
    is_read_as_int = result is None or not result.kind.is_returned or result.kind.is_integer
    if is_int and is_read_as_int and not is_status(ok) and not mentions(sizes, "result"):
        yield "result"

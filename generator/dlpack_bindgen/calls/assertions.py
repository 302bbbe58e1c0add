"""Assertions of an emitted function about types that only the compiler knows. Each quotes the spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from math import prod

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.derived_arguments import Measure
from dlpack_bindgen.calls.failures import IS_OBJECT
from dlpack_bindgen.calls.lengths import lengths
from dlpack_bindgen.calls.number import byte_assertions, type_assertions
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.tensor.dtype import NamedDType
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import Assertion, mentions, operand
from dlpack_bindgen.text.types import BYTES, CType, Prototype, declared, family, pointed_to

# ---- Assertions about the function, its arguments and its results ----


def assertions(
    function: Call, results: Iterable[tuple[str, str, str]], structs: Iterable[str], key: str
) -> list[Assertion]:
    """Returns the assertions of a function.

    `results` holds the name, C type and kind of each returned number. `structs` holds the types of structs that are
    passed by value, of classes with pointer objects. `key` is the path of the function in the spec.
    """
    prototype = function.prototype
    found = [] if function.is_macro else [_declares(key, prototype)]
    for ctype in dict.fromkeys(structs):
        message = f"{key}.c: {ctype} is not a struct: write 'pass: value' in its class"
        found.append(Assertion("KIND", (ctype, "STRUCT"), message))
    if function.ok == IS_OBJECT and function.specifies_failures:
        base = prototype.result.base
        message = f"{key}.ok: {base} is not a pointer and never NULL: write when the call succeeds"
        found.append(Assertion("POINTER", (f"*({base} *)0",), message))
    found += _of_other_names(key, function)
    for name, ctype, kind in results:
        found += type_assertions(f"{key}.{name}", ctype, kind)
    found += returned_assertions(key, "result", prototype.result.base, function.result, function)
    if function.result.kind.has_characters():
        found += byte_assertions(f"{key}.result", prototype.result.base)
    for name, written, value in function.values[1:]:
        found += returned_assertions(key, name, written.base, value, function)
    return found


def _declares(key: str, prototype: Prototype) -> Assertion:
    """Asserts that the header declares a function with its prototype."""
    message = f"{key}.c: {prototype.name} is not a function of this type in the header (for a macro: 'macro: true')"
    return Assertion("FUNCTION", (prototype.name, _function_pointer(prototype)), message)


def argument_assertions(argument: Argument, function: Call, key: str) -> list[Assertion]:
    """Returns the assertions about an array that depend on other arguments."""
    return [*_element_assertions(key, argument, function), *_byte_count_assertions(key, argument, function)]


def _of_other_names(key: str, function: Call) -> list[Assertion]:
    """Asserts that the pointer type of a class converts to the type in the prototype, if that has another name.

    A returned pointer to const needs `borrow` or `owned` in the spec.
    """
    lines = []
    for argument in function.arguments:
        of = argument.kind.class_name
        if argument.written is not None and of is not None:
            types = [argument.ctype, argument.written]
            own, written = map(pointed_to, types) if argument.kind.is_list else types
            lines.append(_becomes(key, argument.name, of, own, written, argument.kind.may_be_struct))
    for name, written, value in function.values:
        if value.class_type is None:
            continue
        own = CType(value.class_type.base, (False,) if value.class_type.pointers else ())
        lines.append(_becomes(key, name, value.of or "", own, written, value.may_be_struct))
        if value.borrow is None and not value.owned and not written.pointers:
            text = f"{key}.{name}: the owner of this {value.of} is not declared: {written.base} points to const: "
            text += "write `borrow`, or `owned: true`"
            lines.append(Assertion("NOT_CONST", (written.base,), text))
    return lines


def _becomes(key: str, name: str, of: str, own: CType, written: CType, may_be_struct: bool) -> Assertion:
    """Asserts that the type `own` of a class converts to the type `written` in the prototype.

    With `may_be_struct`, `written` may also be the struct to which `own` points.
    """
    wanted, other = declared(own, ""), declared(written, "")
    text, remedy = f"{key}.{name}: {wanted} of {of} does not convert to {other}", f"write {wanted}, if C has it"
    if may_be_struct:
        return Assertion("PASSES", (wanted, other), f"{text}, and {other} is not {own.base}: {remedy}")
    return Assertion("CONVERTS", (wanted, other), f"{text}: {remedy}")


def _function_pointer(prototype: Prototype) -> str:
    """Returns the type of a pointer to such a function."""
    parameters = ", ".join(declared(each.ctype, "") for each in prototype.parameters) or "void"
    result = declared(prototype.result, "")
    return f"{result}{'' if result.endswith('*') else ' '}(*)({parameters})"


# ---- Assertions about the size of C elements, which only the compiler knows ----
# An array holds whole elements, numbers or structs.

_SIZE = re.compile(r"\bsizeof\s*\([^()]*\)")


def _element_assertions(key: str, argument: Argument, function: Call) -> list[Assertion]:
    """Asserts that the required dtype of an array matches its C elements."""
    kind, base = argument.kind, argument.ctype.base
    if not kind.has_elements or kind.is_bytes or base == "void":
        return []
    found = []
    for name in kind.require.dtypes:
        dtype, what = NamedDType(name).numbers, f"{key}.{argument.name}:"
        text = f"{what} elements of {base} cannot hold {name}"
        found.append(Assertion("DATA", (f"(const {base} *)0", dtype.code, str(dtype.bits)), text))
        if family(base) is not None or dtype.bits < 8:
            continue
        if _counts_elements(argument, function):
            text = f"{what} {base} is not one {name}: {_remedy(argument)}"
            found.append(Assertion("SIZE", (base, _bytes((), dtype)), text))
        if kind.require.align is None:
            part = dtype.bits // (16 if dtype.code == "kDLComplex" else 8)
            text = f"{what} {base} is aligned more strictly than {name}: require {{align: N}}"
            found.append(Assertion("ALIGNMENT", (base, str(part & -part)), text))
        if kind.require.shape:
            row = constant_row(kind.require.shape, function)
            text = f"{what} {_numbers(row, name)} does not fill whole elements of {base}, of which C has the array"
            found.append(Assertion("WHOLE", (base, _bytes(row, dtype)), text))
    return found


def returned_assertions(key: str, name: str, base: str, value: Value, function: Call) -> list[Assertion]:
    """Asserts that the declared dtype of a returned array matches its C elements, or the numbers in each element."""
    if not isinstance(value.element, NamedDType) or base == "void" or not isinstance(value.shape, ListedShape):
        return []
    dtype, row = value.element.numbers, constant_row(value.shape.extents, function)
    text = f"{key}.{name}: elements of {base} are not {value.element.name}"
    data = Assertion("DATA", (f"(const {base} *)0", dtype.code, str(dtype.bits)), text)
    one, whole = _bytes((), dtype), _bytes(row, dtype)
    number = _numbers((), value.element.name)
    wrong = f"neither {number} nor {_numbers(row, value.element.name)}" if row else f"not {number}"
    text = f"{key}.{name}: {base} is {wrong}: declare its numbers in 'shape'"
    # a type of one number has that size, in any shape
    size = f"sizeof({base}) == {one} ? {one} : {whole}" if row else one
    return [data, Assertion("SIZE", (base, size), text)]


def _counts_elements(argument: Argument, function: Call) -> bool:
    """Returns whether C receives a count of its own elements, or no count at all."""
    kind = argument.kind
    if kind.require.shape is None or kind.require.count is not None or _has_declared_length(argument):
        return True
    measures = function.measures(argument)
    return any(each.what == "count" or (each.what == "stride" and not each.in_bytes) for each in measures)


def _has_declared_length(argument: Argument) -> bool:
    """Returns whether the prototype counts C elements, such as 4 in `vec3 points[4]`, and the array numbers."""
    return argument.ctype.length is not None and not argument.kind.rows


def _remedy(argument: Argument) -> str:
    if argument.kind.require.shape is not None and _has_declared_length(argument):
        name = argument.name
        return f"write '*{name}' for '{name}[{argument.ctype.length}]', since 'shape' gives the length of the array"
    return "write the 'shape' that the array must have"


def constant_row(shape: Sequence[str], function: Call) -> tuple[str, ...]:
    """Returns the last extents that look constant: 4 in `[n, 4]`, `LIB_DIM`, or the size of a type.

    Parameters can look constant too, such as `int N`, and are excluded.
    """
    names = [argument.name for argument in function.arguments]

    def is_constant(extent: str) -> bool:
        is_named = any(ctext.mentions(extent, name) for name in names)
        return not is_named and re.search("[a-z]", _SIZE.sub("", extent)) is None

    return tuple(reversed(tuple(takewhile(is_constant, reversed(shape)))))


def _numbers(row: Sequence[str], dtype: str) -> str:
    return f"one {dtype}" if not row else f"a row of {' * '.join(map(operand, row))} {dtype}"


def _bytes(row: Sequence[str], dtype: DType) -> str:
    """Returns the size of a row in bytes. Numbers of less than a byte are packed."""
    if all(map(str.isdecimal, row)):
        return str(prod(map(int, row)) * dtype.bits // 8)
    return " * ".join([*map(operand, row), str(dtype.bits // 8) if dtype.bits >= 8 else f"{dtype.bits} / 8"])


# ---- Checks of `bytes` lengths for C pointers to types that only the compiler knows ----
# C counts elements of such a type.


def _byte_count_assertions(key: str, argument: Argument, function: Call) -> Iterator[Assertion]:
    """Yields assertions about the counts of one argument.

    A count of bytes equals a count of elements only if an element is one byte. `size_of`, `sizeof` in a count, and
    rows of whole elements are right for elements of every size.
    """
    kind, name, base = argument.kind, argument.name, argument.ctype.base
    if not kind.is_bytes or base in BYTES:
        return
    points = f"but {name} points to {base}"
    row = constant_row((kind.require.shape or ())[1:], function)  # the first axis counts rows, in bytes
    for each in function.arguments:
        number, measure = each.name, each.kind.measure
        if measure is None or measure.of != name:
            continue
        remedy = _remedy_for_bytes(argument, measure, bool(row))
        if remedy is not None:
            yield _one_byte(base, f"{key}.{number}: {measure.what}_of counts bytes, {points}: {remedy}")
    count = kind.require.count
    if count is not None and not _counts_bytes(count, function):
        remedy = f"write count: {operand(count)} * sizeof({base}), or * sizeof(char) for a number of bytes"
        yield _one_byte(base, f"{key}.{name}: count: {count} counts bytes, {points}: {remedy}")
    if row:
        whole = " * ".join(map(operand, row))
        text = f"{key}.{name}: a row of {whole} bytes is not a whole {base}"
        yield Assertion("WHOLE", (base, whole), text)
    elif kind.require.shape is not None and not any(_counts_bytes(each, function) for each in kind.require.shape):
        shape = ", ".join(kind.require.shape)
        remedy = f"write shape: [{shape}, sizeof({base})]"
        yield _one_byte(base, f"{key}.{name}: shape: [{shape}] counts bytes, {points}: {remedy}")
    made = kind.new_output
    model = function.find(made.like or "") if made is not None else None
    if model is not None and not model.kind.is_bytes and not any(lengths(argument)):
        remedy = f"write default: new, and require count: N * sizeof({base})"
        what = f"default: like {model.name} makes one byte for each element"
        yield _one_byte(base, f"{key}.{name}: {what}, {points}: {remedy}")


def _one_byte(base: str, text: str) -> Assertion:
    return Assertion("SIZE", (base, "1"), text)


def _remedy_for_bytes(argument: Argument, measure: Measure, has_rows: bool) -> str | None:
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


def _counts_bytes(length: str, function: Call) -> bool:
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

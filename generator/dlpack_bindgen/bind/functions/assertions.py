"""Assertions in the body of a function about types that only the compiler knows. Each assertion quotes the spec."""

from __future__ import annotations

from collections.abc import Iterable

from dlpack_bindgen.arguments.scalars import type_assertion
from dlpack_bindgen.bind.functions import byte_counts, elements
from dlpack_bindgen.bind.functions.ctypes import function_pointer, pointed_to
from dlpack_bindgen.bind.functions.given import must_be_real
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.c.types import CType, declared, is_unknown
from dlpack_bindgen.spec.functions import (
    IS_OBJECT,
    Argument,
    Array,
    Function,
    Object,
    Objects,
    Out,
    Result,
)


def assertions(
    function: Function,
    results: Iterable[tuple[str, str, str]],
    structs: Iterable[str],
    key: str,
) -> list[str]:
    """Returns the assertions of a function.

    `results` holds the name, C type and kind of each returned number. `structs` holds the types of structs that are
    passed by value, of classes with pointer objects. `key` is the path of the function in the spec.
    """
    prototype = function.prototype
    text = c_string(f"{key}.c: {prototype.name} has another type in the header")
    lines = [f"DLB_ASSERT_FUNCTION({prototype.name}, {function_pointer(prototype)}, {text});"]
    for ctype in dict.fromkeys(structs):
        text = c_string(f"{key}.c: {ctype} is not a struct: write 'pass: value' in its class")
        lines.append(f"DLB_ASSERT_KIND({ctype}, STRUCT, {text});")
    if function.ok == IS_OBJECT and function.says_of_failures:
        base = prototype.result.base
        text = c_string(f"{key}.ok: {base} is not a pointer and never NULL: write when the call succeeds")
        lines.append(f"DLB_ASSERT_POINTER(*({base} *)0, {text});")
    lines += _of_twins(key, function)
    for name, ctype, kind in results:
        lines += _of_kind(key, name, ctype, kind)
    lines += elements.returned(key, "result", prototype.result.base, function.result, function)
    lines += _of_string(key, "result", prototype.result.base) if function.result.kind in ("str", "strings") else []
    for argument in function.arguments:
        if isinstance(argument.kind, Out):
            lines += elements.returned(key, argument.name, argument.ctype.base, argument.kind, function)
    return lines


def argument_assertions(argument: Argument, function: Function, key: str) -> list[str]:
    """Returns the assertions about one argument of a kind without a template."""
    kind, base = argument.kind, argument.ctype.base
    lines = []
    is_given = function.self_index is None or argument is not function.arguments[function.self_index]
    if isinstance(kind, Object) and kind.optional and not argument.ctype.pointers and is_given:
        text = c_string(f"{key}.{argument.name}: {base} is not a pointer and never NULL: it cannot be optional")
        lines.append(f"DLB_ASSERT_POINTER(*({base} *)0, {text});")
    if isinstance(kind, Array) and kind.number and not kind.is_bytes:
        lines += _of_kind(key, argument.name, base, kind.number)
    lines += elements.given(key, argument, function)
    lines += byte_counts.given(key, argument, function)
    filled = kind.kind if isinstance(kind, Out) else ""
    if filled in ("str", "strings") or (filled == "bytes" and argument.ctype.length):
        lines += _of_string(key, argument.name, base)
    if must_be_real(argument):
        lines += _of_kind(key, argument.name, base, "float")
    return lines


def _of_twins(key: str, function: Function) -> list[str]:
    """Asserts that the pointer type of a class converts to the type in the prototype, if that has another name.

    A returned pointer to const needs `borrow` or `owned` in the spec.
    """
    lines = []
    for argument in function.arguments:
        if argument.written is not None and isinstance(argument.kind, Object | Objects):
            types = [argument.ctype, argument.written]
            own, written = map(pointed_to, types) if isinstance(argument.kind, Objects) else types
            lines.append(_becomes(key, argument.name, argument.kind.of, own, written))
    outs = [(each.name, each.kind, pointed_to(each.ctype)) for each in function.arguments if isinstance(each.kind, Out)]
    values: list[tuple[str, Result | Out, CType]] = [("result", function.result, function.prototype.result), *outs]
    for name, value, written in values:
        if value.twin is None:
            continue
        own = CType(value.twin.base, (False,) if value.twin.pointers else ())
        lines.append(_becomes(key, name, value.of or "", own, written))
        if value.borrow is None and not value.owned and not written.pointers:
            text = f"{key}.{name}: the owner of this {value.of} is not declared: {written.base} points to const: "
            text += "write `borrow`, or `owned: true`"
            lines.append(f"DLB_ASSERT_NOT_CONST({written.base}, {c_string(text)});")
    return lines


def _becomes(key: str, name: str, of: str, own: CType, written: CType) -> str:
    wanted = declared(own, "")
    text = f"{key}.{name}: {wanted} of {of} does not convert to {declared(written, '')}: write {wanted}, if C has it"
    return f"DLB_ASSERT_CONVERTS({wanted}, {declared(written, '')}, {c_string(text)});"


def _of_string(key: str, name: str, base: str) -> list[str]:
    """Asserts that characters of strings and elements of byte buffers are one byte wide."""
    text = c_string(f"{key}.{name}: {base} is not a byte")
    return [f"DLB_ASSERT_SIZE({base}, 1, {text});"] if is_unknown(CType(base)) else []


def _of_kind(key: str, name: str, ctype: str, kind: str) -> list[str]:
    """Asserts the kind of a type that the generator does not know, such as integer or floating-point."""
    found = type_assertion(f"{key}.{name}", ctype, kind)
    if found is None:
        return []
    text = c_string(found.message)
    if found.is_complex:
        return [f"DLB_ASSERT_COMPLEX({ctype}, {text});"]
    lines = [f"DLB_ASSERT_SIZE({ctype}, 1, {text});"] if found.is_byte else []
    return [*lines, f"DLB_ASSERT_KIND({ctype}, {found.asserted}, {text});"]

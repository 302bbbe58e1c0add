"""What only the compiler knows of a function's types, as assertions in its body that quote the spec."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from dlpack_bindgen.bind.functions.ctypes import function_pointer, known_kind, pointed_to
from dlpack_bindgen.bind.functions.given import must_be_real
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.c.types import family, is_unknown
from dlpack_bindgen.spec.functions import IS_OBJECT, Argument, Array, EnumValue, Function, Measure, Number, Object, Out
from dlpack_bindgen.spec.slots import NamedDType


def assertions(
    function: Function,
    given: Sequence[Argument],
    results: Iterable[tuple[str, str, str]],
    structs: Iterable[str],
    key: str,
) -> list[str]:
    """`given`: what Python gives; `results`: name, C type and kind of the numbers that come back; `structs`: what is
    passed by value, of objects with addresses; `key`: what the spec calls the function."""
    prototype = function.prototype
    text = c_string(f"{key}.c: {prototype.name} has another type in the header")
    lines = [f"DLB_ASSERT_FUNCTION({prototype.name}, {function_pointer(prototype)}, {text});"]
    for ctype in dict.fromkeys(structs):
        text = c_string(f"{key}.c: {ctype} is no struct: say 'pass: value' of its class")
        lines.append(f"DLB_ASSERT_KIND({ctype}, STRUCT, {text});")
    if function.ok == IS_OBJECT and function.says_of_failures:
        base = prototype.result.base
        text = c_string(f"{key}.ok: {base} is no pointer, and never NULL: say when the call succeeded")
        lines.append(f"DLB_ASSERT_POINTER(*({base} *)0, {text});")
    for name, ctype, kind in results:
        lines += _of_kind(key, name, ctype, kind)
    for argument in given:
        if isinstance(argument.kind, Number):
            lines += _of_kind(key, argument.name, argument.ctype.base, argument.kind.kind)
        elif isinstance(argument.kind, EnumValue):
            lines += _of_kind(key, argument.name, argument.ctype.base, "int")
        elif isinstance(argument.kind, Object) and argument.kind.optional and not argument.ctype.pointers:
            base = argument.ctype.base
            text = c_string(f"{key}.{argument.name}: {base} is no pointer, and never NULL: it cannot be optional")
            lines.append(f"DLB_ASSERT_POINTER(*({base} *)0, {text});")
    for argument in function.arguments:
        lines += _of_elements(key, argument, function)
        if isinstance(argument.kind, Out) and argument.kind.kind == "bytes" and argument.ctype.length:
            base = argument.ctype.base
            text = c_string(f"{key}.{argument.name}: {base} is no byte")
            lines += [f"DLB_ASSERT_SIZE({base}, 1, {text});"] if is_unknown(pointed_to(argument.ctype)) else []
        if must_be_real(argument):
            lines += _of_kind(key, argument.name, argument.ctype.base, "float")
    return lines


def _of_elements(key: str, argument: Argument, function: Function) -> list[str]:
    """The dtype that is required of an array is one that its elements in C can have."""
    kind, base = argument.kind, argument.ctype.base
    if not isinstance(kind, Array) or kind.is_bytes or base == "void":
        return []
    lines = _of_kind(key, argument.name, base, kind.number) if kind.number else []
    for name in kind.require.dtypes:
        dtype = NamedDType(name).numbers
        text = c_string(f"{key}.{argument.name}: elements of {base} cannot hold {name}")
        lines.append(f"DLB_ASSERT_DATA((const {base} *)0, {dtype.code}, {dtype.bits}, {text});")
        several = kind.require.shape is not None or (kind.require.ndim is not None and kind.require.ndim[0] > 1)
        if family(base) is None and not several and dtype.bits >= 8:
            text = c_string(f"{key}.{argument.name}: {base} is not one {name}: say of which 'shape' the array must be")
            lines.append(f"DLB_ASSERT_SIZE({base}, {dtype.bits // 8}, {text});")
        if family(base) is None and kind.require.align is None and dtype.bits >= 8:
            part = dtype.bits // (16 if dtype.code == "kDLComplex" else 8)
            text = c_string(f"{key}.{argument.name}: {base} is aligned more strictly than {name}: require {{align: N}}")
            lines.append(f"DLB_ASSERT_ALIGNMENT({base}, {part & -part}, {text});")
        row = _row(argument.name, kind.require.shape or (), function)
        if family(base) is None and row and dtype.bits >= 8:
            text = c_string(
                f"{key}.{argument.name}: a row of {row} {name} is no whole {base}, of which C counts the rows"
            )
            lines.append(f"DLB_ASSERT_WHOLE({base}, {row * dtype.bits // 8}, {text});")
    return lines


def _row(name: str, shape: Sequence[str], function: Function) -> int | None:
    """How many elements each of the rows has that C counts: 4 where the shape is `[n, 4]`, and n their number."""
    counted = [each.name for each in function.arguments if each.kind == Measure("extent", name)]
    return (
        prod(map(int, shape[1:])) if shape[:1] and shape[0] in counted and all(map(str.isdecimal, shape[1:])) else None
    )


def _of_kind(key: str, name: str, ctype: str, kind: str) -> list[str]:
    """The generator takes a type that it does not know at its word; the compiler knows it."""
    asserted = {"int": "INTEGER", "float": "REAL", "char": "INTEGER"}.get(kind)
    if asserted is None or known_kind(ctype) == kind or family(ctype) == "char":
        return []
    hint = "it must be a floating type" if kind == "float" else "say in 'args' or 'returns' what it is"
    what = "char, which is one byte" if kind == "char" else kind
    text = c_string(f"{key}.{name}: {ctype} is no {what}: {hint}")
    lines = [f"DLB_ASSERT_SIZE({ctype}, 1, {text});"] if kind == "char" else []
    return [*lines, f"DLB_ASSERT_KIND({ctype}, {asserted}, {text});"]

"""Assertions in the body of a function about types that only the compiler knows. Each assertion quotes the spec."""

from __future__ import annotations

from collections.abc import Iterable

from dlpack_bindgen.arguments.number_types import byte_assertions, type_assertions
from dlpack_bindgen.bind.functions import byte_counts, elements
from dlpack_bindgen.results.kinds import KINDS
from dlpack_bindgen.spec.functions import IS_OBJECT, Argument
from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import CType, Prototype, declared, pointed_to
from dlpack_bindgen.validate.functions.calls import Call


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
    if function.ok == IS_OBJECT and function.says_of_failures:
        base = prototype.result.base
        message = f"{key}.ok: {base} is not a pointer and never NULL: write when the call succeeds"
        found.append(Assertion("POINTER", (f"*({base} *)0",), message))
    found += _of_twins(key, function)
    for name, ctype, kind in results:
        found += type_assertions(f"{key}.{name}", ctype, kind)
    found += elements.returned(key, "result", prototype.result.base, function.result, function)
    if function.result.kind in KINDS and KINDS[function.result.kind].has_characters:
        found += byte_assertions(f"{key}.result", prototype.result.base)
    for name, written, value in function.values[1:]:
        found += elements.returned(key, name, written.base, value, function)
    return found


def _declares(key: str, prototype: Prototype) -> Assertion:
    """Asserts that the header declares a function with its prototype."""
    message = f"{key}.c: {prototype.name} is not a function of this type in the header (for a macro: 'macro: true')"
    return Assertion("FUNCTION", (prototype.name, _function_pointer(prototype)), message)


def argument_assertions(argument: Argument, function: Call, key: str) -> list[Assertion]:
    """Returns the assertions about an array that depend on other arguments."""
    return [*elements.given(key, argument, function), *byte_counts.given(key, argument, function)]


def _of_twins(key: str, function: Call) -> list[Assertion]:
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

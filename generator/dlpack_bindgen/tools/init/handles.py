"""Typedefs of `void *` that stand for objects: a function makes one, and another ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dlpack_bindgen.tools.init.declarations import DeclaredType, Function, Header, Struct
from dlpack_bindgen.tools.init.facts import freeing_word


def with_handles(header: Header) -> Header:
    """Returns the header with a struct for each such typedef, as if the typedef were a pointer to it."""
    made = {name for function in header.functions for name in _made(function)}
    ended = {name for function in header.functions if (name := _ended(function))}
    names = made & ended
    if not names:
        return header
    structs = {**header.structs, **{_key(name): _struct(name) for name in sorted(names)}}

    def change(given: DeclaredType) -> DeclaredType:
        if _is_typedef(given) and given.spelling in names:
            target = DeclaredType("struct", given.spelling, declaration=_key(given.spelling))
            return replace(given, target=target)
        return replace(given, target=change(given.target)) if given.target is not None else given

    functions = tuple(_changed(function, change) for function in header.functions)
    return replace(header, structs=structs, functions=functions)


def _changed(function: Function, change: Callable[[DeclaredType], DeclaredType]) -> Function:
    parameters = tuple(replace(each, type=change(each.type)) for each in function.parameters)
    return replace(function, result=change(function.result), parameters=parameters)


def _key(name: str) -> str:
    return f"handle {name}"


def _struct(name: str) -> Struct:
    return Struct(_key(name), "", pointer_typedef=name, names=frozenset((name,)))


def _is_typedef(given: DeclaredType) -> bool:
    """Returns whether a type is a typedef of `void *`."""
    target = given.target if given.kind == "pointer" else None
    return target is not None and target.kind == "void" and given.spelling.isidentifier()


def _made(function: Function) -> Iterator[str]:
    """Yields the typedefs whose values a function returns, or stores at an address."""
    if _is_typedef(function.result):
        yield function.result.spelling
    for each in function.parameters:
        target = each.type.target if each.type.kind == "pointer" else None
        if target is not None and not target.is_const and _is_typedef(target):
            yield target.spelling


def _ended(function: Function) -> str:
    """Returns the typedef whose only value a function takes, if its name has a word of freeing; else nothing."""
    if len(function.parameters) != 1 or not freeing_word(function):
        return ""
    given = function.parameters[0].type
    target = given.target if given.kind == "pointer" else None
    found = given if _is_typedef(given) else target
    return found.spelling if found is not None and _is_typedef(found) else ""

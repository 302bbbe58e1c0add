"""What types alone prove about functions: which one ends an object, which one makes it, and which do no harm.

A name never lets a function through: it only holds it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dlpack_bindgen.tools.init.comments import said_of_result
from dlpack_bindgen.tools.init.declarations import (
    BORROW,
    COPY,
    ENDING,
    EXCHANGE,
    FREE_BEFORE,
    MOVE,
    MOVE_AT_ENDS,
    PART,
    RELEASE,
    RELEASE_BEFORE,
    RELEASE_ENDINGS,
    RELEASE_PARTLY,
    RETAIN,
    SETTING,
    DeclaredType,
    Function,
    Header,
    Parameter,
    Struct,
    words,
)

# ---- Objects: pointers to structs ----


def object_key(given: DeclaredType) -> str:
    """Returns the key of the struct to which a type points; empty for other types."""
    target = given.target if given.kind == "pointer" else None
    return target.declaration if target is not None and target.kind == "struct" else ""


def address_key(given: DeclaredType) -> str:
    """Returns the key of the struct to whose address a type points, `T **`; empty for other types."""
    return object_key(given.target) if given.kind == "pointer" and given.target is not None else ""


def is_const_object(given: DeclaredType) -> bool:
    return given.target is not None and given.target.is_const


def is_text(given: DeclaredType) -> bool:
    """Returns whether a type is a `const char *`."""
    target = given.target if given.kind == "pointer" else None
    return target is not None and target.kind == "char" and target.is_const


def has_function_pointers(struct: Struct, structs: Mapping[str, Struct] = MappingProxyType({})) -> bool:
    """Returns whether a struct has pointers to functions, or points to a struct of `structs` that has some."""
    tables = [structs[key] for member in struct.members if (key := object_key(member.type)) in structs]
    return any(_is_function(member.type) for member in struct.members) or any(map(has_function_pointers, tables))


def _is_function(given: DeclaredType) -> bool:
    return "(" in given.canonical and given.kind in ("other", "array")


# ---- Words that hold a function back ----


def freeing_word(function: Function) -> str:
    """Returns the word of a name by which the function frees something: `freegroup`; empty if there is none."""
    return next((word for word in words(function.name) if word in RELEASE or _frees(word)), "")


def _frees(word: str) -> bool:
    """Returns whether a word begins or ends with that of a function that frees: `freegroup`, but not `freeze`."""
    return word.endswith(RELEASE_ENDINGS) or (word.startswith(RELEASE_BEFORE) and not word.startswith(FREE_BEFORE))


def ending_word(function: Function, library: Sequence[str] = ()) -> str:
    """Returns the word of a name by which the function may end the life of an object; empty if there is none. The
    words of the library itself do not count: `FreeImage_GetWidth` frees nothing."""
    own = _without_library(function.name, library)
    return next((word for word in own if word in RELEASE or word in ENDING or _frees(word)), "")


def doubtful_word(function: Function, library: Sequence[str] = (), is_const: bool = False) -> str:
    """Returns the word of a name by which the function may move, free, keep or count something; empty if there is
    none. `is_const`: all its objects are `const`, so that it moves no memory of them."""
    doubtful = RETAIN | ENDING | SETTING | RELEASE_PARTLY
    for word in _without_library(function.name, library):
        if word in doubtful or word in RELEASE or _frees(word):
            return word
        if not is_const and (word in MOVE | EXCHANGE or word.startswith(MOVE_AT_ENDS) or word.endswith(MOVE_AT_ENDS)):
            return word
    return ""


def _without_library(name: str, library: Sequence[str]) -> list[str]:
    """Returns the words of a name behind those of the library, which can be the start of a longer word."""
    own = words(name)
    start = "".join(library)
    while own and start and start.startswith(own[0]):
        start = start.removeprefix(own[0])
        own = own[1:]
    return own or words(name)


# ---- Functions that end or make objects ----


def _one_object(function: Function) -> tuple[str, bool]:
    """Returns the key of the struct whose object, or its address, is the only parameter, and whether it is not
    `const`."""
    if len(function.parameters) != 1:
        return "", False
    given = function.parameters[0].type
    return object_key(given) or address_key(given), not is_const_object(given)


def makers(functions: Sequence[Function]) -> dict[str, list[Function]]:
    """Returns the functions that may make objects, by the keys of the structs: they return an object that is not
    `const`, or store one in a parameter."""
    found: dict[str, list[Function]] = {}
    for function in functions:
        keys = {address_key(each.type) for each in function.parameters if not _is_const_address(each.type)}
        if not is_const_object(function.result):
            keys.add(object_key(function.result))
        for key in filter(None, keys):
            found.setdefault(key, []).append(function)
    return found


def _is_const_address(given: DeclaredType) -> bool:
    """Returns whether C cannot store an object at an address: `T *const *`, `const T **`."""
    target = given.target
    return target is None or target.is_const or is_const_object(target)


def lone_ends(functions: Sequence[Function], library: Sequence[str]) -> dict[str, Function]:
    """Returns the function that ends an object, by the key of its struct, where types leave no other: it is the only
    `void f(T *)` or `void f(T **)`, has a word of ending, and a function makes a T."""
    made = makers(functions)
    found: dict[str, list[Function]] = {}
    for function in functions:
        key, is_written = _one_object(function)
        if key and is_written and function.result.kind == "void":
            found.setdefault(key, []).append(function)
    others = [key for each in functions if (key := may_end(each, library))]
    return {
        key: several[0]
        for key, several in found.items()
        if len(several) == 1
        and freeing_word(several[0])
        and not set(words(several[0].name)) & PART
        and others.count(key) == 1
        and any(each is not several[0] for each in made.get(key, ()))
    }


def lone_makers(functions: Sequence[Function], ends: Mapping[str, Function]) -> dict[str, Function]:
    """Returns the function that makes an object, by the key of its struct: the only one that returns a `T *` from
    numbers and texts, of a struct with such an end."""
    found: dict[str, list[Function]] = {}
    for function in functions:
        key = object_key(function.result)
        is_new = key in ends and not is_const_object(function.result) and not _may_lend(function)
        if is_new and all(_is_plain(each) for each in function.parameters):
            found.setdefault(key, []).append(function)
    return {key: several[0] for key, several in found.items() if len(several) == 1}


def _may_lend(function: Function) -> bool:
    """Returns whether a name or a comment says that the result belongs to the library."""
    said = said_of_result(function)
    return bool(set(words(function.name)) & BORROW) or (said is not None and said.word == "part")


def _is_plain(parameter: Parameter) -> bool:
    """Returns whether a parameter is a number, an enum or a text."""
    return parameter.type.is_integer or parameter.type.is_number or is_text(parameter.type)


def may_end(function: Function, library: Sequence[str]) -> str:
    """Returns the key of the struct whose object a function may end, by its types and a word of its name; else an
    empty string. Some libraries free objects by a pointer to `const`."""
    key, is_written = _one_object(function)
    fits = function.result.kind in ("void", "int", "enum", "bool") or object_key(function.result) == key
    if not key or not fits or is_const_object(function.result):
        return ""
    word = ending_word(function, library)
    if set(words(function.name)) & COPY or (not is_written and function.result.kind != "void"):
        return ""
    return key if word else ""


# ---- Functions that do no harm ----


def is_harmless(function: Function, objects: Sequence[DeclaredType], structs: Mapping[str, Struct], word: str) -> bool:
    """Returns whether a function with objects can neither free, move nor keep one: it takes all as `const`, and returns
    a number, an enum or a text. A struct of functions can be registered; `word` is a doubtful one in its name."""
    return (
        all(map(is_const_object, objects))
        and (function.result.is_number or function.result.kind == "enum" or is_text(function.result))
        and not any(has_function_pointers(structs[key], structs) for key in map(object_key, objects) if key in structs)
        and not word
    )


def structs_of_library(header: Header) -> frozenset[str]:
    """Returns the keys of the structs that functions make or end."""
    return frozenset(_made_or_ended(header))


def _made_or_ended(header: Header) -> Iterator[str]:
    yield from makers(header.functions)
    for function in header.functions:
        key, is_written = _one_object(function)
        if key and is_written and freeing_word(function):
            yield key

"""How the functions of a library report failures: by an enum, by an integer type, or by a struct with a message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.declarations import DeclaredType, Header, Struct
from dlpack_bindgen.init.names import words
from dlpack_bindgen.init.vocabulary import FAILURE, MESSAGE, STATUS, SUCCESS, SUCCESS_AMONG_FAILURES

_MOST_MEMBERS = 6
"""The number of members of a struct that only reports failures."""


class StatusStruct(Frozen):
    """A struct with a code and a message, which functions return."""

    spellings: tuple[str, ...]
    """The type in the words of the functions that return it."""
    ok: str
    error: str
    guess: str


class Statuses(Frozen):
    success: Mapping[str, str]
    """The constant for success by the key of an enum of statuses."""
    messages: Mapping[str, str]
    """The function that returns the message of a status, by the key of the enum."""
    structs: Mapping[str, StatusStruct]
    """The structs that report failures, by their keys."""
    constant: str
    """The only constant of the header that stands for success; else empty."""


def statuses(header: Header) -> Statuses:
    success = {key: found for key, enum in header.enums.items() if (found := success_of(enum.values, enum.spelling))}
    messages = {}
    for function in header.functions:
        types = [each.type.declaration for each in function.parameters]
        if _is_message(function.result) and len(types) == 1 and types[0] in success:
            messages[types[0]] = function.name
    constant = _constant(header, success)
    structs = {}
    for key, struct in header.structs.items():
        reports = _status_struct(header, struct, success, constant)
        if reports is not None:
            structs[key] = reports
    return Statuses(success, messages, structs, constant)


def success_of(values: Sequence[tuple[str, int]], spelling: str) -> str | None:
    """Returns the constant of an enum that stands for success: the value 0, with a name such as `LIB_OK`. A name such
    as `LIB_NONE` needs a word of failure in it, or in the name of the enum. `LIB_OK` has another value in enums whose
    value 0 is a failure: `LIB_ERROR`."""
    about_failures = bool(set(words(spelling)) & FAILURE)
    failed = any(value == 0 and set(words(name)[1:]) & FAILURE for name, value in values)
    for name, value in values:
        own = words(name)
        last = set(own[1:]) or set(own)
        among = about_failures or bool(set(own) & FAILURE)
        if value == 0 and (last & SUCCESS or (among and last & SUCCESS_AMONG_FAILURES)):
            return name
        if failed and last & SUCCESS:
            return name
    return None


def _constant(header: Header, success: Mapping[str, str]) -> str:
    plain = [success_of([(each.name, 0)], "") for each in header.macros if each.kind == "int" and each.value == "0"]
    unnamed = [success_of(each.values, "") for each in header.enums.values() if not each.spelling]
    found = {name for name in (*plain, *unnamed, *success.values()) if name}
    return next(iter(found)) if len(found) == 1 else ""


def is_status(given: DeclaredType) -> bool:
    """Returns whether an integer type has a name of its own that says that it is a status: `lib_status`."""
    return given.kind == "int" and " " not in given.spelling and bool(set(words(given.spelling)) & STATUS)


def _is_message(given: DeclaredType) -> bool:
    target = given.pointed
    return target is not None and target.kind == "char" and (target.is_const or given.kind == "array")


def _status_struct(header: Header, struct: Struct, success: Mapping[str, str], constant: str) -> StatusStruct | None:
    results = (each.result for each in header.functions)
    spellings = dict.fromkeys(each.spelling for each in results if _is_value_of(each, struct.key))
    if not spellings or not struct.is_complete or len(struct.members) > _MOST_MEMBERS:
        return None
    message = next((each.name for each in struct.members if _is_message(each.type) and _last(each.name) in MESSAGE), "")
    codes = [each for each in struct.members if each.type.kind in ("enum", "int") and _last(each.name) in STATUS]
    others = [each for each in struct.members if not (_is_message(each.type) or each.type.is_integer)]
    if not message or len(codes) != 1 or others:
        return None
    code = codes[0]
    expected = success.get(code.type.declaration, "") if code.type.kind == "enum" else constant or "0"
    if not expected:
        return None
    guess = f"`{code.name}` is a status, and {expected} stands for success, by the names"
    return StatusStruct(tuple(spellings), f"%.{code.name} == {expected}", f"result.{message}", guess)


def _is_value_of(given: DeclaredType, key: str) -> bool:
    return given.kind == "struct" and given.declaration == key


def _last(name: str) -> str:
    return (words(name) or [""])[-1]


def spelled(structs: Mapping[str, StatusStruct]) -> Iterator[tuple[str, StatusStruct]]:
    """Yields each C type that needs a rule about failures."""
    for each in structs.values():
        for spelling in each.spellings:
            yield spelling, each

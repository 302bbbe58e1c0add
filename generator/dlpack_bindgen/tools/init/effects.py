"""The effects of a function on its arguments, and how it reports failures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tools.init.declarations import (
    ADD_BEFORE,
    ARITHMETIC,
    BORROW,
    EXCHANGE,
    EXTENTS,
    FAILURE,
    FREE_BEFORE,
    IN_OUT,
    MESSAGE,
    MOVE,
    MOVE_AT_ENDS,
    MOVE_OF_ITSELF,
    QUESTION,
    READ,
    RELEASE,
    RELEASE_BEFORE,
    RELEASE_ENDINGS,
    RELEASE_PARTLY,
    RETAIN,
    STATUS,
    SUCCESS,
    SUCCESS_AMONG_FAILURES,
    DeclaredType,
    Function,
    Header,
    Parameter,
    Struct,
    words,
)

# The effects of a function on its arguments: it moves the memory of an object, exchanges two objects, or frees one.
# Only names tell this, so that each answer becomes a marked guess or an open question.

_IN_OUT_COMMENT = re.compile(r"\bin ?[/,] ?out\b|\bin-?out\b", re.IGNORECASE)
_NULL = re.compile(r"\bNULL\b|\bnullptr\b|\bnull pointer\b")

_ALLOWED = re.compile(r"\b(?:may|can|could|should|pass|set to|allowed|optional)\b", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"\b(?:not (?:be|allowed|null)|can ?not|(?:must|may) not|never|returns?|returned|non-null)\b", re.IGNORECASE
)


def moving_word(function: Function) -> str:
    """Returns the word of a name by which the function may move or free the memory of an array: `resize`, `addspan`;
    empty if there is none."""
    own = words(function.name)
    if QUESTION & set(own) or "get" in own:
        return ""
    for word, following in zip(own, (*own[1:], ""), strict=True):
        if word == "set" and following in EXTENTS:
            return f"{word}_{following}"
        if word == "set" and not following and any(_is_read_array(each.type) for each in function.parameters):
            return word
        if following != "only" and (word in MOVE | READ | RELEASE_PARTLY or _has_at_end(word, MOVE_AT_ENDS)):
            return word
        if word.startswith("add") and not word.startswith(ADD_BEFORE):
            return word
    return ""


def _is_read_array(given: DeclaredType) -> bool:
    target = given.pointed
    return target is not None and target.is_const and (target.kind == "void" or target.is_number)


def _has_at_end(word: str, ends: tuple[str, ...]) -> bool:
    return word.startswith(ends) or word.endswith(ends)


def is_arithmetic(functions: Sequence[Function]) -> bool:
    """Returns whether the functions of a class calculate, so that `add` among them adds numbers, and no elements."""
    return len({word for each in functions for word in words(each.name)} & ARITHMETIC) > 1


def written_objects(function: Function, classes: Collection[str]) -> list[Parameter]:
    """Returns the parameters by which a function writes to objects. `classes` has the keys of their structs."""
    return [each for each in function.parameters if _is_written(each.type, classes)]


def _is_written(given: DeclaredType, classes: Collection[str]) -> bool:
    target = given.target if given.kind == "pointer" else None
    return target is not None and not target.is_const and target.declaration in classes


def exchanges(function: Function) -> bool:
    """Returns whether the name of a function says that it exchanges two objects, or gives one the memory of another."""
    return bool(set(words(function.name)) & EXCHANGE)


def replaces_objects(function: Function, own: Sequence[Parameter]) -> bool:
    """Returns whether a function may read the pointers behind parameters such as `T **` before it sets them. `own` are
    the parameters of this kind."""
    word = moving_word(function)
    only = len(own) > 1 and len(own) == len(function.parameters)
    named = any(set(words(each.name)) & IN_OUT for each in own)
    said = _IN_OUT_COMMENT.search(function.comment) is not None
    return only or named or said or exchanges(function) or word in MOVE_OF_ITSELF or word.startswith("add")


def freeing_word(function: Function) -> str:
    """Returns the word of a name by which the function frees something: `freegroup`; empty if there is none."""
    return next((word for word in words(function.name) if word in RELEASE or _frees(word)), "")


def _frees(word: str) -> bool:
    """Returns whether a word begins or ends with that of a function that frees: `freegroup`, but not `freeze`."""
    return word.endswith(RELEASE_ENDINGS) or (word.startswith(RELEASE_BEFORE) and not word.startswith(FREE_BEFORE))


def counts_references(function: Function) -> bool:
    """Returns whether the name of a function says that it changes the number of references to an object."""
    own = set(words(function.name))
    return bool(own & RETAIN) and not own & (BORROW | QUESTION)


def frees_memory(function: Function) -> bool:
    """Returns whether a function frees the memory at an address: `lib_free(void *memory)`. Other words such as `close`
    and `delete` can be about the name in a string."""
    word = freeing_word(function)
    return function.result.kind == "void" and (word.startswith(("free", "dealloc")) or word.endswith("free"))


def shares_arrays(function: Function) -> bool:
    """Returns whether the name of a function says that C uses an array later, too: `x_read_without_copy`."""
    own = words(function.name)
    pairs = set(pairwise(own))
    return "nocopy" in own or bool(pairs & {("without", "copy"), ("no", "copy"), ("without", "copying")})


def mentions_null(function: Function) -> bool:
    """Returns whether the comment of a function speaks of NULL."""
    return _NULL.search(function.comment) is not None


def may_be_null(function: Function, names: Collection[str]) -> bool | None:
    """Returns whether the comment allows NULL for a parameter, which has one of the names there, in the same
    sentence. None: it does not tell."""
    answer = None
    for sentence in re.split(r"\.\s|;|\n", function.comment):
        if _NULL.search(sentence) and any(_has_word(sentence, name) for name in names):
            if _FORBIDDEN.search(sentence):
                answer = False
            elif _ALLOWED.search(sentence):
                return True
    return answer


def _has_word(sentence: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE) is not None


# How the functions of a library report failures: by an enum, by an integer type, or by a struct with a message.

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

"""The effects of a function on its arguments: it moves the memory of an object, exchanges two objects, or frees one.

Only names tell this, so that each answer becomes a marked guess or an open question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from dlpack_bindgen.init.declarations import DeclaredType, Function, Parameter
from dlpack_bindgen.init.names import words
from dlpack_bindgen.init.vocabulary import (
    ADD_BEFORE,
    ARITHMETIC,
    BORROW,
    EXCHANGE,
    EXTENTS,
    FREE_BEFORE,
    IN_OUT,
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
)

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

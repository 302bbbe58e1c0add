"""The kinds of results in their order, and the keys of a result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dlpack_bindgen.calls.array import ReturnedArray, ReturnedBytes
from dlpack_bindgen.calls.number import ENUM, NUMBERS
from dlpack_bindgen.calls.object import BORROW, OWNED, ReturnedObject, ReturnedObjects
from dlpack_bindgen.calls.result_kind import HIDDEN, KEEPS, OF, OPTIONAL, Result, ResultKind, Source
from dlpack_bindgen.calls.spec_names import Class, Mistake, Named
from dlpack_bindgen.calls.string import COUNT, ReturnedString, ReturnedStrings
from dlpack_bindgen.language.keys import Record, listed, with_added
from dlpack_bindgen.language.values import is_true, needed, strings, text_of

# ---- All kinds of results ----

_OBJECTS = ReturnedObjects()
KINDS: tuple[ResultKind, ...] = (
    ReturnedObject(),
    ENUM,
    *NUMBERS.values(),
    ReturnedString(),
    ReturnedBytes(),
    ReturnedArray(),
    ReturnedStrings(),
    _OBJECTS,
    HIDDEN,
)
"""The order in which an entry and a C type are compared with the kinds."""

RESULT_WORDS = tuple(word for kind in KINDS for word in kind.words)
"""The words of the key `of` for a result."""


def kind_of(named: Named) -> ResultKind:
    """Returns the kind that a class, an enum or a word selects."""
    return next(kind for kind in KINDS if kind.is_named(named))


def selected(named: Named, source: Source) -> ResultKind:
    """Returns the kind that a class, an enum or a word selects. A class with `count` is a list of objects."""
    return _OBJECTS if isinstance(named, Class) and source.fields[COUNT] is not None else kind_of(named)


def by_type(source: Source) -> Result | None:
    """Returns the value if its C type selects a kind."""
    return next((value for kind in KINDS if (value := kind.by_type(source)) is not None), None)


def completed(value: Result, source: Source) -> dict[str, Any]:
    """Returns the fields of a value, with all its keys. Raises Mistake for keys that do not apply to its kind."""
    for other in KINDS:
        for key in other.keys if other is not value.kind and other.exclusive is not None else ():
            if key.name in source.fields.given and key.name not in value.kind.accepts:
                message = needed(other.exclusive).format(key=key.name)
                raise Mistake("without-effect", source.fields.given[key.name], message)
    keeps = source.fields[KEEPS]
    return {
        **vars(value),
        **value.kind.fields(value, source),
        "borrow": text_of(source.fields[BORROW]),
        "keeps": strings(keeps) if keeps else (),
        "optional": is_true(source.fields[OPTIONAL]),
        "owned": is_true(source.fields[OWNED]),
    }


# ---- The keys that describe the results of a function: those of several kinds, and those of each kind ----

_SHARED = (
    replace(
        OF,
        doc=OF.doc.format(listed(RESULT_WORDS)),
        details=tuple(sentence for kind in KINDS for key, sentence in kind.details if key == "of"),
    ),
    KEEPS,
    OPTIONAL,
)


RESULT = Record(
    what="a result",
    doc="Describes the value that the C function returns.",
    keys=with_added(_SHARED, (key for kind in KINDS for key in kind.keys)),
)

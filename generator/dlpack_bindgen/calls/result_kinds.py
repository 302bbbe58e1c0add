"""The kinds of results in their order, and the keys of a result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dlpack_bindgen.calls.array_result import Array, Bytes
from dlpack_bindgen.calls.names import Class, Named
from dlpack_bindgen.calls.number import EnumMember, ReturnedNumber, Scalar
from dlpack_bindgen.calls.object_result import BORROW, OWNED, Object, Objects
from dlpack_bindgen.calls.result_kind import KEEPS, OF, OPTIONAL, Recognized, ResultKind, Source
from dlpack_bindgen.calls.string import COUNT, ReturnedString, ReturnedStrings
from dlpack_bindgen.language.kinds import Record, listed, with_added
from dlpack_bindgen.language.values import is_true, strings, text_of

# ---- All kinds of results ----

KINDS: dict[str, ResultKind] = {
    "object": Object(),
    "enum": EnumMember(),
    "int": ReturnedNumber("int"),
    "float": ReturnedNumber("float"),
    "bool": ReturnedNumber("bool"),
    "complex": ReturnedNumber("complex"),
    "char": ReturnedNumber("char"),
    "str": ReturnedString(),
    "bytes": Bytes(),
    "array": Array(),
    "strings": ReturnedStrings(),
    "objects": Objects(),
}
"""The kinds by the name that a value has, in the order in which an entry and a C type are compared with them. A
`private` value is not returned."""
SCALARS = {name: kind for name, kind in KINDS.items() if isinstance(kind, Scalar)}

RESULT_WORDS = tuple(word for kind in KINDS.values() for word in kind.words)
"""The words of the key `of` for a result."""


def selected(named: Named, source: Source) -> ResultKind:
    """Returns the kind that a class, an enum or a word selects. A class with `count` is a list of objects."""
    if isinstance(named, Class) and source.fields[COUNT] is not None:
        return KINDS["objects"]
    return next(kind for kind in KINDS.values() if kind.is_named(named))


def by_type(source: Source) -> tuple[ResultKind, Recognized] | None:
    """Returns the kind that a C type selects, and the value, or None."""
    for kind in KINDS.values():
        if (value := kind.by_type(source)) is not None:
            return kind, value
    return None


def completed(kind: ResultKind | None, value: Recognized, source: Source) -> dict[str, Any]:
    """Returns the fields of a value, with all its keys. Raises Mistake for keys that do not apply to its kind."""
    for other in KINDS.values():
        if other is not kind:
            other.refuse_keys(source, kind.accepts if kind is not None else ())
    keeps = source.fields[KEEPS]
    return {
        **vars(value),
        **(kind.fields(value, source) if kind is not None else {}),
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
        details=tuple(sentence for kind in KINDS.values() for key, sentence in kind.details if key == "of"),
    ),
    KEEPS,
    OPTIONAL,
)


RESULT = Record(
    what="a result",
    doc="Describes the value that the C function returns.",
    keys=with_added(_SHARED, (key for kind in KINDS.values() for key in kind.keys)),
)

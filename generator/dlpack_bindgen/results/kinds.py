"""All kinds of results."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.language.names import Class, Named
from dlpack_bindgen.language.values import is_true, strings, text_of
from dlpack_bindgen.results.array import Array
from dlpack_bindgen.results.bytes import Bytes
from dlpack_bindgen.results.enumeration import EnumMember
from dlpack_bindgen.results.kind import KEEPS, OPTIONAL, Recognized, ResultKind, Source
from dlpack_bindgen.results.number import Number
from dlpack_bindgen.results.object import BORROW, OWNED, Object
from dlpack_bindgen.results.objects import Objects
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.results.string import String
from dlpack_bindgen.results.strings import COUNT, Strings

KINDS: dict[str, ResultKind] = {
    "object": Object(),
    "enum": EnumMember(),
    "int": Number("int"),
    "float": Number("float"),
    "bool": Number("bool"),
    "complex": Number("complex"),
    "char": Number("char"),
    "str": String(),
    "bytes": Bytes(),
    "array": Array(),
    "strings": Strings(),
    "objects": Objects(),
}
"""The kinds by the name that a value has, in the order in which an entry and a C type are compared with them. A
`private` value is not returned."""
SCALARS = {name: kind for name, kind in KINDS.items() if isinstance(kind, Scalar)}

WORDS = tuple(word for kind in KINDS.values() for word in kind.words)
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

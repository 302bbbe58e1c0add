"""The keys that tensors and handles share: methods, properties, constructor and `close`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dlpack_bindgen.language.functions import FUNCTION, MAP_OF_FUNCTIONS
from dlpack_bindgen.language.kinds import (
    EXPRESSION,
    Alternatives,
    Form,
    Key,
    MapOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.shared import DOC, IF
from dlpack_bindgen.language.steps import ERROR, OK
from dlpack_bindgen.language.values import Fields, Leaf, Table

_TYPE_DOC = "`int`, `float`, `bool`, `complex`, `char`, `str`, an `enum` of `constants`, a tensor or a handle."
GET = Key[Leaf]("get", EXPRESSION, "The value of the property.", required=True)
TYPE_OF_PROPERTY: Key[Leaf] = Key[Leaf](
    "type",
    Single(Form.VALUE),
    f"The type of the value: {_TYPE_DOC}",
    default="`int`",
    details=(
        "A tensor of the same C type shows an array in the struct: `get: self`. The attribute replaces the "
        "method of this tensor.",
        "For other tensors and handles, `get` is the address of their struct, such as `&self->matrix`. The "
        "struct must exist as long as that of the object. NULL becomes None.",
        "The value keeps the C object alive.",
    ),
)
SET = Key[Leaf | Fields](
    "set",
    Alternatives(
        (
            Option(
                Words(
                    (
                        Word(
                            "true",
                            "The assigned value is stored in the member that `get` reads, such as `self->level`.",
                        ),
                    ),
                    otherwise="'set: true' stores the value in the member that 'get' names; write a function "
                    "as {c: ...}; without 'set' the property is read-only",
                ),
                "A word.",
            ),
            Option(
                FUNCTION,
                "The function that sets the property. Its parameters are the object and the value: a member "
                "of the enum if `type` is an enum.",
                tag="c",
            ),
        )
    ),
    "Makes the property writable: by a function, or with `true` by an assignment to the member of the C struct.",
    default="read-only",
    details=(
        "`true` is refused for strings, and for members that hold the address or the size of memory.",
        "A value that does not fit the member raises an OverflowError. The member keeps its old value.",
        "If an import created the struct in its own storage (`set`, `init`), its members can be set even if "
        "the array is read-only. The memory behind a pointer member stays read-only. Members of a `const` "
        "object of the library cannot be set.",
    ),
)
PROPERTY = Record(
    what="a property",
    doc="A computed attribute of the Python object; `self` is in scope.",
    keys=(
        GET,
        TYPE_OF_PROPERTY,
        SET,
        DOC,
        IF,
    ),
)
_OF_INIT = Needs(("init",), "it applies to that call")
INIT_OF_STRUCT = Key[Leaf](
    "init",
    EXPRESSION,
    "A call, or an assignment, that gives members of the struct `self` other initial values.",
    details=("It runs before the keywords are assigned.",),
)
NEW_STRUCT = Record(
    what="a new struct",
    doc="A struct of zeros, whose memory the Python object owns. The constructor has a keyword for each property that "
    "can be set.",
    keys=(
        INIT_OF_STRUCT,
        replace(OK, default="the `ok` of the spec", needs=_OF_INIT),
        replace(ERROR, needs=_OF_INIT),
        DOC,
    ),
)
METHODS = Key[Table](
    "methods",
    MAP_OF_FUNCTIONS,
    "Methods. The object is the first parameter of its C type; a function without such a parameter belongs to the "
    "class.",
)
PROPERTIES = Key[Table](
    "properties",
    MapOf(
        Form.PROPERTY,
        Alternatives(
            (
                Option(EXPRESSION, "The value, an integer."),
                Option(PROPERTY, "The value, its type and more.", tag="get"),
            )
        ),
        "a mapping from names to properties",
    ),
    "Computed attributes.",
)
NEW = Key[Fields](
    "new",
    Alternatives(
        (
            Option(FUNCTION, "A C function that returns the object.", tag="c"),
            Option(NEW_STRUCT, "Python makes the struct: `new: {}`."),
        )
    ),
    "The constructor `Name(...)`.",
)
CLASS_KEYS: tuple[Key[Any], ...] = (
    METHODS,
    PROPERTIES,
    NEW,
)

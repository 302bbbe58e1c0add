"""What the classes of tensors and handles have alike: methods, properties, how they are made and closed."""

from __future__ import annotations

from dlpack_bindgen.language.functions import FUNCTION, FUNCTIONS, IF
from dlpack_bindgen.language.kinds import (
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
from dlpack_bindgen.language.slots import EXPRESSION
from dlpack_bindgen.language.steps import ACTION_FORMS, TEXT

_TYPE_DOC = "`int`, `float`, `bool`, `complex`, `char`, `str`, or an `enum` of `constants`."
PROPERTY = Record(
    what="a property",
    doc="An attribute that is computed; `self` is in scope.",
    keys=(
        Key("get", EXPRESSION, "Its value.", required=True),
        Key("type", Single(Form.VALUE), f"What that is: {_TYPE_DOC}", default="`int`"),
        Key(
            "set",
            Alternatives(
                (
                    Option(
                        Words(
                            (Word("true", "What is assigned is stored where `get` reads it: in `self->level`."),),
                            otherwise="'set: true' stores the value in the member that 'get' names; a function that "
                            "does it is written {c: ...}; without 'set' the property is read-only",
                        ),
                        "A word.",
                    ),
                    Option(
                        FUNCTION,
                        "The function that sets it, of the object and the value, which is a member where `type` is an "
                        "enum.",
                        tag="c",
                    ),
                )
            ),
            "How it is set. `true` is for members of a C struct, but for texts, and for what says where memory is and "
            "how much of it. A value that the member cannot hold is an OverflowError, and leaves it as it was. Members "
            "of a struct that an import has made in storage of its own (`set`, `init`) can be set where the array is "
            "read-only, too; not what they point to, and nothing that the library has called `const`.",
            default="read-only",
        ),
        Key("doc", TEXT, "What it is, for docstring and stub."),
        IF,
    ),
)
CLASS_KEYS = (
    Key("methods", FUNCTIONS, "Functions of an object: the first parameter of its C type. Without one: of the class."),
    Key(
        "properties",
        MapOf(
            Form.PROPERTY,
            Alternatives(
                (
                    Option(EXPRESSION, "Its value, an integer."),
                    Option(PROPERTY, "All there is to say.", tag="get"),
                )
            ),
            "a mapping from names to properties",
        ),
        "Attributes that are computed.",
    ),
    Key("new", FUNCTION, "What `Name(...)` calls: it yields the object."),
    Key(
        "close",
        ACTION_FORMS,
        "What `close()` and the end of a `with` run in the place of `release`, and whose failure is raised; refused "
        "while exports or parts live. Whatever comes of it, the object is closed then, and nothing else ends it: it "
        "frees what `release` frees.",
        default="`release`, when the last share has gone",
        needs=Needs(("release",), "that ends objects that nobody closes"),
    ),
)

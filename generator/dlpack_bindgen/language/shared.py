"""The keys that several records have, and those of a class that its functions read."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import DIRECTIVE, Form, Key, Single, Word, Words
from dlpack_bindgen.language.steps import PARAMETERS, TEXT
from dlpack_bindgen.language.values import Items, Leaf

DOC = Key[Leaf]("doc", TEXT, "The description for the docstring and the stub.")
IF = Key[Leaf]("if", DIRECTIVE, "The condition of the `#if` around all code that is generated for the item.")
TYPE = Key[Leaf]("type", Single(Form.CTYPE), "The C type of the object.", required=True)
PASS = Key[Leaf](
    "pass",
    Words(
        (
            Word("pointer", "`self` is a `T *`. Functions may also take or return the struct itself, a `T`."),
            Word(
                "value",
                "`self` is a `T`, and functions take a `T`. Use it for pointer typedefs, ids, and structs that may be "
                "copied.",
            ),
        )
    ),
    "Whether C code gets the address of the object or the object itself.",
    default="`pointer`",
)
GIVEN = "Arguments that are passed when the object is created, and stored with it"


PARAMS = Key[Items](
    "params",
    PARAMETERS,
    f"{GIVEN}: `wrap(self, plane)` in C, `frame.plane(1)` in Python.",
    details=(
        "Each param of a returned object gets the value of the function's parameter with an equal name and type. "
        "If such a param is an object, the result must borrow from it or keep it.",
        "If the function has no such parameter, the value of a required number comes from an argument. This "
        "argument is the only object with a param of that name and type.",
        "A part or view of another object gets the values of the params of that object with equal name and type.",
    ),
    after="variants",
)

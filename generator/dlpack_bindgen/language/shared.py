"""The keys that several records have."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    DIRECTIVE,
    EXPRESSION,
    Alternatives,
    Entry,
    Form,
    Key,
    ListOf,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Items, Leaf

ARRAYS = Key[Leaf](
    "arrays",
    Single(Form.TENSOR),
    "The name of a class for arrays that functions create (`default: new`, `default: like PARAM`) or return "
    "(`of: array`). The module defines the class.",
    details=(
        "New arrays are compact, on the CPU, and filled with zeros.",
        "The C type of the class is `dlb_array`, from `dlb_array.h` of the runtime. Your own functions can return "
        "such arrays, too.",
    ),
)


TEXT = Single(Form.TEXT)


PARAMETERS = ListOf(
    Alternatives(
        (
            Option(Single(Form.PARAMETER), "`T name = default`; a parameter without a default is required."),
            Option(
                Record(
                    what="a parameter with a default",
                    doc="A parameter as a mapping, equal to `T name = default`.",
                    keys=(),
                    entry=Entry(Form.DECLARATION, EXPRESSION, "`T name: default`."),
                ),
                "`{T name: default}`, equal to `T name = default`.",
            ),
        )
    ),
    "a list of parameters",
)


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

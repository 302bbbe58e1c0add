"""The keys of the module itself: functions, constants, enums, and code that runs when Python loads it."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.calls.features import MODULE_KEYS as KEYS_OF_FEATURES
from dlpack_bindgen.language.functions import MAP_OF_FUNCTIONS
from dlpack_bindgen.language.kinds import (
    EXPRESSION,
    Alternatives,
    Form,
    Key,
    ListOf,
    MapOf,
    Option,
    Record,
    Single,
    Word,
    Words,
    with_added,
)
from dlpack_bindgen.language.records import ARRAYS, NUMBERS, RECORDS
from dlpack_bindgen.language.steps import ACTIONS
from dlpack_bindgen.language.values import Items, Leaf, Table

_MEMBERS = Alternatives(
    (
        Option(ListOf(Single(Form.CONSTANT), "a list of members", least=1), "The members, with their names in C."),
        Option(MapOf(Form.CONSTANT, EXPRESSION, "a mapping from members to values"), "The members and their values."),
    )
)
VALUE_OF_CONSTANT = Key[Leaf]("value", EXPRESSION, "The value.", required=True)
TYPE_OF_CONSTANT = Key[Leaf](
    "type",
    Words(
        (
            Word("int", "An integer."),
            Word("float", "A floating point number."),
            Word("bool", "A boolean."),
            Word("complex", "A complex number."),
            Word("char", "A character; in Python a `str`."),
            Word("str", "A `const char *`."),
        )
    ),
    "The type of the value.",
    default="`int`",
)
ENUM = Key[Items | Table]("enum", _MEMBERS, "The members.", required=True)
FLAGS = Key[Items | Table]("flags", _MEMBERS, "The members.", required=True)
CONSTANT = Record(
    what="a constant",
    doc="A constant of the module, with its type.",
    keys=(
        VALUE_OF_CONSTANT,
        TYPE_OF_CONSTANT,
    ),
)
INT_ENUM = Record(
    what="an enum",
    doc="An `enum.IntEnum`. Functions use the enum as the type of a parameter or result. A result "
    "that is not a member becomes an `int`. The values are constant expressions of C. Declare the "
    "value of a call as a constant instead.",
    keys=(ENUM,),
)
INT_FLAG = Record(
    what="an enum of flags",
    doc="An `enum.IntFlag`. Functions use the enum as the type of a parameter or result. Members can "
    "be combined with `|`, and results are combinations of members.",
    keys=(FLAGS,),
)
MAP_OF_CONSTANTS = MapOf(
    Form.CONSTANT,
    Alternatives(
        (
            Option(EXPRESSION, "The value, an integer."),
            Option(
                CONSTANT,
                "A value and its type.",
                tag="value",
            ),
            Option(
                INT_ENUM,
                "An `IntEnum`.",
                tag="enum",
            ),
            Option(
                INT_FLAG,
                "An `IntFlag`.",
                tag="flags",
            ),
        )
    ),
    "a mapping from names to constants",
)

ENUMS = ("enum", "flags")
"""The keys that hold the members of an enum."""


INIT = Key[Items]("init", ACTIONS, "Calls that run once, when Python loads the module.")
FUNCTIONS = Key[Table]("functions", MAP_OF_FUNCTIONS, "The functions of the module.")
CONSTANTS = Key[Table](
    "constants", MAP_OF_CONSTANTS, "The constants and enums of the module, by their names in Python."
)
_KEYS = (
    NUMBERS,
    RECORDS,
    ARRAYS,
    FUNCTIONS,
    CONSTANTS,
    INIT,
)
MODULE_KEYS: tuple[Key[Any], ...] = with_added(_KEYS, KEYS_OF_FEATURES)

"""The keys of the module itself: functions, constants, enums, and code that runs when Python loads it."""

from __future__ import annotations

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
from dlpack_bindgen.language.records import RECORDS
from dlpack_bindgen.language.steps import ACTIONS
from dlpack_bindgen.language.values import Attribute, Fields, Items, Leaf, Table, leaf


class ConstantFields(Fields):
    value = leaf()
    type = leaf()


class EnumFields(Fields):
    """An enum, or an enum of flags."""

    enum = Attribute[Items | Table]()
    flags = Attribute[Items | Table]()


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
MEMBERS = Key[Items | Table]("enum", _MEMBERS, "The members.", required=True)
FLAGS = Key[Items | Table]("flags", _MEMBERS, "The members.", required=True)
MAP_OF_CONSTANTS = MapOf(
    Form.CONSTANT,
    Alternatives(
        (
            Option(EXPRESSION, "The value, an integer."),
            Option(
                Record(
                    what="a constant",
                    fields=ConstantFields,
                    doc="A constant of the module, with its type.",
                    keys=(
                        VALUE_OF_CONSTANT,
                        TYPE_OF_CONSTANT,
                    ),
                ),
                "A value and its type.",
                tag="value",
            ),
            Option(
                Record(
                    what="an enum",
                    fields=EnumFields,
                    doc="An `enum.IntEnum`. Functions use the enum as the type of a parameter or result. A result "
                    "that is not a member becomes an `int`. The values are constant expressions of C. Declare the "
                    "value of a call as a constant instead.",
                    keys=(MEMBERS,),
                ),
                "An `IntEnum`.",
                tag="enum",
            ),
            Option(
                Record(
                    what="an enum of flags",
                    fields=EnumFields,
                    doc="An `enum.IntFlag`. Functions use the enum as the type of a parameter or result. Members can "
                    "be combined with `|`, and results are combinations of members.",
                    keys=(FLAGS,),
                ),
                "An `IntFlag`.",
                tag="flags",
            ),
        )
    ),
    "a mapping from names to constants",
)

ENUMS = ("enum", "flags")
"""The keys that hold the members of an enum."""

_NUMBERS = MapOf(
    Form.CTYPE,
    Words(
        (
            Word("int", "An integer."),
            Word("float", "A floating point number."),
            Word("bool", "A boolean."),
            Word("complex", "A complex number of C, or a struct of two floats or two doubles, the real part first."),
        )
    ),
    "a mapping from C types to words",
)

NUMBERS = Key[Table](
    "numbers",
    _NUMBERS,
    "Number types that only the headers define, each with its kind of number: `lib_real: float`. A pointer to "
    "such a type is an array; the compiler finds its dtype.",
)
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
MODULE_KEYS = with_added(_KEYS, KEYS_OF_FEATURES)

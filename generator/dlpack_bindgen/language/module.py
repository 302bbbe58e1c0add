"""What a spec says of the module itself: functions, constants, enums, and what runs when it is loaded."""

from __future__ import annotations

from dlpack_bindgen.language.functions import FUNCTIONS
from dlpack_bindgen.language.kinds import Alternatives, Form, Key, ListOf, MapOf, Option, Record, Single, Word, Words
from dlpack_bindgen.language.slots import EXPRESSION
from dlpack_bindgen.language.steps import ACTIONS

_MEMBERS = Alternatives(
    (
        Option(ListOf(Single(Form.CONSTANT), "a list of members", least=1), "Members that are called as in C."),
        Option(MapOf(Form.CONSTANT, EXPRESSION, "a mapping from members to values"), "Members and their values."),
    )
)
CONSTANTS = MapOf(
    Form.CONSTANT,
    Alternatives(
        (
            Option(EXPRESSION, "An integer."),
            Option(
                Record(
                    what="a constant",
                    doc="A value of the library that is no integer.",
                    keys=(
                        Key("value", EXPRESSION, "The value.", required=True),
                        Key(
                            "type",
                            Words(
                                (
                                    Word("int", "An integer."),
                                    Word("float", "A floating point number."),
                                    Word("bool", "A boolean."),
                                    Word("complex", "A complex number."),
                                    Word("char", "A character, as a `str`."),
                                    Word("str", "A `const char *`."),
                                )
                            ),
                            "What it is.",
                            default="`int`",
                        ),
                    ),
                ),
                "A value and its type.",
                tag="value",
            ),
            Option(
                Record(
                    what="an enum",
                    doc="An `enum.IntEnum`, whose name functions use for parameters and results. No member: an `int`. "
                    "C knows the values when it compiles: what a call yields is no member, but a constant.",
                    keys=(Key("enum", _MEMBERS, "The members.", required=True),),
                ),
                "An `IntEnum`.",
                tag="enum",
            ),
            Option(
                Record(
                    what="an enum of flags",
                    doc="An `enum.IntFlag`, used as an enum is: its members may be combined with `|`, and results are "
                    "combinations of them.",
                    keys=(Key("flags", _MEMBERS, "The members.", required=True),),
                ),
                "An `IntFlag`.",
                tag="flags",
            ),
        )
    ),
    "a mapping from names to constants",
)

ENUMS = ("enum", "flags")
"""What holds the members of a constant that is a class."""

_NUMBERS = MapOf(
    Form.CTYPE,
    Words(
        (
            Word("int", "An integer."),
            Word("float", "A floating point number."),
            Word("bool", "A boolean."),
            Word(
                "complex",
                "A complex number of C, or a struct of two floats or two doubles, of which the first is the real part.",
            ),
        )
    ),
    "a mapping from C types to what they are",
)

MODULE_KEYS = (
    Key(
        "numbers",
        _NUMBERS,
        "Number types that only the headers know, as prototypes name them: `lib_real: float`. Pointers to them are "
        "arrays of the dtype that they have for the compiler.",
    ),
    Key(
        "arrays",
        Single(Form.TENSOR),
        "The name of a new class, beside `tensors`: of the arrays that functions make where Python gives none "
        "(`default: new`, `default: like PARAM`), or that they return (`of: array`): "
        "compact, on the CPU, zeroed. Its C type is `dlb_array`, of the runtime's `dlb_array.h`, so that functions of "
        "your own can return some.",
    ),
    Key("functions", FUNCTIONS, "The functions of the module."),
    Key("constants", CONSTANTS, "Constants and enums of the module, by their names in Python."),
    Key("init", ACTIONS, "What runs once, when Python loads the module."),
)

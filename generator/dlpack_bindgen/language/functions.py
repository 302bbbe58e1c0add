"""What Python calls: functions, with what their parameters and results are."""

from __future__ import annotations

from dlpack_bindgen.language.arguments import ARGUMENT, BORROW, COUNT, DTYPE, KEEPS, OWNED, PARAMETER, SHAPE, SIZE, flag
from dlpack_bindgen.language.kinds import Alternatives, Form, Key, ListOf, MapOf, Option, Record, Single
from dlpack_bindgen.language.slots import DIRECTIVE, EXPRESSION
from dlpack_bindgen.language.steps import CHECKS, STATEMENT, TEXT, or_none

MAX_FUNCTIONS = 5000

IF = Key("if", DIRECTIVE, "What follows `#if` around everything that is made of it.")
_ARGUMENTS = MapOf(
    Form.OF_PROTOTYPE,
    Alternatives(
        (
            Option(Single(Form.KIND), "The same as `{of: ...}`."),
            Option(ARGUMENT, "All there is to say."),
        )
    ),
    "a mapping from parameters to what they are",
)

# ---- Results ----

_RETURNS = Alternatives(
    (
        Option(Single(Form.KIND), "What the result is; an object is the caller's. `None`: nothing is returned."),
        Option(
            ListOf(PARAMETER, "a list of what is returned", least=1, if_empty="nothing is 'returns: None'"),
            "A tuple of `result` and parameters.",
        ),
        Option(
            Record(
                what="a result",
                doc="What the C function returns.",
                keys=(
                    Key(
                        "of",
                        Single(Form.KIND),
                        "A tensor, a handle, an enum or a word, also `bytes`, `array` and `texts` (a list of `str`: a "
                        "copy of a table of `count` entries, or of one that ends with NULL; without a table, an empty "
                        "list).",
                        required=True,
                    ),
                    Key("borrow", PARAMETER, BORROW, default="the caller owns it"),
                    OWNED,
                    KEEPS,
                    Key("size", EXPRESSION, SIZE),
                    COUNT,
                    SHAPE,
                    DTYPE,
                    flag(
                        "optional",
                        "NULL is `None`.",
                        "NULL is a failure.",
                        "What NULL is.",
                        default="`false`; of `str` and `bytes`, `true` unless `ok` leaves no NULL",
                    ),
                ),
            ),
            "What it is, and whose.",
            tag="of",
        ),
    )
)
_RAISES = Alternatives(
    (
        Option(Single(Form.EXCEPTION), "For every failure. An OSError has the number that `errno` says."),
        Option(
            MapOf(
                Form.KEY,
                Single(Form.EXCEPTION),
                "a mapping from results to exceptions",
                otherwise="all other results are '_'",
            ),
            "By the result; `_` stands for all others.",
        ),
    )
)

FUNCTION = Record(
    what="a function",
    doc="A C function that Python calls; in C text the parameters and `result` are in scope, in that of a method also "
    "the `params` of its object.",
    keys=(
        Key(
            "c",
            Single(Form.PROTOTYPE),
            "The prototype, as C has it: each parameter with the name it has in Python. Where a pointer is `restrict`, "
            "arguments that overlap it in memory are refused if the function writes to one of the two.",
            required=True,
        ),
        Key("args", _ARGUMENTS, "What the parameters are, where their C types do not say it."),
        Key(
            "require",
            CHECKS,
            "What must hold of the parameters before the call; else a ValueError. It is tested as soon as all is known "
            "that it mentions, and before the lengths and values that call something or look into an object. What C "
            "fills or returns is not known then: `ok` tests that. What one array must be is said in `args`.",
        ),
        Key(
            "returns",
            _RETURNS,
            "What Python gets; `None`: nothing.",
            default="the result, and what is `out` or made by default, but not what `ok` compares with `==`",
        ),
        Key(
            "ok",
            or_none(Single(Form.OUTCOME)),
            "When the call succeeded: the rest of a comparison (`'!= NULL'`), an expression with `%` for the result, "
            "or one about a parameter that C fills, as in `info == 0`.",
            default="an object that is returned is not NULL",
        ),
        Key("error", EXPRESSION, "The message of a failure, as a `const char *` in C."),
        Key("raises", _RAISES, "The exception that a failure is.", default="`RuntimeError`"),
        Key(
            "errno",
            EXPRESSION,
            "The number of an OSError, as an `int` in C, such as `-result`; 0 is none. `errno: errno` takes the number "
            "that the call left in C's `errno`. Libraries also leave one there that is not the cause of a failure: one "
            "that polls leaves EAGAIN.",
            default="`errno`, if the function takes a `path` or `raises` names the result that is an OSError; else 0",
        ),
        Key("undo", STATEMENT, "Statements for a result that fails its test, after the message has been read."),
        Key(
            "finally",
            STATEMENT,
            "Statements for the end, when the result is an object of Python's, or after a failure: `free(result)`. "
            "They follow every call that was made, also where the result is NULL: `if (result != NULL) "
            "mpfr_free_str(result)` for what cannot take that.",
        ),
        flag(
            "release_gil",
            "Other threads run; arrays of others are held for the time.",
            "Other threads wait; arrays of others are borrowed.",
            "Whether other threads of Python run during the call.",
        ),
        Key("positional_only", PARAMETER, "The last of the parameters that cannot be given by name."),
        Key(
            "keyword_only",
            Alternatives(
                (
                    Option(PARAMETER, "The first of them: the others follow."),
                    Option(ListOf(PARAMETER, "a list of parameters", least=1), "Those: Python has them at the end."),
                )
            ),
            "The parameters that can only be given by name: this one and all behind it, or those of the list. One "
            "behind it that must be given is still positional, if this one may be left out and none before it may.",
        ),
        Key(
            "name",
            Single(Form.FUNCTION),
            "The name in Python; of several with one name, each has an `if`.",
            default="the key",
        ),
        Key("doc", TEXT, "What it does, for docstring and stub."),
        IF,
    ),
)
FUNCTIONS = MapOf(Form.FUNCTION, FUNCTION, "a mapping from names to functions", MAX_FUNCTIONS)

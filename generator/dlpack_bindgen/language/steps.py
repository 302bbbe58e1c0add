"""The keys for C code that runs around the slots: declarations, calls that may fail, and conditions."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    EXPRESSION,
    Alternatives,
    Entry,
    Form,
    Key,
    ListOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Leaf

STATEMENT = Single(Form.STATEMENT)
TEXT = Single(Form.TEXT)

CONDITION = Single(Form.CONDITION)
MESSAGE = Key[Leaf]("message", TEXT, "The error message; by default, the expression itself.")
_REASON = "The error message, a C expression of type `const char *`; `result` is in scope."


def or_none(condition: Single) -> Alternatives:
    """Returns the values that every `ok` takes: a condition, or the word `none`."""
    none = Word(
        "none",
        "The call has no test, and the `ok` of the spec does not apply. NULL instead of an object is still a failure.",
    )
    return Alternatives((Option(Words((none,)), "A word."), Option(condition, "A condition.")))


_SUCCEEDED = "The success condition: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result."
OK = Key[Leaf]("ok", or_none(CONDITION), _SUCCEEDED)
OK_OF_MAKING = Key[Leaf](
    "ok",
    or_none(CONDITION),
    _SUCCEEDED,
    default="with `init`, the `ok` of the spec; with `construct`, the object is not NULL",
)
ERROR = Key[Leaf]("error", EXPRESSION, _REASON)
_OK_OF_DO = Key[Leaf](
    "ok",
    or_none(CONDITION),
    "The success condition: the rest of a comparison (`== 0`), or an expression with `%` for the result. With `ok`, "
    "`do` must be a single call.",
    default="the `ok` of the spec",
)
FINALLY_OF_STEP = Key[Leaf](
    "finally",
    STATEMENT,
    "Statements that run at the end of the reading or call, even after a failure. The steps of a list run them in "
    "reverse order.",
)
UNDO_OF_STEP = Key[Leaf](
    "undo", STATEMENT, "Statements that run if a later step fails. The steps of a list run them in reverse order."
)

EXPR = Key[Leaf]("expr", EXPRESSION, "The condition.", required=True)
CHECK = Record(
    what="a check",
    doc="A condition that must hold, and the message if it does not.",
    keys=(
        EXPR,
        MESSAGE,
        Key("error", EXPRESSION, "The error message of the library, a C expression of type `const char *`."),
    ),
)
CHECKS = ListOf(
    Alternatives(
        (
            Option(EXPRESSION, "A condition without a message."),
            Option(CHECK, "A condition and its message.", tag="expr"),
        )
    ),
    what="a list of conditions",
)

DO = Key[Leaf]("do", STATEMENT, "The call; without `ok`, any C statements.", required=True)
ACTION = Record(
    what="a call {do}",
    doc="A call that may fail.",
    keys=(
        DO,
        _OK_OF_DO,
        ERROR,
    ),
)
ACTION_FORMS = Alternatives(
    (
        Option(STATEMENT, "Statements that cannot fail."),
        Option(ACTION, "A call that may fail.", tag="do"),
    )
)
ACTIONS = ListOf(ACTION_FORMS, "a list of calls", lone=True)

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

TESTED = (
    Key(
        "ok",
        or_none(CONDITION),
        "The condition on the variable: the rest of a comparison, or an expression with `%` for its name.",
    ),
    Key(
        "error",
        EXPRESSION,
        "The error message, a C expression of type `const char *`.",
        needs=Needs(("ok",), "without a condition, there is no error"),
    ),
)


def let_of(form: Form, doc: str) -> ListOf:
    variable = Record(
        what="a declaration",
        doc="A C variable. A value that does not fit its integer type is refused.",
        keys=(*TESTED, FINALLY_OF_STEP, UNDO_OF_STEP),
        entry=Entry(form, Single(Form.INITIALISER), doc),
    )
    return ListOf(
        Alternatives(
            (
                Option(_OUT, "A variable, and the call that fills it.", tag="out"),
                Option(_DO, "A call, or statements.", tag="do"),
                Option(_REQUIRE, "A condition that must hold at this step.", tag="require"),
                Option(variable, "A variable and its initialiser."),
            )
        ),
        "a list of declarations",
    )


_DO = Record(
    what="a step {do}",
    doc="A call, or statements, between the declarations.",
    keys=(*ACTION.keys, FINALLY_OF_STEP, UNDO_OF_STEP),
)
OUT_OF_STEP = Key[Leaf]("out", Single(Form.OUTPUT), "`T name`, or an array `T name[N]`.", required=True)
_OUT = Record(
    what="a declaration {out}",
    doc="A C variable, initialised with zero, and the call that fills it.",
    keys=(OUT_OF_STEP, *_DO.keys),
)
REQUIRE_OF_STEP = Key[Leaf]("require", EXPRESSION, "The condition.", required=True)
_REQUIRE = Record(
    what="a step {require}",
    doc="A condition that must hold before the next declaration.",
    keys=(REQUIRE_OF_STEP, *CHECK.keys[1:]),
)
DECLARED = "`T name: initialiser`; the last identifier is the name. An empty value initialises with zero"
LET = let_of(Form.DECLARATION, f"{DECLARED}.")

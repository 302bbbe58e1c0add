"""C that runs around the slots: declarations, calls that may fail, conditions."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
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
from dlpack_bindgen.language.slots import EXPRESSION

STATEMENT = Single(Form.STATEMENT)
TEXT = Single(Form.TEXT)

CONDITION = Single(Form.CONDITION)
_MESSAGE = Key("message", TEXT, "What the error says; without it, the expression itself.")
_REASON = "The message of a failure, as a `const char *` in C; `result` is in scope."


def or_none(condition: Single) -> Alternatives:
    """Returns what every `ok` takes: a condition, or the word `none`."""
    none = Word("none", "No test, not even the `ok` of the spec. An object that is NULL is a failure all the same.")
    return Alternatives((Option(Words((none,)), "A word."), Option(condition, "A condition.")))


_SUCCEEDED = (
    "When the call succeeded: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result."
)
OK = Key("ok", or_none(CONDITION), _SUCCEEDED)
OK_OF_MAKING = Key(
    "ok",
    or_none(CONDITION),
    _SUCCEEDED,
    default="the `ok` of the spec for `init`; an object of `construct` is not NULL",
)
ERROR = Key("error", EXPRESSION, _REASON)
_OK_OF_DO = Key(
    "ok",
    or_none(CONDITION),
    "When the call succeeded: the rest of a comparison (`== 0`), or an expression with `%` for the result; `do` is one "
    "call then.",
    default="the `ok` of the spec",
)
_FINALLY = Key("finally", STATEMENT, "Statements for the end, whatever happens; in reverse order of the list.")
_UNDO = Key("undo", STATEMENT, "Statements for when something fails later on; in reverse order of the list.")

CHECK = Record(
    what="a check",
    doc="A condition that must hold, with the message for when it does not.",
    keys=(
        Key("expr", EXPRESSION, "The condition.", required=True),
        _MESSAGE,
        Key("error", EXPRESSION, "The message as a `const char *` in C, where the library has one."),
    ),
)
CHECKS = ListOf(
    Alternatives(
        (
            Option(EXPRESSION, "The condition alone."),
            Option(CHECK, "A condition and its message.", tag="expr"),
        )
    ),
    what="a list of conditions",
)

ACTION = Record(
    what="a call {do}",
    doc="A call that may fail.",
    keys=(
        Key("do", STATEMENT, "The call; without `ok`, any statements.", required=True),
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

CLONE = Alternatives(
    (
        Option(EXPRESSION, "The call; NULL is a failure."),
        Option(
            Record(
                what="a clone {do}",
                doc="A call that yields a new handle.",
                keys=(Key("do", EXPRESSION, "The call.", required=True), OK, ERROR),
            ),
            "A call, and when it succeeded.",
            tag="do",
        ),
    )
)

PARAMETERS = ListOf(
    Alternatives(
        (
            Option(Single(Form.PARAMETER), "`T name = default`; without a default it must be given."),
            Option(
                Record(
                    what="a parameter with a default",
                    doc="The same as `T name = default`.",
                    keys=(),
                    entry=Entry(Form.DECLARATION, EXPRESSION, "`T name: default`."),
                ),
                "The same as a mapping.",
            ),
        )
    ),
    "a list of parameters",
)

_TESTED = (
    Key(
        "ok",
        or_none(CONDITION),
        "What must hold for the variable: the rest of a comparison, or an expression with `%` for its name.",
    ),
    Key(
        "error",
        EXPRESSION,
        "The message of a failure, as a `const char *` in C.",
        needs=Needs(("ok",), "'ok' says when there is one"),
    ),
)

HOLD = ListOf(
    Record(
        what="a held value",
        doc="A C variable that lives as long as the owner.",
        keys=_TESTED,
        entry=Entry(Form.DECLARATION, EXPRESSION, "`T name: expression`; the last identifier is the name."),
    ),
    "a list of declarations",
)


def _let(form: Form, doc: str) -> ListOf:
    variable = Record(
        what="a declaration",
        doc="A C variable; a value that its integer type cannot hold is refused.",
        keys=(*_TESTED, _FINALLY, _UNDO),
        entry=Entry(form, Single(Form.INITIALISER), doc),
    )
    return ListOf(
        Alternatives(
            (
                Option(_OUT, "A variable that a call fills.", tag="out"),
                Option(_DO, "A call.", tag="do"),
                Option(_REQUIRE, "A condition that must hold here.", tag="require"),
                Option(variable, "A variable."),
            )
        ),
        "a list of declarations",
    )


_DO = Record(
    what="a step {do}",
    doc="A call between the declarations.",
    keys=(*ACTION.keys, _FINALLY, _UNDO),
)
_OUT = Record(
    what="a declaration {out}",
    doc="A zeroed C variable and the call that fills it.",
    keys=(Key("out", Single(Form.OUTPUT), "`T name`, or an array `T name[N]`.", required=True), *_DO.keys),
)
_REQUIRE = Record(
    what="a step {require}",
    doc="A condition that must hold before the next declaration.",
    keys=(Key("require", EXPRESSION, "The condition.", required=True), *CHECK.keys[1:]),
)
_DECLARED = "`T name: initialiser`; the last identifier is the name, and an empty value zeroes"
LET = _let(Form.DECLARATION, f"{_DECLARED}.")
LET_WITH_ARRAYS = _let(
    Form.VARIABLE, f"{_DECLARED}; `T name[]: shape` copies `shape`, `strides` or `byte_strides`, or `reversed(shape)`."
)

"""The keys that describe once how functions report failures."""

from __future__ import annotations

from dlpack_bindgen.language.functions import FUNCTION
from dlpack_bindgen.language.kinds import Form, Key, ListOf, Record, Single
from dlpack_bindgen.language.values import Items, Leaf

REPLACED = ("ok", "error", "raises", "errno")
"""The keys of a rule that a key of the function replaces."""
ADDED = ("undo", "finally")
"""The keys of a rule whose statements run after those of the function."""

PARAMETER = Key[Leaf](
    "parameter",
    Single(Form.DECLARATION),
    "The parameter with its name: `GError **error`. The rule applies to functions, methods and constructors "
    "whose prototype has it. C fills it, as with `out: true`, unless their `args` describe it.",
)
RESULT = Key[Leaf](
    "result",
    Single(Form.CTYPE),
    "The C type of the result: `lib_status`. The rule applies to functions, methods and constructors that "
    "return this type.",
)
FAILURE = Record(
    what="a rule about failures",
    doc="Describes how all functions with one parameter, or with one type of result, report failures. The first rule "
    "that fits a function applies. `ok`, `error`, `raises` and `errno` of the function replace those of the rule; its "
    "`undo` and `finally` run before those of the rule. `ok: none` cancels the rule, except for `finally`.",
    keys=(
        PARAMETER,
        RESULT,
        *(key for key in FUNCTION.keys if key.name in (*REPLACED, *ADDED)),
    ),
    one_of=("parameter", "result"),
)
FAILURES: Key[Items] = Key[Items](
    "failures",
    ListOf(FAILURE, "a list of rules about failures", least=1, lone=True),
    "How functions report failures, described once for all functions with a parameter or a type of result.",
)

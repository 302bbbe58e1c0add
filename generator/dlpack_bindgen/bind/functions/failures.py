"""Exceptions of called functions, with the runtime call that raises each."""

from __future__ import annotations

import re

from dlpack_bindgen.arguments.facts import EmittedCall
from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.bind.functions.fragments import names_in
from dlpack_bindgen.bind.signatures import takes_errno
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.fragments import negate
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.names import is_system_error
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import family, is_unknown
from dlpack_bindgen.validate.functions.calls import Call


class RequirementFacts(Frozen):
    """A condition that must hold before the call, for `templates/functions/failures.c.j2`."""

    function: str
    given: str
    """The arguments that Python has passed, or NULL."""
    test: str
    """The condition, as a C expression."""
    shown: str
    """The condition as the spec has it."""
    message: str
    """The message, as a C expression."""


class FailureFacts(Frozen):
    """An exception after the call, for `templates/functions/failures.c.j2`."""

    function: str
    given: str
    """The arguments that Python has passed, or NULL."""
    exception: str
    called: str
    """The call that failed, for the message."""
    message: str
    """The message, as a C expression or NULL."""
    number: str
    """The error number, as a C expression."""
    path: str
    """The first path that Python has passed, or NULL."""
    status: str
    """The variable whose value the message shows."""
    label: str
    """A comment with the key of a message that the compiler has to read."""


def requirement(check: Check, call: EmittedCall) -> tuple[Piece, Piece]:
    """Returns the condition that a `require` does not hold, and the statement that raises its error."""
    message = c_string(check.message or f"{check.expr} does not hold")
    if check.error is not None:
        message = call.text(check.error)
    facts = RequirementFacts(call.table, call.passed, negate(call.text(check.expr)), check.expr, message)
    return Piece("functions/failures", "does_not_hold", facts, is_condition=True), Piece(
        "functions/failures", "is_required", facts
    )


class Failures:
    """Exceptions after the call of a function. `number`: the variable of errno. `path`: the first path, or NULL."""

    def __init__(self, function: Call, call: EmittedCall, number: str, path: str) -> None:
        self._function = function
        self._call = call
        self._number = number
        self._path = path

    def raised(self, exception: str) -> Piece:
        function, call = self._function, self._call
        number = self._number if takes_errno(function) else self._own_number(function.errno or "")
        facts = FailureFacts(
            function=call.table,
            given=call.passed,
            exception=exception,
            called=f"{function.prototype.name}()",
            message=call.text(function.error) if function.error is not None else "NULL",
            number=number,
            path=self._path,
            status=call.variable(function.status),
            label=f" /* {call.key}.error */" if function.error is not None and names_in([function.error]) else "",
        )
        if is_system_error(exception) and function.errno not in (None, "0"):
            return Piece("functions/failures", "system_error", facts)
        is_silent = is_system_error(exception) and function.errno is None  # a status such as -1 explains nothing
        return Piece("functions/failures", "status_error" if self._is_number() and not is_silent else "error", facts)

    def _own_number(self, text: str) -> str:
        """Returns the C expression of the error number, from the `errno` of the spec."""
        own = self._call.text(text)
        is_int = self._function.prototype.result.base == "int" and text in ("result", "-result")
        return own if is_int else f"(int)({own})"

    def _is_number(self) -> bool:
        """Returns whether the status seems to be an integer. If `ok` reads its members, it is a struct."""
        if self._function.status != "result":
            filled = next(each.kind for each in self._function.arguments if each.name == self._function.status)
            kind, _ = filled.returned_value() or ("int", None)
            return kind in ("int", "enum")
        ctype, ok = self._function.prototype.result, self._function.ok or ""
        known = family(ctype.base)
        is_struct = self._function.result.kind == "object" or re.search(r"%\s*\.", ok) is not None
        return not ctype.pointers and (known == "int" or (known is None and is_unknown(ctype) and not is_struct))

"""Exceptions of called functions, with the runtime call that raises each."""

from __future__ import annotations

import re

from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.signatures import takes_errno
from dlpack_bindgen.c.names import is_system_error
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.c.types import family, is_unknown
from dlpack_bindgen.spec.functions import Function, Out
from dlpack_bindgen.spec.requirements import Check


def required(check: Check, facts: str, named: Locals) -> str:
    """Returns the call that raises the error of a `require`, before the function is called."""
    message = c_string(check.message or f"{check.expr} does not hold")
    if check.error is not None:
        message = named.text(check.error)
    return f"dlb_py_failed(&{facts}, PyExc_ValueError, {c_string(check.expr)}, {message});"


class Failures:
    """Exceptions after the call. `number` is the variable of errno. `path` is the first path argument, or NULL."""

    def __init__(self, function: Function, facts: str, named: Locals, number: str, path: str) -> None:
        self._function = function
        self._facts = facts
        self._locals = named
        self._number = number
        self._path = path

    def raised(self, exception: str) -> str:
        function = self._function
        message = self._locals.text(function.error) if function.error is not None else "NULL"
        told = f"&{self._facts}, PyExc_{exception}"
        call = c_string(f"{function.prototype.name}()")
        if is_system_error(exception) and function.errno not in (None, "0"):
            number = self._number if takes_errno(function) else self._own_number(function.errno or "")
            return f"dlb_py_failed_system({told}, {number}, {call}, {message}, {self._path});"
        is_silent = is_system_error(exception) and function.errno is None  # a status such as -1 explains nothing
        if self._is_number() and not is_silent:
            return f"dlb_py_failed_with({told}, {call}, {message}, DLB_VALUE({self._locals[function.status]}));"
        return f"dlb_py_failed({told}, {call}, {message});"

    def _own_number(self, text: str) -> str:
        """Returns the C expression of the error number, from the `errno` of the spec."""
        own = self._locals.text(text)
        is_int = self._function.prototype.result.base == "int" and text in ("result", "-result")
        return own if is_int else f"(int)({own})"

    def _is_number(self) -> bool:
        """Returns whether the status seems to be an integer. If `ok` reads its members, it is a struct."""
        if self._function.status != "result":
            filled = next(each for each in self._function.arguments if each.name == self._function.status)
            kind = (
                filled.kind.kind if isinstance(filled.kind, Out) else (filled.kind.returned_value() or ("int", None))[0]
            )
            return kind in ("int", "enum")
        ctype, ok = self._function.prototype.result, self._function.ok or ""
        known = family(ctype.base)
        is_struct = self._function.result.kind == "object" or re.search(r"%\s*\.", ok) is not None
        return not ctype.pointers and (known == "int" or (known is None and is_unknown(ctype) and not is_struct))

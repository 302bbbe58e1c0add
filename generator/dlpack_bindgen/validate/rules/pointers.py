"""Rules for C text that dereferences NULL: the result of a failed call, or an argument that Python omits."""

from __future__ import annotations

from dlpack_bindgen.language.functions import ERRNO, FINALLY, UNDO
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.steps import ERROR
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Report
from dlpack_bindgen.text.expressions import reads_unasked
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.results import is_null, tested


def check(function: Fields, call: Call, known: Names, report: Report) -> None:
    rules = _Pointers(function, call, known, report)
    rules.result()
    rules.not_given()


class _Pointers:
    def __init__(self, function: Fields, call: Call, known: Names, report: Report) -> None:
        self._function = function
        self._call = call
        self._known = known
        self._emit = report

    def result(self) -> None:
        """Reports C text that dereferences a NULL result, after a failure or because the result is optional."""
        result, prototype = self._call.read_result, self._call.prototype
        if result is None:
            return
        test = tested(self._function, prototype, result, self._known)
        fails = is_null(prototype, test)
        why = "the call fails" if fails else "there is none"
        is_optional = result.optional or result.kind in ("str", "strings", "bytes")
        may_be_none = test is None and is_optional and prototype.result.depth
        function = self._function
        read = [function[FINALLY]] if fails or may_be_none else []
        for text in [function[ERROR], function[ERRNO], function[UNDO], *read] if fails else read:
            if text is not None and reads_unasked(text.text, "result"):
                self._report(text, "result", f"the result is NULL where {why}, and this dereferences it")

    def not_given(self) -> None:
        optional = [each.name for each in self._call.arguments if each.kind.is_passed and each.kind.optional]
        for _, text in c_fragments(self._function) if optional else ():
            for name in optional:
                if reads_unasked(text.text, name):
                    message = f"'{name}' is NULL where Python gives none, and this dereferences it"
                    self._report(text, name, message)

    def _report(self, text: Leaf, name: str, message: str) -> None:
        is_value = text.form == Form.EXPRESSION
        hint = f"write '{f'{name} != NULL ? ... : ...' if is_value else f'if ({name} != NULL) {{ ... }}'}'"
        self._emit(Diagnostic("null-pointer", text.span, message, hint))

"""C text of a function that reads what may not be there: the result of a failed call, what Python did not give."""

from __future__ import annotations

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.reads import reads_unasked
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.spec.functions import Array, Object, Raw, Text, Texts
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.results import tested
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.values import Fields, Leaf, c_texts


def check(function: Fields, call: Call, report: Report) -> None:
    rules = _Pointers(function, call, report)
    rules.result()
    rules.not_given()


class _Pointers:
    def __init__(self, function: Fields, call: Call, report: Report) -> None:
        self._function = function
        self._call = call
        self._emit = report

    def result(self) -> None:
        """A pointer that fails is NULL, and so may be one that is optional."""
        call = self._call
        test = tested(self._function, call.prototype, call.result) if call.result else None
        signs = [token.text for token in ctext.tokens(test or "")]
        fails = signs[:2] == ["%", "!="] and signs[2:] in (["NULL"], ["0"])
        why = "the call fails" if fails else "there is none"
        may_be_none = (
            test is None and call.result and (call.result.optional or call.result.kind in ("str", "texts", "bytes"))
        )
        keys = ("error", "errno", "undo", "finally") if fails else ("finally",) if may_be_none else ()
        for text in (self._function.leaf(key) for key in keys if call.prototype.result.depth):
            if text is not None and reads_unasked(text.text, "result"):
                self._report(text, "result", f"the result is NULL where {why}, and this reads what it points to")

    def not_given(self) -> None:
        optional = [
            argument.name
            for argument in self._call.sound()
            if isinstance(argument.kind, (Array, Object, Raw, Text, Texts)) and argument.kind.optional
        ]
        for _, text in c_texts(self._function) if optional else ():
            for name in optional:
                if reads_unasked(text.text, name):
                    message = f"'{name}' is NULL where Python gives none, and this reads what it points to"
                    self._report(text, name, message)

    def _report(self, text: Leaf, name: str, message: str) -> None:
        is_value = text.form == Form.EXPRESSION
        hint = f"write '{f'{name} != NULL ? ... : ...' if is_value else f'if ({name} != NULL) {{ ... }}'}'"
        self._emit(Diagnostic("null-pointer", text.span, message, hint))

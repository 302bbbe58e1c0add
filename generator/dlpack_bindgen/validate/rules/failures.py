"""Rules for failures of calls: the test of the result, and the exception."""

from __future__ import annotations

from dlpack_bindgen.language.functions import ERRNO, RAISES
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.steps import OK
from dlpack_bindgen.language.values import Fields, Leaf, Table, c_fragments, condition_of, table_of, text_of
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.fragments import has_members, mentions
from dlpack_bindgen.text.names import is_system_error
from dlpack_bindgen.text.types import CType, family
from dlpack_bindgen.validate import conditions
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.results import is_null, status, tested
from dlpack_bindgen.validate.rules.match import meaning

_UNSIGNED = ("unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t")
_OF_FAILURES = ("error", "raises", "errno", "undo")
_NOTHING = ("NULL", "0")


def check(function: Fields, call: Call, known: Names, report: Report) -> None:
    rules = _Rules(function, call, known, report)
    rules.keys()
    rules.tested()
    rules.raised()
    rules.number()
    rules.nothing()


class _Rules:
    def __init__(self, function: Fields, call: Call, known: Names, report: Report) -> None:
        self._function = function
        self._call = call
        self._known = known
        self._emit = report

    def keys(self) -> None:
        """Reports `error`, `raises`, `errno` and `undo` without a test for failures."""
        function, call = self._function, self._call
        self._about()
        if call.read_result is None or self._has_test() or self._test():
            return
        for key in _OF_FAILURES:
            if key in function.given:
                message = f"'{key}' needs 'ok' beside it: 'ok' declares when the call fails"
                may_be_null = call.prototype.result.depth or call.read_result.kind == "object"
                hint = "for a pointer: ok: '!= NULL'" if may_be_null else None
                self._emit(Diagnostic("needs-key", function.given[key], message, hint))

    def _has_test(self) -> bool:
        """Returns whether `ok` has a condition, valid or not."""
        function = self._function
        return OK in function and (condition_of(function[OK]) is not None or function[OK] is None)

    def _test(self) -> str | None:
        call = self._call
        return tested(self._function, call.prototype, call.read_result, self._known) if call.read_result else None

    def _about(self) -> None:
        """Reports an `ok` whose tested value does not exist."""
        function, call = self._function, self._call
        test = condition_of(function[OK])
        about = status(text_of(test), call.arguments)
        if test is not None and about is None and len(call.arguments) == len(call.read_arguments):
            hint = f"{ctext.NO_TEST.hint}; a parameter that it is about is 'out: true'"
            self._emit(Diagnostic("bad-ok", test.span, ctext.NO_TEST.message, hint))
        elif call.prototype.result == CType("void") and test is not None and self._reads_result(test, about):
            message = "'ok' tests the result, and this function has no result"
            outs = [each.name for each in call.arguments if each.kind.returned is not None]
            status_hint = f"write '{outs[-1]} == 0', or another condition of success" if outs else None
            self._emit(Diagnostic("result-type", function.place(OK), message, status_hint))

    def _reads_result(self, test: Leaf, about: str | None) -> bool:
        """Returns whether the test reads the result: as `%`, or by its name."""
        return about == "result" or mentions([test.text], "result")

    def tested(self) -> None:
        """Reports an `ok` that accepts NULL pointers, orders addresses, is always true, or compares a number with
        NULL."""
        test, result = condition_of(self._function[OK]), self._call.prototype.result
        if test is None:
            return
        signs = [token.text for token in ctext.tokens(test.text)]
        if len(signs) != 3 or "%" not in signs:
            return
        if signs[1] == "==" and signs[2] in ("0", "NULL") and result.depth and self._known.objects(result):
            message = "this counts a NULL pointer as a success, and every object a failure"
            self._emit(Diagnostic("result-type", test.span, message, "write '!= NULL'"))
        elif signs[1] in ("<", "<=", ">", ">=") and result.depth:
            message = "this compares the order of addresses, which does not show success"
            self._emit(Diagnostic("result-type", test.span, message, "write '!= NULL'"))
        elif signs[1:] == [">=", "0"] and result.base.startswith(_UNSIGNED):
            message = f"'{result.base}' is never less than 0: this holds always"
            self._emit(Diagnostic("result-type", test.span, message))
        elif signs[2] == "NULL" and result.depth == 0 and family(result.base):
            message = f"'{self._call.prototype.name}' returns '{result.base}', which is not a pointer"
            self._emit(Diagnostic("result-type", test.span, message, "compare it with a number, such as '== 0'"))

    def number(self) -> None:
        """Reports `errno` without an OSError."""
        function, raises = self._function, self._function[RAISES]
        values = [leaf for _, leaf in raises.leaves()] if isinstance(raises, Table) else [raises]
        names = [leaf.text for leaf in values if isinstance(leaf, Leaf)]
        is_known = self._has_test() or raises is not None  # otherwise another rule reports the missing test
        if ERRNO in function and is_known and not any(map(is_system_error, names)):
            message = "only an OSError has the number of an error"
            self._emit(
                Diagnostic(
                    "without-effect",
                    function.place(ERRNO),
                    message,
                    "write 'raises: OSError', or leave it out",
                )
            )

    def raised(self) -> None:
        """Reports results that `raises` lists twice, and results that C cannot compare with numbers."""
        raises = table_of(self._function[RAISES])
        taken: dict[str, Leaf] = {}
        for key, _ in raises.entries if raises else ():
            hint = "compare in 'ok'; '_' is for all other values"
            conditions.compared(key, "result", self._emit, otherwise=hint)
            first = taken.setdefault(meaning(key.text), key)
            if first is not key:
                notes = (Note(first.span, "first here"),)
                self._emit(
                    Diagnostic("unreachable-arm", key.span, f"'{shown(key.text)}' is matched before", notes=notes)
                )
        compared = [key for key, _ in (raises.entries if raises else ()) if key.text != "_"]
        if compared and self._is_struct():
            message = f"'{compared[0].text}' is compared with the result, which is a struct"
            hint = "name one exception; or write a C function that returns a number, and bind it"
            self._emit(Diagnostic("result-type", compared[0].span, message, hint))
        signs = [token.text for token in ctext.tokens(text_of(condition_of(self._function[OK])) or "")]
        is_address = self._call.prototype.result.depth and signs[:2] == ["%", "=="] and signs[2:] in (["NULL"], ["0"])
        numbers = [key for key in compared if key.text.lstrip("+-").isdecimal() and key.text not in _NOTHING]
        if numbers and is_address:
            message = f"'{numbers[0].text}' is compared with the result, which is a pointer"
            hint = "name one exception; 'error' can be a string with the reason, such as result->message"
            self._emit(Diagnostic("result-type", numbers[0].span, message, hint))

    def _is_struct(self) -> bool:
        """Returns whether the result is known to be a struct: by its type, by a member in C text, or by its class."""
        call, result = self._call, self._call.prototype.result
        if result.depth or status(text_of(condition_of(self._function[OK])), call.arguments) != "result":
            return False
        fragments = [text_of(condition_of(self._function[OK]))]
        fragments += [text_of(self._function.value_of(key)) for key in (*_OF_FAILURES, "finally")]
        found = [(text, name) for text in fragments if text for name in ("%", "result")]
        for of in self._known.objects(result):
            if of.is_struct(result) and call.read_result is not None and call.read_result.kind == "object":
                return True
            found += [(leaf.text, "self") for _, leaf in c_fragments(of.fields)]
        return result.base.startswith(("struct ", "union ")) or any(has_members(*each) for each in found)

    def nothing(self) -> None:
        """Reports `raises` with values for a pointer: it is NULL in each failure."""
        if not is_null(self._call.prototype, self._test()):
            return
        raises = table_of(self._function[RAISES])
        for key, _ in raises.entries if raises else ():
            if key.text not in (*_NOTHING, "_"):
                message = f"'{key.text}' is compared with the result, which is NULL if the call fails"
                hint = "name one exception, as in 'raises: ValueError'; 'error' can be a string with the reason"
                self._emit(Diagnostic("result-type", key.span, message, hint))

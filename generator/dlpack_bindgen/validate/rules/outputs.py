"""Rules for the key `outputs`: there are arrays that have the library, and an argument that decides it."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.advisor import UnknownName
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.language import SpecFields
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.outputs import AS_GIVEN, OWN_CLASS
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.outputs import deciding, has_new_arrays
from dlpack_bindgen.validate.structure import Report


def check_module(spec: SpecFields, report: Report) -> None:
    """Reports a top-level `outputs` without arrays."""
    if (written := spec.outputs) is not None and written.text == AS_GIVEN and SpecFields.arrays not in spec:
        message = "'outputs' is about the arrays that functions make, and this spec has none"
        report(Diagnostic("without-effect", written.span, message, "write at the top: 'arrays: Array'", cause="arrays"))


def check(function: FunctionFields, call: Call, returned: Sequence[str], names: Names, report: Report) -> None:
    """Reports an `outputs` of a function that has no effect, or that names no array."""
    written, name = function.outputs, call.prototype.name
    if written is None or written.text == OWN_CLASS:
        return
    found = deciding(call, names)
    if written.text != AS_GIVEN and call.find(written.text) is None:
        message = f"'{name}' has no parameter '{written.text}'"
        facts = UnknownName(written.text, [each.name for each in found])
        report(Diagnostic("unknown-parameter", written.span, message, facts=facts))
    elif not has_new_arrays(call, returned, names):
        message = f"'{name}' returns no new array of the class that 'arrays' names"
        report(Diagnostic("without-effect", written.span, message, "leave 'outputs' out"))
    elif not found:
        message = f"no argument of '{name}' is an array whose library the outputs can have"
        report(Diagnostic("without-effect", written.span, message, "leave 'outputs' out"))
    elif written.text not in (AS_GIVEN, *(each.name for each in found)):
        message = f"'{written.text}' is not an array that Python passes"
        names_of_arrays = " or ".join(f"'{each.name}'" for each in found)
        report(Diagnostic("without-effect", written.span, message, f"write {names_of_arrays}, or 'as given'"))

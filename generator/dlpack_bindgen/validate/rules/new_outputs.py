"""Rules for `default: like PARAM` and `default: new`: arrays and objects that are allocated if Python omits them."""

from __future__ import annotations

from dlpack_bindgen.arguments.entry import DEFAULT, ParameterEntry
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.language.kinds import MAX_RANK
from dlpack_bindgen.language.making import ALLOCATE_OF_TENSOR
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import lengths
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Report, UnknownName
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.lengths import is_open
from dlpack_bindgen.validate.ranks import rank_bounds
from dlpack_bindgen.validate.rules import requirements

_ALIGNMENT = 64
"""The alignment of a new array in bytes, as in `dlb_array` in the runtime."""


def check(each: ParameterEntry, argument: Argument, call: Call, report: Report) -> None:
    _Rules(each, argument, call, report).check()


class _Rules:
    def __init__(self, each: ParameterEntry, argument: Argument, call: Call, report: Report) -> None:
        self._each = each
        self._argument = argument
        self._call = call
        self._emit = report
        self._span = (each.fields[DEFAULT] or each.fields).span

    def check(self) -> None:
        made, kind = self._argument.kind.new_output, self._argument.kind
        assert made is not None
        names = [each.parameter.name for each in self._call.entries]
        model = self._call.find(made.like or "")
        if made.like is not None and made.like not in names:
            message = f"'{self._call.prototype.name}' has no parameter '{made.like}'"
            facts = UnknownName(made.like, names)
            self._emit(Diagnostic("unknown-parameter", self._span, message, facts=facts))
        elif self._has_no_class(kind):
            return
        elif not kind.writes:
            self._report("default-made", "a new array has no content, and the function only reads it")
        elif model is not None and (other := model.kind.new_output) is not None:
            hint: str | None = f"args: {{{self._argument.name}: {{require: [{{shape: [...]}}], default: new}}}}"
            if other.like is not None:
                hint = f"write 'default: like {other.like}'"
            if other.like in (self._argument.name, model.name):
                hint = None
            self._report("default-made", f"'{made.like}' is made by default itself, and is not there yet", hint)
        elif model is not None and (not self._call.has_shape(model) or model.kind.may_be_missing):
            self._report("default-made", f"'{made.like}' is not an array, or not always there")
        elif kind.is_array:
            self._array(kind, made.like is None)
        elif made.like is None:
            self._object(kind)

    def _has_no_class(self, kind: Kind) -> bool:
        if kind.object_class is None:
            if self._call.names.arrays is None:
                message = "an object that is made here must have a class"
                self._emit(
                    Diagnostic("default-made", self._span, message, "write at the top: 'arrays: Array'", cause="arrays")
                )
            return self._call.names.arrays is None
        of = self._call.names.classes[kind.object_class]
        if not of.allocates:
            notes = (Note(of.name.span, "the class"),)
            message = f"no new '{kind.object_class}' can be made: it has no 'allocate'"
            empty = f"args: {{{self._argument.name}: {{out: true}}}} if C fills an empty struct"
            hint = f"declare 'allocate' in '{kind.object_class}'; or {empty}"
            self._emit(Diagnostic("default-made", self._span, message, hint, notes, cause=kind.object_class))
        return not of.allocates

    def _array(self, kind: Kind, is_required: bool) -> None:
        """Reports new arrays with an unknown shape or dtype. `is_required`: `require` must declare both."""
        name, require = self._argument.name, kind.require
        dtypes = require.dtypes or (("its C type",) if kind.own_dtype(self._argument.ctype) else ())
        shape, counts = lengths(self._argument)
        if require.devices is not None and "cpu" not in require.devices:
            self._report("default-made", "a new array is on the CPU, which is not accepted")
        elif require.align is not None and require.align > _ALIGNMENT:
            self._report("default-made", f"a new array is aligned to {_ALIGNMENT} bytes, not to {require.align}")
        elif is_required and not shape and not counts:
            if not is_open(self._each, self._argument, self._call.read_arguments):  # else reported there
                hint = f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}, or 'default: like PARAM'"
                self._report("default-made", f"the shape of a new '{name}' is not declared", hint)
        elif is_required and not shape and self._axes() > 1:
            hint = f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}"
            self._report(
                "default-made", f"'{name}' has {self._axes()} axes, and a 'count' does not give their lengths", hint
            )
        elif is_required and len(dtypes) != 1:
            hint = f"args: {{{name}: {{require: [{{dtype: ...}}, ...], default: new}}}}, or 'default: like PARAM'"
            self._report("default-made", f"the dtype of a new '{name}' is not declared", hint)

    def _object(self, kind: Kind) -> None:
        """Reports new objects with an unknown shape or dtype."""
        name, require = self._argument.name, kind.require
        of = self._call.names.classes[kind.object_class or ""]
        shape, counts = lengths(self._argument)
        least, greatest = rank_bounds(of.fields) or (0, MAX_RANK)
        dtypes = require.dtypes or requirements.possible_dtypes(of.fields, of.fields[ALLOCATE_OF_TENSOR])
        if not shape and not counts:
            hint = f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}, or 'default: like PARAM'"
            self._report("default-made", f"the shape of a new '{name}' is not declared", hint)
        elif not shape and not least <= 1 <= greatest:
            hint = f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}"
            message = f"'{name}' has {least} axes, and a 'count' does not give their lengths"
            self._report("default-made", message, hint)
        elif len(dtypes) != 1:
            hint = f"args: {{{name}: {{require: [{{dtype: ...}}, ...], default: new}}}}, or 'default: like PARAM'"
            message = f"the dtype of a new '{name}' is not declared: '{of.name.text}' has several"
            self._report("default-made", message, hint)

    def _axes(self) -> int:
        """Returns the least number of axes of the array."""
        ndim = self._argument.kind.require.ndim
        axes = [value.axis + 1 for value in self._call.measures(self._argument.name)]
        return max([ndim[0] if ndim else 0, *axes])

    def _report(self, code: Code, message: str, hint: str | None = None) -> None:
        self._emit(Diagnostic(code, self._span, message, hint))

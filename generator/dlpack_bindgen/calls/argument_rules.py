"""Rules about the arguments of a call."""

from __future__ import annotations

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_keys import KEYWORD_ONLY, POSITIONAL_ONLY
from dlpack_bindgen.calls.kind import DEFAULT, Argument, Kind, ParameterEntry
from dlpack_bindgen.calls.kinds import KINDS
from dlpack_bindgen.calls.lengths import is_open, lengths
from dlpack_bindgen.calls.names import declared_params
from dlpack_bindgen.calls.result_kind import OPTIONAL
from dlpack_bindgen.language.kinds import MAX_RANK, PARAMETER
from dlpack_bindgen.language.values import Leaf, is_true, items_of, leaf_of
from dlpack_bindgen.tensor import accepts
from dlpack_bindgen.tensor.accepts import possible_dtypes
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR
from dlpack_bindgen.tensor.match_rules import rank_bounds
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Report, UnknownName

# ---- Rules for the order of arguments in Python: required before optional ones, by position before by name ----


def check_order(call: Call, report: Report) -> None:
    if call.is_whole:
        _required(call, report)
    _places(call, report)


def _required(call: Call, report: Report) -> None:
    """Reports required arguments after optional ones. New outputs may stand anywhere."""
    spans = {each.parameter.name: each.span for each in call.entries}
    optional, before, late, after = list[str](), list[str](), list[str](), ""
    for argument in call.from_python():
        if argument.name in call.at_end or argument.kind.new_output is not None:
            continue
        if argument.kind.may_be_missing:
            optional.append(argument.name)
        elif optional:
            before, late, after = optional.copy(), [*late, argument.name], after or optional[-1]
    if late:
        message = f"'{late[0]}' is required, and comes after '{after}', which is optional"
        notes = (Note(spans[after], "it may be left out"), *(Note(spans[n], f"so must '{n}'") for n in late[1:]))
        default = "them defaults" if late[1:] else "it a default"
        hint = f"give {default}, or write 'keyword_only: [{', '.join(before)}]'"
        report(Diagnostic("required-after-optional", spans[late[0]], message, hint, notes))


def _places(call: Call, report: Report) -> None:
    function = call.fields
    given = [argument.name for argument in call.from_python()]
    known = {argument.name for argument in call.arguments}
    last, first = function[POSITIONAL_ONLY], leaf_of(function[KEYWORD_ONLY])
    listed = items_of(function[KEYWORD_ONLY])
    leaves = listed.leaves() if listed else ()
    for leaf in (last, first, *leaves):
        if leaf is not None and leaf.text in known and leaf.text not in given:
            report(Diagnostic("argument-order", leaf.span, f"Python does not give '{leaf.text}'"))
    for place, leaf in enumerate(leaves):
        if leaf.text in [each.text for each in leaves[:place]]:
            report(Diagnostic("argument-order", leaf.span, f"'{leaf.text}' is listed twice"))
        elif last is not None and leaf.text == last.text:
            report(Diagnostic("argument-order", leaf.span, f"'{leaf.text}' can only be given by position"))
    if last is None or first is None or not {last.text, first.text} <= set(given):
        return
    if given.index(first.text) <= given.index(last.text):
        notes = (Note(last.span, "the last one by position"),)
        report(Diagnostic("argument-order", first.span, f"'{first.text}' can be given by position", notes=notes))


# Rules for `default: like PARAM` and `default: new`: arrays and objects that are allocated if Python omits them.

_ALIGNMENT = 64
"""The alignment of a new array in bytes, as in `dlb_array` in the runtime."""


def check_new_outputs(each: ParameterEntry, argument: Argument, call: Call, report: Report) -> None:
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
        dtypes = require.dtypes or (("its C type",) if kind.element else ())
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
        dtypes = require.dtypes or possible_dtypes(of.fields, of.fields[ALLOCATE_OF_TENSOR])
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


# Rules for the entries of `args`: those that each kind of argument has, and those for defaults and requirements.

REFERENCES = tuple(key.name for kind in KINDS for key in kind.keys if key.kind is PARAMETER)
"""Keys of an argument whose value is another parameter."""
_MEASURED = ("shape", "count")


def check_arguments(call: Call, report: Report) -> None:
    for each, argument in call.pairs:
        for problem in argument.kind.problems(each, argument.ctype, call):
            report(problem)
        _default(each, argument, call, report)
        _requirements(each, argument, call, report)


def _default(each: ParameterEntry, argument: Argument, call: Call, report: Report) -> None:
    if not each.has_entry:
        return
    if is_true(each.fields[OPTIONAL]) and DEFAULT in each.fields:
        message = "with a default, it is optional already"
        report(Diagnostic("without-effect", each.place(OPTIONAL), message))
    if argument.kind.new_output is not None:
        check_new_outputs(each, argument, call, report)
    elif default := each.fields[DEFAULT]:
        _mentioned(default, each, call, report)


def _mentioned(default: Leaf, each: ParameterEntry, call: Call, report: Report) -> None:
    """Reports names in a default that are not numbers or strings before it. Its own name may be a type of C."""
    earlier = [call.find(other.parameter.name) for other in call.entries[: call.entries.index(each)]]
    read = {argument.name for argument in earlier if argument and argument.kind.is_read_early}
    others = {other.parameter.name for other in call.entries} | _params_of_self(call)
    others.discard(each.parameter.name)
    for name in ctext.names(default.text):
        if name in others and name not in read:
            message = f"'{name}' is not known here: a default can use the numbers and strings before it"
            report(Diagnostic("used-too-early", default.span, message))
            return


def _params_of_self(call: Call) -> set[str]:
    """Returns the names of the params of `self`, which are read after the numbers."""
    of = call.class_of(call.own_object) if call.own_object else None
    return {param.name for param in declared_params(of)} if of else set()


def _requirements(each: ParameterEntry, argument: Argument, call: Call, report: Report) -> None:
    required = each.fields[REQUIRE_OF_ARGUMENT]
    of = call.names.classes.get(argument.kind.class_name or "")
    accepts.check_requirements(required, of.fields if of else None, report)
    for record in required.records() if required else ():
        key = next((key for key in _MEASURED if key in record.given), None)
        is_counted = argument.kind.is_table_of_strings and key == "count"
        if key is not None and not is_counted and not call.has_shape(argument):
            message = f"'{argument.name}' is not an array, of which '{key}' could be required"
            report(Diagnostic("measure-of", record.given[key], message))

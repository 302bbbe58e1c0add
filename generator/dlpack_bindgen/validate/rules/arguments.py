"""Rules for the entries of `args`: those that each kind of argument has, and those for defaults and requirements."""

from __future__ import annotations

from dlpack_bindgen.arguments.entry import DEFAULT, ParameterEntry
from dlpack_bindgen.arguments.kinds import KINDS
from dlpack_bindgen.language.kinds import PARAMETER
from dlpack_bindgen.language.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import Leaf, is_true
from dlpack_bindgen.results.kind import OPTIONAL
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Report
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.declared import declared_params
from dlpack_bindgen.validate.rules import new_outputs, requirements

REFERENCES = tuple(key.name for kind in KINDS for key in kind.keys if key.kind is PARAMETER)
"""Keys of an argument whose value is another parameter."""
_MEASURED = ("shape", "count")


def check(call: Call, report: Report) -> None:
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
        new_outputs.check(each, argument, call, report)
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
    requirements.check(required, of.fields if of else None, report)
    for record in required.records() if required else ():
        key = next((key for key in _MEASURED if key in record.given), None)
        is_counted = argument.kind.is_table_of_strings and key == "count"
        if key is not None and not is_counted and not call.has_shape(argument):
            message = f"'{argument.name}' is not an array, of which '{key}' could be required"
            report(Diagnostic("measure-of", record.given[key], message))

"""Rules for numbers beside strings, and beside tables of strings: such a number may be their length."""

from __future__ import annotations

from itertools import pairwise

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.diagnostics import Diagnostic, Report
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.lengths import is_undeclared_integer


def check(call: Call, report: Report) -> None:
    _lengths(call, report)
    _counts(call, report)


def _lengths(call: Call, report: Report) -> None:
    """Reports integers that are probably the length of the string before them. C would trust the number."""
    for (_, string), (each, argument) in pairwise(call.pairs):
        is_named = suggests(argument.name, "length of a string", string.name)
        length = string.kind.length(string.name, argument.ctype) if is_named else None
        if length is not None and is_undeclared_integer(each, argument):
            name = argument.name
            message = f"'{name}' may be the length of '{string.name}': "
            message += "Python could give more, and C would read beyond its end"
            hint = f"args: {{{name}: {{value: {length}}}}}; {{{name}: int}} if it is another number"
            report(Diagnostic("argument-length", each.span, message, hint))


def _counts(call: Call, report: Report) -> None:
    """Reports string arrays beside an integer that is probably their length. C finds the end of a string array by NULL
    or by a number. An argument that is only declared as `strings` is checked as well."""
    pairs = call.pairs
    measures = [(other.name, other.kind.measure) for _, other in pairs]
    counts = [name for name, measure in measures if measure is not None and measure.what == "count"]
    tables = [other.kind for _, other in pairs if other.kind.is_table_of_strings]
    counts += [count for kind in tables for count in kind.expressions() if not count.isdecimal()]
    for place, (each, argument) in enumerate(pairs):
        name, kind = argument.name, argument.kind
        is_counted = kind.expressions() or any(measure.what == "count" for measure in call.measures(name))
        if not kind.is_table_of_strings or is_counted or each.is_broken:
            continue
        before = [pair for pair in pairs[max(0, place - 1) : place] if suggests(pair[1].name, "number of strings")]
        number = next((pair for pair in pairs[place + 1 : place + 2] + before if _is_free(*pair)), None)
        if number is not None:
            message = f"'{number[1].name}' may be the number of '{name}': Python could give more"
            hint = f"args: {{{number[1].name}: {{count_of: {name}}}}}; {{{number[1].name}: int}} if not"
            report(Diagnostic("argument-count", number[0].span, message, hint))
        elif counts and not each.requires_nothing:
            message = f"'{counts[0]}' may be the number of '{name}': C would go on beyond their end"
            hint = f"args: {{{name}: {{of: strings, require: [{{count: {counts[0]}}}]}}}}"
            hint += f"; {{{name}: {{of: strings, require: []}}}} if NULL ends them"
            report(Diagnostic("argument-count", each.span, message, hint))


def _is_free(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an integer without any declaration in `args`."""
    return argument.kind.is_integer and not each.has_entry and each.name is None

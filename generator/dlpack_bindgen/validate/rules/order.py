"""Rules for the order of arguments in Python: required before optional ones, by position before by name."""

from __future__ import annotations

from dlpack_bindgen.language.functions import KEYWORD_ONLY, POSITIONAL_ONLY
from dlpack_bindgen.language.values import Fields, items_of, leaf_of
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.validate.functions.calls import Call


def check(function: Fields, call: Call, report: Report) -> None:
    if call.is_whole:
        _required(call, report)
    _places(function, call, report)


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


def _places(function: Fields, call: Call, report: Report) -> None:
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

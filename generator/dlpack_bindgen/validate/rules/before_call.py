"""Rules for conditions and lengths that are evaluated before the call, when outputs have no value yet."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.functions import REQUIRE
from dlpack_bindgen.language.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import Fields, Items, c_fragments
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, Span
from dlpack_bindgen.validate.functions.calls import Call


def check(function: Fields, call: Call, report: Report) -> None:
    """Reports outputs in `require` of the function or an argument, and in lengths in the prototype."""
    unknown = _unknown(call)
    for text, span in _fragments(function, call):
        for name, why in unknown.items():
            if _reads(call, text, name):
                message = f"'{name}' {why}, and this is tested before the call"
                report(Diagnostic("used-too-early", span, message, "'ok' tests it after the call"))
                break


def _unknown(call: Call) -> dict[str, str]:
    """Returns the names that have a value only after the call, each with the reason."""
    filled = {each.name: "is filled by C" for each in call.arguments if each.kind.returned is not None}
    last = {each.name: "has its value only during the call" for each in call.arguments if each.kind.is_acquired_last}
    return {**filled, **last, "result": "is returned by the function"}


def _fragments(function: Fields, call: Call) -> Iterator[tuple[str, Span]]:
    """Yields each C text that is evaluated before the call, with its place."""
    yield from _leaves(function[REQUIRE])
    for each, argument in zip(call.entries, call.read_arguments, strict=True):
        yield from _leaves(each.fields[REQUIRE_OF_ARGUMENT])
        if argument is not None and argument.kind.returned is None:
            lengths = (argument.ctype.length or "", *argument.ctype.extents)
            yield from ((length, each.span) for length in lengths if length)


def _leaves(conditions: Items | None) -> Iterator[tuple[str, Span]]:
    for key, leaf in c_fragments(conditions) if conditions else ():
        if key != "error" or not leaf.is_quoted_word:  # C text, which has no quotes
            yield leaf.text, leaf.span


def _reads(call: Call, text: str, name: str) -> bool:
    """Returns whether C text reads the value of `name`. `sizeof` of a variable is allowed. An object has no variable
    yet."""
    argument = call.find(name)
    output = argument.kind.returned if argument is not None else None
    is_object = output is not None and output.kind == "object"
    return name in (ctext.names(text) if is_object else ctext.evaluated_names(text))

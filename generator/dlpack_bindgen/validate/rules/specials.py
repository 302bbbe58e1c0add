"""Rules for special methods such as `__len__`: Python fixes their arguments and their result."""

from __future__ import annotations

from dlpack_bindgen.language.functions import KEYWORD_ONLY, NAME
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, Span
from dlpack_bindgen.text.names import SPECIAL
from dlpack_bindgen.validate.functions.calls import Call

_COUNTS = ("nothing", "one value", "two values")


def refuse(key: Leaf, function: Fields, report: Report) -> None:
    """Reports functions of the module with the name of a special method."""
    name = function[NAME] or key
    if name.text in SPECIAL:
        report(_mistake(name.span, f"'{name.text}' is a method: it stands in the 'methods' of a class"))


def check(key: Leaf, function: Fields, call: Call, returned: tuple[str, ...], report: Report) -> None:
    name = function[NAME] or key
    if name.text not in SPECIAL:
        return
    count, kinds = SPECIAL[name.text]
    if call.self_index is None:
        report(_mistake(name.span, f"'{name.text}' is called on an object, and no parameter is one"))
        return
    if IF in function:
        report(_mistake(function.place(IF), f"a class has '{name.text}', or has it not: leave 'if' out"))
    if count is not None and KEYWORD_ONLY in function:
        report(_mistake(function.place(KEYWORD_ONLY), f"Python gives '{name.text}' its arguments by position"))
    given = [each.name for each in call.from_python()]
    if count is not None and len(given) != count:
        shown = f": {', '.join(given)}" if given else ""
        message = (
            f"Python gives '{name.text}' {_COUNTS[count]} beside the object, and here it gives {len(given)}{shown}"
        )
        report(_mistake(call.place, message, "'value' declares what only C needs"))
    if kinds is not None and call.read_result is not None and call.is_whole:
        found = [_kind(call, each) for each in returned]
        if kinds and (len(found) != 1 or found[0] not in kinds):
            wanted = " or ".join(sorted(kinds, key=lambda kind: kind == "int")).replace("object", "an object")
            report(_mistake(call.place, f"'{name.text}' returns {wanted}, and nothing else"))
        elif not kinds and found:
            report(
                _mistake(call.place, f"'{name.text}' returns nothing", "declare when it succeeds, or 'returns: None'")
            )


def _kind(call: Call, name: str) -> str | None:
    """Returns the kind of the returned value, or None if it is unknown."""
    argument = call.find(name)
    if name == "result" or argument is None:
        return call.read_result.kind if call.read_result is not None else None
    if (output := argument.kind.returned) is not None:
        return output.kind
    kind, enumeration = argument.kind.returned_value() or (None, None)
    return kind if enumeration is None else None


def _mistake(span: Span, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic("special-method", span, message, hint)

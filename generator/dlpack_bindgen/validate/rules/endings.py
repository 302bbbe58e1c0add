"""What ends an object ends it once, and not where it lies in memory of ours."""

from __future__ import annotations

from dlpack_bindgen.c import ctext
from dlpack_bindgen.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.spec.functions import Object, Out
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.classes import Names
from dlpack_bindgen.validate.rules.imports import frees_self
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.values import Leaf, c_texts


def check(call: Call, known: Names, place: Span, report: Report) -> None:
    """`place`: of the function."""
    _released(call, known, report)
    _freed(call, known, place, report)


def _released(call: Call, known: Names, report: Report) -> None:
    """What ends an object must not be called for it twice."""
    for each, argument in zip(call.given, call.arguments, strict=True):
        if argument is None or not isinstance(argument.kind, Object) or argument.kind.takes:
            continue
        for key, leaf in _ends(known, argument.kind.of):
            if any(token.text == call.prototype.name for token in ctext.tokens(leaf.text)):
                message = (
                    f"the '{key}' of '{argument.kind.of}' calls '{call.prototype.name}' as well: it would end twice"
                )
                hint = f"args: {{{argument.name}: {{takes: true}}}}; or leave it to close()"
                notes = (Note(leaf.span, "there"),)
                report(Diagnostic("released-twice", each.span, message, hint, notes))
                break


def _ends(known: Names, of: str) -> list[tuple[str, Leaf]]:
    values = known.classes[of].fields.values
    return [(key, leaf) for key in ("release", "close") if key in values for _, leaf in c_texts(values[key])]


def _freed(call: Call, known: Names, place: Span, report: Report) -> None:
    """What the library fills, or gives by value, lies in memory of ours."""
    filled = [
        (each.span, argument.kind.of)
        for each, argument in zip(call.given, call.arguments, strict=True)
        if argument is not None and isinstance(argument.kind, Out) and argument.ctype.depth == 1
    ]
    if call.result is not None and call.prototype.result.depth == 0:
        filled.append((place, call.result.of))
    for span, of in filled:
        owner = known.classes.get(of or "")
        if owner is None or owner.by_value:
            continue
        end = next((leaf for _, leaf in _ends(known, owner.name.text) if frees_self(leaf.text)), None)
        if end is not None:
            message = f"this '{of}' lies in memory of its owner, and free() cannot know that"
            notes = (Note(end.span, "this frees it"),)
            hint = "end what is in the object, not the object; '(void)self' if there is nothing in it"
            report(Diagnostic("frees-our-memory", span, message, hint, notes, cause=of))

"""`construct`: a call of the library that returns the object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import NARROW, Part
from dlpack_bindgen.language.kinds import EXPRESSION, Key, Needs
from dlpack_bindgen.language.steps import ERROR, OK, STATEMENT
from dlpack_bindgen.language.values import Fields, Leaf, condition_of, needed, text_of
from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.spec.spec import Allocate, Construct, Import, Let, Step
from dlpack_bindgen.steps.flow import returned, step_fragments
from dlpack_bindgen.text.fragments import declaration, replace_names, replace_result, statement
from dlpack_bindgen.text.statements import Piece

CONSTRUCT = Key[Leaf]("construct", EXPRESSION, "A call that returns the object.", details=(NARROW,), after="init")
UNDO_OF_MAKING = Key[Leaf](
    "undo",
    STATEMENT,
    "Statements that run if the call returned an object but failed its test; `result` is in scope.",
    needs=Needs(("construct",), "it frees the result of that call"),
    after="error",
)


class ConstructPart(Part):
    keys = (
        CONSTRUCT,
        UNDO_OF_MAKING,
    )
    is_of_allocations = True

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made.build, Construct):
            yield f"The library makes the object: {made.build.in_words}."


def read(fields: Fields) -> Construct:
    test = text_of(condition_of(fields[OK]))
    return Construct(needed(text_of(fields[CONSTRUCT])), test, text_of(fields[ERROR]), text_of(fields[UNDO_OF_MAKING]))


def construct(making: Making, build: Construct) -> Piece:
    """Adds the call, and returns the object."""
    scope, flow = making.scope, making.flow
    is_last = not scope.by_value and not making.is_attached
    if is_last and build.ok is None and _is_checked(build.call, scope.pointer, making.spec.let):
        return returned(build.call)
    result = "result" if is_last else "self"
    label = flow.label(f"{making.verb}.construct", build.call)
    making.declare(Variable(declaration(scope.pointer, result), flow.text(build.call), label))
    test = build.ok if build.ok is not None or scope.by_value else "% != NULL"
    if test is not None:
        names = {"result": result}
        error = replace_names(build.error, names) if build.error else None
        undo = [statement(flow.text(replace_names(build.undo, names)))] if build.undo else []
        exit = flow.call_failed(build.call, error, making.label("error"), undo)
        flow.leave_unless(flow.text(replace_result(test, result)), exit)
    return returned(result)


def _is_checked(name: str, pointer: str, steps: Sequence[Step]) -> bool:
    """Returns whether the variable has that pointer type and was tested for NULL.

    Later steps must not change it.
    """
    place = next((i for i, each in enumerate(steps) if isinstance(each, Let) and each.name == name), None)
    if place is None:
        return False
    let, changed = steps[place], re.compile(rf"&\s*{name}\b(?!\s*(->|\[))|\b{name}\s*=[^=]")
    later = [text for text in step_fragments(steps[place + 1 :]) if text is not None]
    tested = isinstance(let, Let) and let.ok == "% != NULL" and _words(let.ctype) == _words(pointer)
    return tested and not any(changed.search(text) for text in later)


def _words(ctype: str) -> list[str]:
    return ctype.replace("*", " * ").split()

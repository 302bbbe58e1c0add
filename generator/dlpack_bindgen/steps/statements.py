"""Functions of statements of the spec that cannot fail."""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.steps.records import Statements
from dlpack_bindgen.text.fragments import statements


class StatementsFacts(Frozen):
    """A function that cannot fail."""

    name: str
    variables: Variables
    statements: tuple[Statements, ...]


def statements_hook(scope: Scope, verb: str, fragments: Mapping[str, str | None]) -> StatementsFacts | None:
    """Returns a function that runs statements of the spec, by slot; None: the spec has none."""
    given = {slot: text for slot, text in fragments.items() if text is not None}
    if not given:
        return None
    return StatementsFacts(
        scope.hook(verb),
        scope.variables([*given.values()]),
        tuple(statements_of(scope, slot, text) for slot, text in given.items()),
    )


def statements_of(scope: Scope, slot: str, text: str) -> Statements:
    return Statements(tuple(statements(scope.text(text))), scope.label(slot))

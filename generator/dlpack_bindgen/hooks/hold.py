"""`hold`: values in the state of an object, which live as long as its owner."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.hook import Hook, unused_error
from dlpack_bindgen.language.kinds import EXPRESSION, Entry, Form, Key, ListOf, Record
from dlpack_bindgen.language.steps import TESTED
from dlpack_bindgen.language.values import Fields, Items, Value, items_of
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Item, Let, Tensor
from dlpack_bindgen.steps.declared import storage_problems
from dlpack_bindgen.steps.flow import Flow, hook_reporter
from dlpack_bindgen.steps.reading import variable
from dlpack_bindgen.steps.records import FailureTest
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import replace_result
from dlpack_bindgen.text.statements import Piece


class HeldValue(Frozen):
    name: str
    value: str
    label: str
    test: FailureTest | None


class HoldFacts(Frozen):
    """The facts for `templates/hooks/hold.c.j2`."""

    name: str
    variables: Variables
    values: tuple[HeldValue, ...]


HOLD = Key[Items](
    "hold",
    ListOf(
        Record(
            what="a held value",
            doc="A C variable that is stored in the owner.",
            keys=TESTED,
            entry=Entry(
                Form.DECLARATION,
                EXPRESSION,
                "`T name: expression`; the last identifier is the name of the variable.",
            ),
        ),
        "a list of declarations",
    ),
    "C variables that are computed when the owner is created, before `clone`, and stored in it. They need no cleanup.",
    after="params",
)


class HoldHook(Hook):
    key = HOLD
    moment = "computed when an owner of the object is made, and stored in it"

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        for record in _records(value):
            yield from storage_problems(record, "a held value lives in each owner")

    def read(self, value: Value | None, ok: str | None) -> tuple[Let, ...]:
        return tuple(variable(record) for record in _records(value))

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in item.hold] if isinstance(item, Tensor) else []

    def function(self, scope: Scope, item: Item) -> Piece | None:
        if not isinstance(item, Tensor) or not item.hold:
            return None
        flow = Flow(scope, hook_reporter(scope.full_name))
        values = tuple(_held_value(scope, flow, held) for held in item.hold)
        fragments = [text for held in item.hold for text in (held.value, held.ok, held.error)]
        variables = scope.variables(fragments, state_used=True)
        facts = HoldFacts(scope.hook("hold"), Variables(variables.declared, unused_error(flow)), values)
        return Piece("hooks/hold", "function", facts)


def _records(value: Value | None) -> tuple[Fields, ...]:
    items = items_of(value)
    return items.records() if items else ()


def _held_value(scope: Scope, flow: Flow, held: Let) -> HeldValue:
    assert held.value is not None
    label, value = scope.label(f"hold.{held.name}"), scope.text(held.value)
    test = None
    if held.ok is not None:
        exit = flow.call_failed(held.value, held.error, label)
        test = flow.test(scope.text(replace_result(held.ok, held.name)), exit)
    return HeldValue(held.name, f"({held.ctype}){value}" if value.startswith("{") else value, label, test)

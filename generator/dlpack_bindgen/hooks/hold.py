"""`hold`: values in the state of an object, which live as long as its owner."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import replace_result
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.hook import unused_error
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Let, Tensor
from dlpack_bindgen.steps.flow import Flow, hook_reporter
from dlpack_bindgen.steps.records import FailureTest


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


def hold(scope: Scope, tensor: Tensor) -> Piece | None:
    if not tensor.hold:
        return None
    flow = Flow(scope, hook_reporter(scope.full_name))
    values = tuple(_held_value(scope, flow, held) for held in tensor.hold)
    fragments = [text for held in tensor.hold for text in (held.value, held.ok, held.error)]
    variables = scope.variables(fragments, state_used=True)
    facts = HoldFacts(scope.hook("hold"), Variables(variables.declared, unused_error(flow)), values)
    return Piece("hooks/hold", "function", facts)


def _held_value(scope: Scope, flow: Flow, held: Let) -> HeldValue:
    assert held.value is not None
    label, value = scope.label(f"hold.{held.name}"), scope.text(held.value)
    test = None
    if held.ok is not None:
        exit = flow.call_failed(held.value, held.error, label)
        test = flow.test(scope.text(replace_result(held.ok, held.name)), exit)
    return HeldValue(held.name, f"({held.ctype}){value}" if value.startswith("{") else value, label, test)

"""`clone`: makes a copy of the object, which the owner has instead."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import declaration, replace_result
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.hook import unused_error
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Handle, Tensor
from dlpack_bindgen.steps.flow import Flow, hook_reporter
from dlpack_bindgen.steps.records import FailureTest


class CloneFacts(Frozen):
    """The facts for `templates/hooks/clone.c.j2`."""

    name: str
    variables: Variables
    declaration: str
    """The declaration of the result, for the test."""
    called: str
    label: str
    test: FailureTest | None


def clone(scope: Scope, item: Tensor | Handle) -> Piece | None:
    made = item.clone
    if made is None:
        return None
    flow, label = Flow(scope, hook_reporter(scope.full_name)), scope.label("clone")
    ok = made.ok if made.ok is not None or scope.by_value else "% != NULL"
    test = None
    if ok is not None:
        exit = flow.call_failed(made.call, made.error, label)
        test = flow.test(scope.text(replace_result(ok, "result")), exit)
    facts = CloneFacts(
        name=scope.hook("clone"),
        variables=Variables(
            scope.variables([made.call, made.ok, made.error], state_used=True).declared, unused_error(flow)
        ),
        declaration=declaration(scope.pointer, "result"),
        called=scope.text(made.call),
        label=label,
        test=test,
    )
    return Piece("hooks/clone", "function", facts)

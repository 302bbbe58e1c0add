"""Facts that several hooks have: statements that cannot fail, and steps that can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.c.fragments import mentions, statements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Action
from dlpack_bindgen.steps.flow import Flow, hook_reporter, returned, step_fragments
from dlpack_bindgen.steps.records import Body, Statements


class StatementsHook(Frozen):
    """A function that cannot fail."""

    name: str
    variables: Variables
    statements: tuple[Statements, ...]


class StepsHook(Frozen):
    """A function that can fail."""

    name: str
    variables: Variables
    body: Body


def statements_hook(scope: Scope, verb: str, fragments: Mapping[str, str | None]) -> StatementsHook | None:
    """Returns a function that runs statements of the spec, by slot; None: the spec has none."""
    given = {slot: text for slot, text in fragments.items() if text is not None}
    if not given:
        return None
    return StatementsHook(
        scope.hook(verb),
        scope.variables([*given.values()]),
        tuple(statements_of(scope, slot, text) for slot, text in given.items()),
    )


def statements_of(scope: Scope, slot: str, text: str) -> Statements:
    return Statements(tuple(statements(scope.text(text))), scope.label(slot))


def steps_hook(
    scope: Scope,
    slot: str,
    actions: Sequence[Action | None],
    checks: Sequence[Check] = (),
    parameters: Sequence[str] = (),
) -> StepsHook | None:
    """Returns a function that tests `checks` and runs `actions`; None: the spec has no action.

    `parameters` are those between the object and the error.
    """
    given = [action for action in actions if action is not None]
    if not given:
        return None
    flow = Flow(scope, hook_reporter(scope.full_name))
    for check in checks:
        flow.refuse_unless(check, "require")
    for action in given:
        flow.call(action, slot)
    fragments = step_fragments([*checks, *given])
    variables = scope.variables(fragments)
    unused = (*(name for name in parameters if not mentions(fragments, name)), *unused_error(flow))
    body = flow.body(returned("0"))
    return StepsHook(scope.hook(slot), Variables(variables.declared, (*variables.unused, *unused)), body)


def unused_error(flow: Flow) -> tuple[str, ...]:
    return () if flow.can_fail else ("error",)

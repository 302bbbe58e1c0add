"""`clone`: creates another C object for the same data. The owner stores this object."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.hook import NEEDS_RELEASE, Hook, unused_error
from dlpack_bindgen.language.kinds import EXPRESSION, Alternatives, Key, Option, Record
from dlpack_bindgen.language.steps import DO, ERROR, OK
from dlpack_bindgen.language.values import Fields, Leaf, Value, condition_of, needed, text_of
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Construct, Item
from dlpack_bindgen.steps.flow import Flow, hook_reporter
from dlpack_bindgen.steps.records import FailureTest
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import declaration, replace_result
from dlpack_bindgen.text.statements import Piece


class CloneFacts(Frozen):
    """The facts for `templates/hooks/clone.c.j2`."""

    name: str
    variables: Variables
    declaration: str
    """The declaration of the result, for the test."""
    called: str
    label: str
    test: FailureTest | None


_FORMS = Alternatives(
    (
        Option(EXPRESSION, "The call; a NULL result is a failure."),
        Option(
            Record(
                what="a clone {do}",
                doc="A call that returns another C object for the same data.",
                keys=(Key("do", EXPRESSION, "The call.", required=True), OK, ERROR),
            ),
            "A call and its success condition.",
            tag="do",
        ),
    )
)


CLONE = Key[Leaf | Fields](
    "clone",
    _FORMS,
    "Creates another C object for the same data when the owner is created; `self` then means that object.",
    needs=NEEDS_RELEASE,
    after="retain",
)


class CloneHook(Hook):
    key = CLONE
    moment = (
        "for an object that its caller or the library still owns, and not for a new object from a function; `self` is "
        "then the clone"
    )
    is_of_handles = True

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        if isinstance(value, Leaf) and value.text.strip() == "self":
            message = "this does not make another handle: two owners would free one object"
            hint = "call the function that makes one; a count of references is 'retain'"
            yield Diagnostic("released-twice", value.span, message, hint)

    def read(self, value: Value | None, ok: str | None) -> Construct | None:
        if isinstance(value, Fields):
            return Construct(needed(text_of(value[DO])), text_of(condition_of(value[OK])), text_of(value[ERROR]))
        return Construct(value.text) if isinstance(value, Leaf) else None

    def code(self, item: Item) -> list[str]:
        return [item.clone.in_words] if item.clone is not None else []

    def function(self, scope: Scope, item: Item) -> Piece | None:
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

"""`clone`: a copy of the C object for each owner; and `params`, the default values in the state of an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Alternatives, Key, Option, Record
from dlpack_bindgen.language.shared import GIVEN, PARAMS
from dlpack_bindgen.language.values import Fields, Leaf, Value, condition_of, items_of, needed, text_of
from dlpack_bindgen.tensor.hooks import NEEDS_RELEASE, Hook, unused_error
from dlpack_bindgen.tensor.item import Construct, Declaration, Item
from dlpack_bindgen.tensor.requirements import ERROR
from dlpack_bindgen.tensor.slot import Scope, Variable, Variables
from dlpack_bindgen.tensor.steps import DO, OK, FailureTest, Flow, hook_reporter, parameter_problems, params
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import declaration, replace_result
from dlpack_bindgen.text.literals import fit
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import family

# ---- `params`: the default values of the parameters in the state of an object ----


class DefaultsFacts(Frozen):
    """The facts for `templates/hooks/defaults.c.j2`."""

    name: str
    struct: str
    """The C type of the struct with the parameters."""
    variable: str
    """The pointer to the struct."""
    values: tuple[Variable, ...]
    is_strict: bool
    """Whether the compiler must check that the types can hold the values."""


class DefaultsHook(Hook):
    key = PARAMS
    name = "defaults"
    moment = "passed when an owner of the object is made, and stored in it"
    is_of_handles = True

    @property
    def keys_of_handles(self) -> tuple[Key, ...]:
        return (replace(self.key, doc=f"{GIVEN}: the context that `release` needs."),)

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        yield from parameter_problems(items_of(value))

    def read(self, value: Value | None, ok: str | None) -> tuple[Declaration, ...]:
        return params(items_of(value))

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in item.params]

    def function(self, scope: Scope, item: Item) -> Piece | None:
        values = default_values(scope, item.params, "params", "state")
        converts = any(fit(each.value, each.ctype, family(each.ctype)) != "fits" for each in item.params if each.value)
        facts = DefaultsFacts(scope.hook("defaults"), scope.state, "state", values, converts)
        return Piece("hooks/defaults", "function", facts) if values else None


def default_values(scope: Scope, params: Sequence[Declaration], slot: str, variable: str) -> tuple[Variable, ...]:
    """Returns the members with default values of the struct behind `variable`, and these values."""
    return tuple(
        Variable(f"{variable}->{param.name}", param.value, scope.label(f"{slot}.{param.name}"))
        for param in params
        if param.value is not None
    )


# ---- `clone`: creates another C object for the same data ----
# The owner stores this object.


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

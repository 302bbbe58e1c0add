"""Hooks of a class without a memory of their own: `acquire`, `before_read`, `hold`, `release`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Entry, Form, Key, ListOf, Needs, Record, Word, Words
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, items_of, text_of
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Action, Item, Let, Tensor
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.slot import Scope, Variables
from dlpack_bindgen.tensor.steps import (
    ACTIONS,
    STATEMENT,
    TESTED,
    Body,
    FailureTest,
    Flow,
    action,
    actions,
    hook_reporter,
    returned,
    statements_hook,
    statements_of,
    step_fragments,
    storage_problems,
    variable,
)
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import mentions, replace_result
from dlpack_bindgen.text.statements import Piece

# ---- Hooks, and the two forms that most of them have: statements that cannot fail, and steps that can ----

NEEDS_RELEASE = Needs(("release",), "the object or reference must be released, too")


class StepsFacts(Frozen):
    """A function that can fail."""

    name: str
    variables: Variables
    parameters: tuple[str, ...]
    """The declarations of the parameters between the object and the error."""
    body: Body


class Hook:
    """C code of the spec that runs at one time in the life of an object. Each hook is an object.

    A class declares the attributes of its hook. `StatementsHook` and `StepsHook` get them when an object is created.
    """

    key: Key
    further: tuple[Key, ...] = ()
    """Further keys about the hook."""
    is_of_handles = False
    """Whether handles have the hook, too."""
    is_of_exports = False
    """Whether the code runs when an export starts or ends."""
    is_of_devices = False
    """Whether the code runs only for memory of a device that is not the CPU."""
    is_function = True
    """Whether the code is in a function of its own."""
    moment: str
    """When the code runs, in words."""
    parameters: Mapping[str, str] = {}
    """The parameters of this function between the object and the error, with their declarations. Only code of this
    hook can use them."""

    def __init__(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            if name not in Hook.__annotations__ and not hasattr(Hook, name):
                raise TypeError(f"a hook has no attribute '{name}'")
            setattr(self, name, value)

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.key, *self.further)

    @property
    def keys_of_handles(self) -> tuple[Key, ...]:
        return self.keys

    @property
    def name(self) -> str:
        """Returns the name of the function in a `dlb_type`."""
        return self.key.name

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the problems of a value in the spec, apart from its structure."""
        yield from ()

    def read(self, value: Value | None, ok: str | None) -> Any:
        """Returns the value for the record of the class. `ok` is the default test of calls."""
        raise NotImplementedError

    def function(self, scope: Scope, item: Item) -> Piece | None:
        """Returns the function, or None if the class does not have the hook."""
        raise NotImplementedError

    def code(self, item: Item) -> list[str]:
        """Returns the C code of the class, in words. It is empty if the class does not have the hook."""
        raise NotImplementedError

    def remarks(self, item: Item) -> list[str]:
        """Returns sentences about a hook that the class has."""
        return []


class StatementsHook(Hook):
    """A hook that cannot fail."""

    def read(self, value: Value | None, ok: str | None) -> str | None:
        return text_of(value)

    def function(self, scope: Scope, item: Item) -> Piece | None:
        facts = statements_hook(scope, self.name, {self.name: getattr(item, self.name)})
        return Piece("hooks/hook", "void_function", facts) if facts is not None else None

    def code(self, item: Item) -> list[str]:
        return [*filter(None, [getattr(item, self.name)])]


class StepsHook(Hook):
    """A hook that can fail."""

    def read(self, value: Value | None, ok: str | None) -> Any:
        return action(value, ok)

    def checks(self, item: Item) -> Sequence[Check]:
        """Returns the conditions that are tested before the code runs."""
        return ()

    def function(self, scope: Scope, item: Item) -> Piece | None:
        actions = self._actions(item)
        if not actions:
            return None
        return steps_function(scope, scope.hook(self.name), self.name, actions, self.checks(item), self.parameters)

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in self._actions(item)]

    def _actions(self, item: Item) -> Sequence[Action]:
        value = getattr(item, self.name)
        return value if isinstance(value, tuple) else [value] if value is not None else []


def steps_function(
    scope: Scope,
    name: str,
    slot: str,
    actions: Sequence[Action],
    checks: Sequence[Check] = (),
    parameters: Mapping[str, str] = MappingProxyType({}),
) -> Piece:
    """Returns the function `name`, which tests the checks and then runs the actions of a slot.

    `parameters` are those between the object and the error, with their declarations.
    """
    flow = Flow(scope, hook_reporter(scope.full_name))
    for check in checks:
        flow.refuse_unless(check, "require")
    for each in actions:
        flow.call(each, slot)
    fragments = step_fragments([*checks, *actions])
    variables = scope.variables(fragments)
    unused = (*(each for each in parameters if not mentions(fragments, each)), *unused_error(flow))
    facts = StepsFacts(
        name,
        Variables(variables.declared, (*variables.unused, *unused)),
        tuple(parameters.values()),
        flow.body(returned("0")),
    )
    return Piece("hooks/hook", "int_function", facts)


def unused_error(flow: Flow) -> tuple[str, ...]:
    return () if flow.can_fail else ("error",)


# ---- `acquire`: runs when the first export starts, and can fail ----

ACQUIRE = Key[Items](
    "acquire",
    ACTIONS,
    "Runs before an export if no other export is alive: lock or map the memory here.",
    after="require",
)


class AcquireHook(StepsHook):
    key = ACQUIRE
    moment = "before an export, if no other export is alive"
    is_of_exports = True

    def read(self, value: Value | None, ok: str | None) -> tuple[Action, ...]:
        return actions(items_of(value), ok)

    def checks(self, item: Item) -> list[Check]:
        """Returns the requirements, without those on held values, because `acquire` can assign these values."""
        if not isinstance(item, Tensor):
            return []
        held = [each.name for each in item.hold]
        return [each for each in item.require if not any(mentions([each.expr, each.error], name) for name in held)]


# ---- `before_read`: runs in a description, before an export ----

BEFORE_READ = Key[Leaf](
    "before_read",
    STATEMENT,
    "Runs at each export, before the struct is read: flush pending changes here.",
    after="match",
)


class BeforeReadHook(StatementsHook):
    key = BEFORE_READ
    moment = "at each export, before the struct is read"
    is_function = False


def before_read(scope: Scope, tensor: Tensor) -> Piece | None:
    if tensor.before_read is None:
        return None
    return Piece("hooks/before_read", "statements", statements_of(scope, "before_read", tensor.before_read))


# ---- `hold`: values in the state of an object, which live as long as its owner ----


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


# ---- `release`: releases one reference, or frees the object ----

THREADS = {
    "any": "Any thread may call it.",
    "gil": "Any thread may call it. The object is released with the GIL.",
    "creator": "Any thread may call it, and releases the object at a later call. If it has ended, the object leaks.",
}
"""Sentences about threads in the comment of the function that makes an owner, by `release_on`."""
RELEASE_FLAGS = {"gil": "DLB_RELEASE_GIL", "creator": "DLB_RELEASE_CREATOR"}
"""The constants of the runtime."""


_THREADS = Words(
    (
        Word("any", "In the thread that uses the memory last."),
        Word("gil", "In any thread, while it holds the GIL."),
        Word(
            "creator",
            "In the thread that created the owner, at its next call. If this thread has ended, the object leaks.",
        ),
    )
)


RELEASE = Key[Leaf](
    "release",
    STATEMENT,
    "Frees the object, or gives its reference back. With `release` alone, the owner takes the object over.",
    default="the object is borrowed",
    after="clone",
)
RELEASE_ON = Key[Leaf](
    "release_on",
    _THREADS,
    "The thread in which `release` may run.",
    default="`any`",
    needs=Needs(("release",), "it selects the thread of that call"),
    after="release",
)


class ReleaseHook(StatementsHook):
    key = RELEASE
    further = (RELEASE_ON,)
    moment = "after the last use of the object, its arrays and its parts"
    is_of_handles = True

    def code(self, item: Item) -> list[str]:
        return [] if item.release == RELEASES_NOTHING else super().code(item)

    def remarks(self, item: Item) -> list[str]:
        docs = [word.doc for word in _THREADS.words if word.name == item.release_on]
        return [f"`release` runs {doc[0].lower()}{doc[1:]}" for doc in docs]

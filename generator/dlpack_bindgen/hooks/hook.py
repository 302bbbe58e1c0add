"""Hooks, and the two forms that most of them have: statements that cannot fail, and steps that can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Key, Needs
from dlpack_bindgen.language.values import Value, text_of
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Action, Item
from dlpack_bindgen.steps.flow import Flow, hook_reporter, returned, step_fragments
from dlpack_bindgen.steps.reading import action
from dlpack_bindgen.steps.records import Body
from dlpack_bindgen.steps.statements import statements_hook
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.statements import Piece

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

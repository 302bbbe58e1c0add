"""`params`: the default values of the parameters in the state of an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.hook import Hook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.shared import GIVEN, PARAMS
from dlpack_bindgen.language.values import Value, items_of
from dlpack_bindgen.slots.scope import Scope, Variable
from dlpack_bindgen.spec.spec import Declaration, Item
from dlpack_bindgen.steps.declared import parameter_problems
from dlpack_bindgen.steps.reading import params
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.literals import fit
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import family


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

"""The parameters of a function, and what `args` says of each."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.prototype import place_of
from dlpack_bindgen.c.types import Parameter, Prototype
from dlpack_bindgen.diagnostics import Span, within
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.requirements import Copy, Requirements
from dlpack_bindgen.validate.build.imports import requirements
from dlpack_bindgen.validate.values import Fields, Items, Leaf, Value


class Given(Frozen):
    """A parameter, and what `args` says of it."""

    parameter: Parameter
    name: Leaf | None
    record: Fields | None
    span: Span
    """Where to point at."""
    is_compared: bool
    """Whether a condition of the function mentions it."""

    def text(self, key: str) -> str | None:
        return self.record.text(key) if self.record else None

    def says(self, key: str) -> bool:
        return self.text(key) == "true"

    def require(self) -> Requirements:
        return requirements(self.record.items("require") if self.record else None, None)

    @property
    def copy(self) -> Copy:
        return cast(Copy, self.text("copy") or "never")


def parameters(function: Fields, prototype: Prototype) -> tuple[Given, ...] | None:
    """None where the `args` have mistakes of their own."""
    table = function.table("args")
    if ("args" in function.given and table is None) or (table and table.count != len(table.entries)):
        return None
    said = {key.text: (key, value) for key, value in (table.entries if table else ())}
    compared = _compared(function.items("require"))
    return tuple(
        _given(parameter, function, said.get(parameter.name), parameter.name in compared)
        for parameter in prototype.parameters
    )


def _given(parameter: Parameter, function: Fields, said: tuple[Leaf, Value] | None, is_compared: bool) -> Given:
    if said is None:
        return Given(parameter, None, None, span_of(function, parameter.name), is_compared)
    key, value = said
    if isinstance(value, Fields):
        return Given(parameter, value.leaf("of"), value, key.span, is_compared)
    return Given(parameter, value if isinstance(value, Leaf) else None, None, value.span, is_compared)


def _compared(conditions: Items | None) -> set[str]:
    texts = [leaf.text for leaf in conditions.leaves()] if conditions else []
    texts += [fields.text("expr") or "" for fields in conditions.records()] if conditions else []
    return {name for text in texts for name in ctext.names(text)}


def span_of(function: Fields, name: str) -> Span:
    """Where a parameter stands in the prototype."""
    written = function.leaf("c")
    return within(written.span, written.text, place_of(written.text, name)) if written else function.span

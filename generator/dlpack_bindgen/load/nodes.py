"""The nodes of a YAML file, with source positions. Scalars are strings as written, never resolved."""

from __future__ import annotations

from dataclasses import field

from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.frozen import Frozen


class Scalar(Frozen):
    text: str
    span: Span
    plain: bool
    """Whether the scalar has no quotes and is not a block scalar."""


class Sequence(Frozen):
    items: tuple[Node, ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """The source of a list that is written as `[...]` on one line."""


class Mapping(Frozen):
    entries: tuple[tuple[Scalar, Node], ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """The source of a mapping that is written as `{...}` on one line."""


class Broken(Frozen):
    """A node with a mistake that is already reported. Later steps ignore it."""

    span: Span


Node = Scalar | Sequence | Mapping | Broken

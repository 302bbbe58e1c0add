"""A YAML file as nodes that know their place. Scalars are text as written, never resolved."""

from __future__ import annotations

from dataclasses import field

from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.frozen import Frozen


class Scalar(Frozen):
    text: str
    span: Span
    plain: bool
    """Written without quotes and not as a block text."""


class Sequence(Frozen):
    items: tuple[Node, ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """How it is written, where that is `[...]` on one line."""


class Mapping(Frozen):
    entries: tuple[tuple[Scalar, Node], ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """How it is written, where that is `{...}` on one line."""


class Broken(Frozen):
    """Something that was reported already: nothing more is said about it."""

    span: Span


Node = Scalar | Sequence | Mapping | Broken

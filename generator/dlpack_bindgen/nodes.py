"""A YAML file as nodes that know their place. Scalars are text as written, never resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from dlpack_bindgen.diagnostics import Span


@dataclass(frozen=True)
class Scalar:
    text: str
    span: Span
    plain: bool
    """Written without quotes and not as a block text."""


@dataclass(frozen=True)
class Sequence:
    items: tuple[Node, ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """How it is written, where that is `[...]` on one line."""


@dataclass(frozen=True)
class Mapping:
    entries: tuple[tuple[Scalar, Node], ...]
    span: Span
    raw: str | None = field(default=None, compare=False, repr=False)
    """How it is written, where that is `{...}` on one line."""


@dataclass(frozen=True)
class Broken:
    """Something that was reported already: nothing more is said about it."""

    span: Span


Node = Scalar | Sequence | Mapping | Broken

"""Records of the facts that a check knows about a mistake. `advice` derives hints from them."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Alternatives, Form, Kind
from dlpack_bindgen.load.nodes import Mapping, Node, Scalar

Fits = Callable[[Node, Kind], bool]
"""A test that returns whether a node is valid as a value of a kind. It reports nothing."""


class UnknownKey(Frozen):
    key: str
    known: tuple[str, ...]


class UnknownOption(Frozen):
    """A mapping that has none of the keys that distinguish the options."""

    node: Mapping
    tags: tuple[str, ...]


class UnknownWord(Frozen):
    text: str
    words: tuple[str, ...]
    among: Alternatives | None


class WrongValue(Frozen):
    text: str
    form: Form
    among: Alternatives | None
    root: Mapping
    key: str | None
    """The key of the value in a mapping whose keys the author of the spec chooses."""


class WrongType(Frozen):
    node: Node
    kind: Kind
    fits: Fits
    is_item: bool
    """Whether the node is an item of a list in a list."""


class WrongEntry(Frozen):
    """A mapping with several keys where one declaration is expected."""

    entries: tuple[tuple[Scalar, Node], ...]


class ComparedKey(Frozen):
    """A key that is a condition. The values of `of` are compared with it."""

    text: str
    of: str
    allows_several: bool
    """Whether `{any: [...]}` is valid there."""

"""Records of the facts that a check knows about a mistake. `advice` derives hints from them."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Alternatives, Form, Kind
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar

Fits = Callable[[Node, Kind], bool]
"""A test that returns whether a node is valid as a value of a kind. It reports nothing."""


class UnknownKey(Frozen):
    key: str
    known: tuple[str, ...]


class UnquotedString(Frozen):
    """Code in the place of a string of C."""

    text: str


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
    cause: object
    """The facts about the problem in C code (`text/ctext.py`), or None."""


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


class ChainedComparison(Frozen):
    """Comparisons in a row, such as `a < b < c`."""

    operands: tuple[str, ...]
    signs: tuple[str, ...]


class ComparedString(Frozen):
    """A comparison of a string literal by its address."""

    operands: tuple[str, ...]
    sign: str
    is_element: bool
    """Whether the other operand is an element of an array."""


class UncomparedConstant(Frozen):
    """A constant that `||` combines with a comparison by `==`: `a == ONE || OTHER`."""

    compared: str
    constant: str


class CodePlace(Frozen):
    """The place of a statement: the record, and the key of the record that has the statement."""

    record: Fields
    key: str


class LoneValue(Frozen):
    """A statement that is only a value."""

    code: str
    is_nothing: bool
    """Whether the value is a word for no action, such as `none` or `NULL`."""
    place: CodePlace


class DeclaredFunction(Frozen):
    """A statement that declares a function. `parameters`: their number, or None if they are not declared."""

    name: str
    parameters: int | None
    place: CodePlace


class UnusedResult(Frozen):
    """A statement that only compares the result of a call."""

    call: str
    ok: str
    """The comparison as a value of `ok`."""
    is_beside_ok: bool
    """Whether an `ok` can stand beside the statement."""
    place: CodePlace

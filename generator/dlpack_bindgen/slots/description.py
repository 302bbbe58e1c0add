"""The facts for `templates/slots/description.c.j2`: statements between the slots."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.statements import Assertion


class Assertions(Frozen):
    """Neighbouring assertions."""

    each: tuple[Assertion, ...]


class MissingSlot(Frozen):
    """A slot without a value if no condition of the preprocessor holds."""

    slot: str


class ItemSize(Frozen):
    """The variable `itemsize`."""

    size: str
    """A C expression."""
    is_doubtful: bool
    """Whether the preprocessor may leave the variable unused."""


class Unused(Frozen):
    """Variables that the preprocessor may leave unused."""

    names: tuple[str, ...]

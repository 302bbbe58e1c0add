"""The declaration of the key of a slot."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Key, Option


class SlotKey(Frozen):
    """The key of a slot. The language adds the choices by `{of, map}` and by the preprocessor."""

    name: str
    doc: str
    forms: tuple[Option, ...]
    """The forms of a value without a choice."""
    values: str
    """The plural of the value, in messages."""
    default: str | None = None
    """The default value, in words."""
    unless: str | None = None
    """The key that replaces this one. None: the slot is optional."""
    further: tuple[Key, ...] = ()
    """Further keys of a choice by `{of, map}`."""
    details: tuple[str, ...] = ()


TEXT = (Option(EXPRESSION, "A C expression."),)
"""The form of a slot that is a C expression."""

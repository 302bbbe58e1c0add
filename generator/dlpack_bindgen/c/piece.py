"""Pieces of an emitted function. Features yield them; drivers put them in order; templates print them."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its facts."""

    template: str
    """The template, such as `functions/lengths`."""
    macro: str
    facts: object
    is_condition: bool = False
    """Whether it is a C expression that is true if the call must end."""
    conditions: tuple[str, ...] = ()
    """C expressions of the spec under which the condition is tested."""
    is_enclosed: bool = False
    """Whether parentheses enclose the condition."""
    follows_checks: bool = False
    """Whether a statement needs the conditions before it to be tested."""

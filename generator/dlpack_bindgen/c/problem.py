"""A mistake in C text of a spec."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Code
from dlpack_bindgen.frozen import Frozen


class Problem(Frozen):
    code: Code
    message: str
    hint: str | None = None
    place: tuple[int, int] | None = None
    """Where in the text, counted from 0, and how long; None: all of it."""

"""Problems in C code of a spec."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Code
from dlpack_bindgen.frozen import Frozen


class Problem(Frozen):
    code: Code
    message: str
    hint: str | None = None
    place: tuple[int, int] | None = None
    """The start in the code, counted from 0, and the length; None: all of the code."""

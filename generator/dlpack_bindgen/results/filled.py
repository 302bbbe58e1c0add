"""Memory that C has filled: the facts for a string, bytes or an array."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import Target


class FilledResult(Frozen):
    """The filled part of memory that C has got from Python."""

    to: Target
    variable: str
    owner: str
    """The variable that owns the memory; empty: the memory is a variable of the function."""
    of: str = ""
    """The C name of the class of an array."""
    extents: tuple[str, ...] = ()
    size: str = ""
    """The number of filled bytes; empty: all."""

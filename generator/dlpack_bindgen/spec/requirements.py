"""What a spec demands of objects and arrays: the part of `spec.py` that imports and functions share."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.frozen import Frozen

Copy = Literal["never", "allowed", "always"]


class Check(Frozen):
    """`{expr, message, error}`, or a plain expression: what must hold. `error` is a C expression for the message."""

    expr: str
    message: str | None = None
    error: str | None = None


class Requirements(Frozen):
    """What an import, `allocate` or an argument accepts, read from its `require` list; checked in the order of the
    fields."""

    ndim: tuple[int, int] | None = None
    dtypes: tuple[str, ...] = ()
    """One of these; none: any."""
    writable: bool = False
    compact: bool = False
    inner_compact: bool = False
    no_overlap: bool = False
    nonnegative_strides: bool = False
    align: int | None = None
    checks: tuple[Check, ...] = ()
    devices: tuple[str, ...] | None = None
    """Of an argument: the names of the device types that the function can work with; None: any."""
    shape: tuple[str, ...] | None = None
    """Of an argument: C expressions of the parameters that its extents must equal."""
    count: str | None = None
    """The same of the number of its elements."""
    order: Literal["C", "F"] = "C"
    """Of an argument that is compact, or `inner_compact`: which end of its axes is the innermost."""
    strided: tuple[int, ...] = ()
    """Of an argument: the axes that may step as they like, where all others are compact over those inside them."""


NOTHING = Requirements()

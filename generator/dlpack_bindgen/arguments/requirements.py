"""Requirements on arrays and objects, and new outputs: several kinds of arguments have them."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.frozen import Frozen

Copy = Literal["never", "allowed", "always"]


class Check(Frozen):
    """A required condition: `{expr, message, error}`, or an expression alone. `error` is a C expression for the
    message."""

    expr: str
    message: str | None = None
    error: str | None = None


class Requirements(Frozen):
    """The requirements of an import, of `allocate` or of an argument, from its `require` list. They are checked in the
    order of the fields."""

    ndim: tuple[int, int] | None = None
    dtypes: tuple[str, ...] = ()
    """The accepted dtypes; empty: any."""
    writable: bool = False
    compact: bool = False
    inner_compact: bool = False
    no_overlap: bool = False
    nonnegative_strides: bool = False
    align: int | None = None
    checks: tuple[Check, ...] = ()
    devices: tuple[str, ...] | None = None
    """For an argument: the names of the device types that the function supports; None: any."""
    shape: tuple[str, ...] | None = None
    """For an argument: the required extents, as C expressions of the parameters."""
    count: str | None = None
    """For an argument: the required number of elements, as a C expression of the parameters."""
    order: Literal["C", "F"] = "C"
    """For an argument that is `compact` or `inner_compact`: C means that the last axis is the innermost, F the first.
    """
    strided: tuple[int, ...] = ()
    """For an argument: the axes with any stride. All other axes are compact over the axes inside them."""


NOTHING = Requirements()


class NewOutput(Frozen):
    """A new array or object that the call allocates if Python passes none. C writes it, and the call returns it."""

    like: str | None = None
    """The parameter that gives the shape, and the dtype unless only one is possible; None: the requirements give the
    shape."""

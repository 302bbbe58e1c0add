"""Assertions about types that only the compiler knows."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen


class Assertion(Frozen):
    """`DLB_ASSERT_KIND(lib_int, INTEGER, "message");`."""

    name: str
    """The end of the name of the macro: `KIND`."""
    arguments: tuple[str, ...]
    message: str
    """The message, which quotes the spec."""

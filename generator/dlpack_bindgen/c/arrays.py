"""Pointers into arrays that may be members of a struct."""

from __future__ import annotations

import re

from dlpack_bindgen.c.ctext import tokens
from dlpack_bindgen.c.fragments import is_enclosed
from dlpack_bindgen.frozen import Frozen

_INDEX = r"(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])"
_POINTER = re.compile(
    rf"(?P<address>&\s*)?(?P<member>\w+(?:(?:->|\.)\w+)+)(?P<indices>{_INDEX}*)(?P<further>\s*\+(?:->|[^?:|&,=<>])+)?",
    re.ASCII,
)
_LAST_INDEX = re.compile(rf"{_INDEX}$")


class Within(Frozen):
    """A pointer into a member, which may be an array."""

    member: str
    """The member that holds all of the memory: `self->cells`."""
    array: str
    """The array that the pointer iterates over: `self->cells[0]` for `&self->cells[0][i]`."""


def within(pointer: str) -> Within | None:
    """Returns the member behind pointers such as `&self->cells[0][i]`, `self->cells[0]` or `self->cells + i`. Returns
    None for other expressions. These include casts, which declare that the memory is larger."""
    text = pointer
    while is_enclosed(tokens(text)):
        text = text[1:-1].strip()
    match = _POINTER.fullmatch(text)
    if match is None or (match["address"] and not match["indices"]):
        return None
    indices = _LAST_INDEX.sub("", match["indices"]) if match["address"] else match["indices"]
    return Within(match["member"], match["member"] + indices)

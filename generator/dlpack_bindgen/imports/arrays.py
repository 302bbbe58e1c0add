"""`let: [T name[]: shape]`: an array with an element for each axis."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import declaration
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.spec.spec import Let


class AxesArray(Frozen):
    """The facts for `templates/imports/arrays.c.j2`."""

    declaration: str
    """Empty: the array is in the storage of the object."""
    name: str
    value: str
    is_reversed: bool
    label: str


def fill(making: Making, let: Let, is_stored: bool) -> None:
    """Fills an array with a checked element for each axis."""
    facts = AxesArray(
        declaration="" if is_stored else f"{declaration(let.ctype, let.name)}[{making.length}]",
        name=let.name,
        value=let.value or "",
        is_reversed=let.turned,
        label=making.label(f"let.{let.name}"),
    )
    making.flow.add(Piece("imports/arrays", "filled", facts))
    making.flow.leave_if_out_of_range()

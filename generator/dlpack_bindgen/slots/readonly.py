"""The slot `readonly`: whether consumers must not write."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import is_truth
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.statements import Statement


class Readonly(Frozen):
    """The facts for `templates/slots/readonly.c.j2`."""

    condition: str
    """A C expression that is 0 or 1."""


def statements(condition: str, reading: Reading) -> list[Statement]:
    text = reading.text(condition)
    truth = text if is_truth(reading.scope.text(condition)) else f"({text}) != 0"
    return [Piece("slots/readonly", "readonly", Readonly(truth))]

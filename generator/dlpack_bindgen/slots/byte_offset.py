"""The slot `byte_offset`: the distance of the first element from the data pointer."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.key import TEXT, SlotKey
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.statements import Statement

KEY = SlotKey(
    "byte_offset",
    "The offset of the first element from `data`, in bytes. Use it if `data` is an opaque handle.",
    TEXT,
    "numbers",
    "0",
)


class ByteOffset(Frozen):
    """The facts for `templates/slots/byte_offset.c.j2`."""

    number: str
    """The number of bytes, as a C expression."""


def assertions(offset: str, reading: Reading) -> Iterator[Assertion]:
    return reading.integers("byte_offset", offset)


def statements(offset: str, reading: Reading) -> list[Statement]:
    return [Piece("slots/byte_offset", "byte_offset", ByteOffset(reading.integer(offset)))]

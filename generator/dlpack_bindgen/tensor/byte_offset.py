"""The slot `byte_offset`: the distance of the first element from the data pointer."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Value
from dlpack_bindgen.tensor.slot import INT64_MAX, Reading, Slot, Statement, range_problems
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Assertion, Piece


class ByteOffset(Frozen):
    """The facts for `templates/slots/byte_offset.c.j2`."""

    number: str
    """The number of bytes, as a C expression."""


class ByteOffsetSlot(Slot):
    name = "byte_offset"
    doc = "The offset of the first element from `data`, in bytes. Use it if `data` is an opaque handle."
    values = "numbers"
    default = "0"

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        yield from range_problems(value, 0, INT64_MAX, "an offset is 0 to 2^63 - 1")

    def assertions(self, value: str, reading: Reading) -> Iterator[Assertion]:
        yield from reading.integers("byte_offset", value)

    def statements(self, value: str, reading: Reading) -> list[Statement]:
        return [Piece("slots/byte_offset", "byte_offset", ByteOffset(reading.integer(value)))]

    def in_words(self, value: str) -> str:
        return f"{value} bytes after the data pointer"

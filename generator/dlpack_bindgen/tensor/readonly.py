"""The slot `readonly`: whether consumers must not write."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.slot import Reading, Slot, Statement
from dlpack_bindgen.text.fragments import is_truth
from dlpack_bindgen.text.statements import Assertion, Piece


class Readonly(Frozen):
    """The facts for `templates/slots/readonly.c.j2`."""

    condition: str
    """A C expression that is 0 or 1."""


class ReadonlySlot(Slot):
    name = "readonly"
    doc = "A condition: nonzero if consumers must not write to the data."
    values = "conditions"
    default = "1 if `data` points to `const`, else 0"
    details = (
        "Without `readonly`, an object that C returns as a `const T *` is read-only.",
        "If the tensor, or each arm of its `match`, sets `readonly`, then `const` protects the struct alone, not "
        "the data.",
    )

    def assertions(self, value: str, reading: Reading) -> Iterator[Assertion]:
        yield from reading.condition("readonly", value)

    def statements(self, value: str, reading: Reading) -> list[Statement]:
        text = reading.text(value)
        truth = text if is_truth(reading.scope.text(value)) else f"({text}) != 0"
        return [Piece("slots/readonly", "readonly", Readonly(truth))]

    def in_words(self, value: str) -> str:
        return {"0": "never", "1": "always"}.get(value, f"if {value}")

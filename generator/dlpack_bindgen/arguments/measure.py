"""Lengths, strides and flags of an array or object."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.frozen import Frozen

MeasureKind = Literal["count", "size", "extent", "stride", "flags"]


class Measure(Frozen):
    """A value that the runtime derives from an array or object: a length, a stride or flags."""

    what: MeasureKind
    of: str
    axis: int = 0
    plus: int = 0
    """The constant that is added to the derived value."""
    in_bytes: bool = False
    """Whether a stride is in bytes."""
    negative: bool = False
    """Whether a stride may be negative. The pointer still points to the first element."""

    @property
    def key(self) -> str:
        """Returns the key in `args` that declares the measure."""
        return f"{self.what}_of"

    @property
    def is_length(self) -> bool:
        return self.what in ("count", "size", "extent")

    def in_python(self) -> str | None:
        """Returns the Python expression of the value; None: Python counts in another unit."""
        values = {"count": f"{self.of}.size", "size": f"{self.of}.nbytes", "extent": f"{self.of}.shape[{self.axis}]"}
        text = values.get(self.what)
        return f"({text} {'-' if self.plus < 0 else '+'} {abs(self.plus)})" if text and self.plus else text

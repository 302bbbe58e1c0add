"""Values that a call returns: the result of the C function, and variables that it fills."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.shape import Shape
from dlpack_bindgen.text.types import CType, NumberKind, RecordType

ValueKind = NumberKind | Literal["str", "strings", "bytes", "array", "object", "objects", "enum", "private"]
"""Kinds of values. Only C code reads a `private` value; Python cannot access it."""


class Value(Frozen):
    """A value that a call returns: the result of the C function, or a variable that it fills."""

    kind: ValueKind | None
    """The kind of value; None: no value, or a status that only `ok` tests."""
    of: str | None = None
    """The name of the tensor, handle or enumeration."""
    borrow: str | None = None
    """The parameter whose object owns the returned one and keeps it alive; None: the caller owns the object; `static`:
    it is never freed."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned object keeps alive until it is destroyed."""
    size: str | None = None
    """The number of bytes."""
    count: str | None = None
    """The number of strings or objects; None: NULL ends the table of strings."""
    shape: Shape | None = None
    """The shape of the array, whose class is `of`. The array is a copy, unless the library keeps owning it."""
    dtype: str | None = None
    """The dtype; None: the dtype of the C type."""
    is_complex: bool = False
    """Whether `numbers` declares the array's C type as complex; it may be a struct."""
    record: RecordType | None = None
    """The fields of the array's elements, if they are structs."""
    optional: bool = False
    """Whether NULL becomes None instead of a failure."""
    required: bool = False
    """For a string or bytes: whether NULL is a failure instead of None."""
    class_type: CType | None = None
    """The C type of the class, if the prototype has another name for its struct, or for a pointer to it."""
    may_be_struct: bool = False
    """Whether the other name in the prototype may stand for the struct itself, instead of a pointer to it."""
    owned: bool = False
    """Whether the spec declares that the caller owns the value. Otherwise the caller does not own a pointer to const.
    """

    @property
    def is_buffer(self) -> bool:
        """Whether an array parameter is the buffer of one value. Otherwise it is an array of several values."""
        return self.kind in ("str", "bytes", "array")

    @property
    def sizes(self) -> list[str]:
        """Returns the C expressions that give the size of the value."""
        return [*(text for text in (self.size, self.count) if text), *(self.shape.expressions if self.shape else ())]

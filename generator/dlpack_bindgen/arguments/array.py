"""Arrays: pointers to elements."""

from __future__ import annotations

from collections.abc import Container, Iterator

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, Scope
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, NewOutput, Requirements
from dlpack_bindgen.arguments.scalars import type_assertions
from dlpack_bindgen.c.types import NumberKind, declared
from dlpack_bindgen.frozen import Frozen


class ArrayFacts(Frozen):
    """The facts for `templates/arguments/array.c.j2`."""

    is_rows: bool
    """Whether C gets a table of pointers to the rows."""


class Array(Kind, Frozen):
    """A pointer to elements: an array of any producer. It has the dtype of the C type, or the required dtype. The array
    is compact, unless a parameter is derived from one of its strides. A read-only argument also accepts a sequence of
    numbers."""

    words = ("bytes", "array", "rows")
    details = (
        (
            "of",
            "`bytes`: a buffer with elements of any type; `size_of` is its size in bytes. If C has a pointer to a type "
            "of several bytes, `require: [{shape: [n, sizeof(T)]}]` with `extent_of` counts elements. If Python passes "
            "the number of elements, use `count: n * sizeof(T)`.",
        ),
        (
            "of",
            "`array`, for `void *`: an array of any dtype. The function knows the length of the array, unless the spec "
            "declares a length.",
        ),
        (
            "of",
            "`rows`, for `float **` and similar types: an array with two axes. C gets a table of pointers to the rows.",
        ),
    )
    ctypes = "`double *` and other pointers to numbers: an array of that dtype."

    writes: bool = False
    any_dtype: bool = False
    """Whether the element type is `void` and no dtype is required."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements. Sequences are not accepted."""
    number: NumberKind | None = None
    """The kind of the elements, if the spec declares it for their C type."""
    fresh: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of a 2-D array."""

    is_array = True
    is_pointer = True
    can_be_kept = True
    ends_with_call = True
    is_returnable = True

    @property
    def has_c_dtype(self) -> bool:
        return not self.any_dtype

    def lasts(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return name in kept

    def facts(self, scope: Scope) -> Facts:
        is_number = self.number is not None and not self.is_bytes
        return Facts(
            template="arguments/array",
            own=ArrayFacts(self.rows),
            declaration=declared(scope.written, scope.variable),
            assertions=type_assertions(scope.label, scope.ctype.base, self.number or "") if is_number else (),
            place=scope.place(),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        if self.rows:
            yield Piece("arguments/array", "has_no_rows", facts, is_condition=True)
        yield Piece("arguments/array", "variable", facts, follows_checks=self.rows)

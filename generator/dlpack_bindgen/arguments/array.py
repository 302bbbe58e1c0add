"""Arrays: pointers to elements."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.kind import ARRAY, Facts, Kind, Measure, Piece, PythonScope, Scope
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, NewOutput, Requirements
from dlpack_bindgen.arguments.scalars import type_assertions
from dlpack_bindgen.c.quote import joined
from dlpack_bindgen.c.types import CType, NumberKind, declared
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.values import CTypeDType

_DTYPES = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "float32",
    "double": "float64",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
    "bool": "bool",
    "_Bool": "bool",
}
"""NumPy dtypes of the C types with the same size on every platform."""


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

    def accepts_numbers(self, axes: Sequence[int]) -> bool:
        require = self.require
        is_nested = require.ndim[0] > 1 if require.ndim else max(axes, default=0) > 0
        has_dtypes = self.any_dtype or self.is_bytes or self.rows or len(require.dtypes) > 1
        is_elsewhere = require.devices is not None and "cpu" not in require.devices
        return not (self.writes or has_dtypes or is_nested or is_elsewhere)

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements on a pointer to elements.

        Axes without a stride parameter are compact. If only the last axis has a stride, C counts from the first axis,
        as Fortran does.
        """
        require = self.require
        if self.rows:
            return replace(require, ndim=(2, 2), strided=(0,))
        axes = {each.axis for each in measures if each.what in ("extent", "stride")}
        strided = {each.axis for each in measures if each.what == "stride"}
        is_positive = all(not each.negative for each in measures)
        if axes and require.ndim is None:
            require = replace(require, ndim=(max(axes) + 1, max(axes) + 1))
        if not strided:
            return replace(require, compact=True)
        rank = require.ndim[1] if require.ndim else MAX_NDIM
        by_column = 0 not in strided and rank - 1 in strided
        require = replace(require, order="F" if by_column else require.order)
        if rank > 1 and strided in ({0}, {rank - 1}):
            require = replace(require, inner_compact=True)
        elif not strided.issuperset(range(rank)):
            require = replace(require, strided=tuple(sorted(strided)))
        return replace(require, nonnegative_strides=True) if is_positive else require

    def own_dtype(self, ctype: CType) -> CTypeDType | None:
        return None if self.any_dtype else CTypeDType(ctype.base, is_complex=self.number == "complex")

    def stub_type(self, scope: PythonScope) -> str:
        return f"{ARRAY} | collections.abc.Sequence[{self._number(scope.ctype)}]" if scope.takes_numbers else ARRAY

    def _number(self, ctype: CType) -> str:
        """Returns the type of the numbers in a sequence that replaces the array."""
        dtypes = self.require.dtypes
        if self.number and not dtypes:
            return self.number
        dtype = dtypes[0] if dtypes else ctype.base
        if "complex" in dtype.lower():
            return "complex"
        return "float" if "float" in dtype or dtype.endswith("double") else "int"

    def description(self, scope: PythonScope, required: Sequence[str]) -> str:
        dtype = joined(self.require.dtypes) or _DTYPES.get(scope.ctype.base) or f"C's `{scope.ctype.base}`"
        elements = "bytes-like" if self.is_bytes else "an array" if self.any_dtype else f"an array of {dtype}"
        numbers = ["or a sequence of numbers"] if scope.takes_numbers else []
        return ", ".join([f"rows of {elements}" if self.rows else elements, *required, *numbers])

    def completed(self, ctype: CType, extents: Mapping[int, str], known: Sequence[str]) -> Array:
        require, axes = self.require, ctype.extents
        if self.rows and ctype.length and require.shape is None and 1 in extents:
            return replace(self, require=replace(require, shape=(ctype.length, extents[1])))
        if not axes:
            return self
        first = axes[0] or extents.get(0) or (require.shape or ("",))[0]
        shape = (first, *axes[1:]) if first else None
        return replace(self, require=replace(require, ndim=(len(axes), len(axes)), shape=shape))

    def counted(self, count: str) -> Array:
        return replace(self, require=replace(self.require, count=count))

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

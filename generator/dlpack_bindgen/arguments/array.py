"""Arrays: pointers to elements."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import ARRAY, Kind, PythonScope
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.arguments.memory import KEYS_OF_ARRAYS, cast_of, new_output, no_keeps_message, refuse_const, writes
from dlpack_bindgen.arguments.requirements import NOTHING, Cast, Copy, NewOutput, Requirements
from dlpack_bindgen.arguments.scalars import type_assertions
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.prototype import normal
from dlpack_bindgen.c.quote import joined
from dlpack_bindgen.c.types import BYTES, CType, NumberKind, declared, is_unknown
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.language.requirements import RequirementFields
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.slots.dtype import CTypeDType

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

_CPU = ("cpu",)
_NO_DTYPE = ("long double", "long double _Complex")


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
    cast: Cast | None = None
    optional: bool = False
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements. Sequences are not accepted."""
    number: NumberKind | None = None
    """The kind of the elements, if the spec declares it for their C type."""
    new_output: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of a 2-D array."""

    is_array = True
    is_pointer = True
    can_be_kept = True
    ends_with_call = True
    is_returnable = True

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return name in kept

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        if self.is_bytes:
            yield "DLB_PY_BYTES"

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

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Array | None:
        """Returns the argument for an array of arrays, such as `double a[][3]`."""
        if not entry.ctype.extents:
            return None
        if is_true(entry.fields.out):
            hint = "leave 'out' away: Python gives an array of that shape, and it is filled"
            raise entry.mistake("argument-type", "C cannot return an array of arrays", hint)
        require = entry.require()
        is_number = entry.names.number(entry.ctype.base) not in (None, "char") or require.dtypes
        if not is_number or (entry.name is not None and entry.name.text != "array"):
            raise entry.mistake("argument-type", "the elements of an array of arrays are numbers")
        return cls._read(entry, require)

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Array | None:
        if named not in cls.words:
            return None
        ctype, require, is_pointer = entry.ctype, entry.require(), entry.ctype.depth == 1
        if named == "rows":
            if ctype.depth != 2 or entry.names.meant(CType(ctype.base)):
                message = "'rows' are passed as a pointer to pointers to their elements, 'float **', which are numbers"
                raise entry.mistake("argument-type", message)
            return replace(cls._read(entry, require, "array"), rows=True)
        if named == "bytes":
            if not is_pointer or not (ctype.base in BYTES or is_unknown(ctype)):
                raise entry.mistake("argument-type", "'bytes' are passed as 'void *' or as a pointer to characters")
            return cls._read(entry, replace(require, dtypes=("uint8",)), "bytes")
        meant = entry.names.meant(ctype) if ctype.base != "void" else []
        if is_pointer and meant and not require.dtypes:
            message = f"an 'array' is passed as a pointer to its elements, and this points to '{meant[0].name.text}'"
            numbers = "{of: array, require: [{dtype: ...}, {shape: [N, ...]}]}"
            hint = f"leave 'array' out for one object; for structs that hold only numbers, {numbers}"
            raise entry.mistake("argument-type", message, hint)
        if not is_pointer or ctype.base == "DLTensor":
            raise entry.no_pointer("an 'array' is passed as a pointer to its elements")
        return cls._read(entry, require, "array")

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Array | None:
        base, require = entry.ctype.base, entry.require()
        if entry.ctype.depth != 1:
            return None
        if entry.names.number(base) or require.dtypes:
            return cls._read(entry, require)
        if base == "void" and entry.is_coded:
            return cls._read(entry, require, "array")
        if base == "void":
            hint = "write 'bytes', 'array', or {require: [{dtype: ...}]}; {value: NULL} if Python gives nothing"
            raise entry.unclear("does not declare what it points to", hint)
        return None

    @classmethod
    def _read(cls, entry: ParameterEntry, require: Requirements, word: str | None = None) -> Array:
        """Returns the argument. `word` is its declared type, such as `bytes`, or None."""
        base, number = entry.ctype.base, entry.names.number(entry.ctype.base)
        if base != "void" and number is None and not require.dtypes:
            hint = f"write {{require: [{{dtype: ...}}]}}; or at the top, of all of them, numbers: {{{base}: ...}}"
            raise entry.unclear("has no known dtype", hint, f"the dtype of {base}")
        if normal(base.split()) in _NO_DTYPE and not require.dtypes:
            message = f"no dtype has the layout of C's '{base}'"
            raise entry.mistake("argument-type", message, "write a function that takes 'double', or void * and bytes")
        listed = entry.fields.require
        has_device = any(
            RequirementFields.device in each for each in (listed.records(RequirementFields) if listed else ())
        )
        refuse_const(entry)
        found = cls(
            writes=writes(entry),
            any_dtype=word == "array" and base == "void" and not require.dtypes,
            require=require if has_device else replace(require, devices=_CPU),
            copy=entry.copy,
            cast=cast_of(entry, word != "bytes" and (base != "void" or bool(require.dtypes) or entry.is_coded)),
            optional=is_true(entry.fields.optional),
            is_bytes=word == "bytes",
            number=entry.names.numbers.get(base),
            new_output=new_output(entry, "an array"),
        )
        return entry.with_keys(KEYS_OF_ARRAYS, found, no_keeps_message(entry))

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

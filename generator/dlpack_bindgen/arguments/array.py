"""The base class of both kinds of arrays: pointers to elements, for which Python passes an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Scope
from dlpack_bindgen.arguments.kind import ARRAY, Kind, PythonScope, number_type
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.arguments.number_types import type_assertions
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, Requirements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.language.requirements import DEVICE_OF_REQUIREMENT, REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.results.kind import OPTIONAL
from dlpack_bindgen.slots.dtype import CTypeDType
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import BYTES, CType, NumberKind, RecordType, is_unknown, normal

SAME_SIZE_DTYPES = {
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

P = TypeVar("P", bound="Array")


class Array(Kind, Frozen):
    """A pointer to elements. The array has the dtype of the C type, or the required dtype. A read-only argument also
    accepts a sequence of numbers."""

    any_dtype: bool = False
    """Whether the element type is `void` and no dtype is required."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements. Sequences are not accepted."""
    number: NumberKind | None = None
    """The kind of the elements, if the spec declares it for their C type."""
    record: RecordType | None = None
    """The fields of the elements, if they are structs."""

    is_array = True
    is_pointer = True
    ends_with_call = True

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        if self.is_bytes:
            yield "DLB_PY_BYTES"
        if self.record is not None:
            yield "DLB_PY_RECORDS"

    def accepts_numbers(self, axes: Sequence[int]) -> bool:
        require = self.require
        is_nested = require.ndim[0] > 1 if require.ndim else max(axes, default=0) > 0
        has_dtypes = self.any_dtype or self.is_bytes or self.rows or len(require.dtypes) > 1 or self.record is not None
        is_elsewhere = require.devices is not None and "cpu" not in require.devices
        return not (self.writes or has_dtypes or is_nested or is_elsewhere)

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        return replace(self.require_rank(measures), compact=True)

    def require_rank(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements, with the rank that parameters for the extents and strides imply."""
        require, axes = self.require, {each.axis for each in measures if each.what in ("extent", "stride")}
        return replace(require, ndim=(max(axes) + 1, max(axes) + 1)) if axes and require.ndim is None else require

    def own_dtype(self, ctype: CType) -> CTypeDType | None:
        if self.any_dtype:
            return None
        return CTypeDType(ctype.base, is_complex=self.number == "complex", record=self.record)

    def stub_type(self, scope: PythonScope) -> str:
        return f"{ARRAY} | collections.abc.Sequence[{self._number(scope.ctype)}]" if scope.takes_numbers else ARRAY

    def _number(self, ctype: CType) -> str:
        """Returns the type of the numbers in a sequence that replaces the array."""
        dtypes = self.require.dtypes
        if self.number and not dtypes:
            return self.number
        return number_type(dtypes[0] if dtypes else ctype.base)

    def description(self, scope: PythonScope, required: Sequence[str]) -> str:
        dtype = joined(self.require.dtypes) or SAME_SIZE_DTYPES.get(scope.ctype.base) or f"C's `{scope.ctype.base}`"
        if self.record is not None:
            dtype = f"{self.record.words} (C's `{self.record.ctype}`)"
        elements = "bytes-like" if self.is_bytes else "an array" if self.any_dtype else f"an array of {dtype}"
        numbers = ["or a sequence of numbers"] if scope.takes_numbers else []
        return ", ".join([f"rows of {elements}" if self.rows else elements, *required, *numbers])

    def counted(self: P, count: str) -> P:
        return replace(self, require=replace(self.require, count=count))

    def assertions(self, scope: Scope) -> tuple[Assertion, ...]:
        """Returns the assertions about the type of the elements."""
        is_number = self.number is not None and not self.is_bytes
        return type_assertions(scope.label, scope.ctype.base, self.number or "") if is_number else ()

    @classmethod
    def by_name(cls: type[P], entry: ParameterEntry, named: Named) -> P | None:
        if named not in ("bytes", "array", "records"):
            return None
        ctype, require, is_pointer = entry.ctype, entry.require(), entry.ctype.depth == 1
        if named == "bytes":
            if not is_pointer or not (ctype.base in BYTES or is_unknown(ctype)):
                raise entry.mistake("argument-type", "'bytes' are passed as 'void *' or as a pointer to characters")
            return cls.read(entry, replace(require, dtypes=("uint8",)), "bytes")
        if named == "records":
            if not is_pointer or ctype.base not in entry.names.records:
                hint = f"declare the members of the struct at the top: records: {{{ctype.base}: [...]}}"
                raise entry.mistake("argument-type", "'records' are passed as a pointer to a struct in 'records'", hint)
            return cls.read(entry, require)
        meant = entry.names.meant(ctype) if ctype.base != "void" and ctype.base not in entry.names.records else []
        if is_pointer and meant and not require.dtypes:
            message = f"an 'array' is passed as a pointer to its elements, and this points to '{meant[0].name.text}'"
            numbers = "{of: array, require: [{dtype: ...}, {shape: [N, ...]}]}"
            hint = f"leave 'array' out for one object; for structs that hold only numbers, {numbers}"
            raise entry.mistake("argument-type", message, hint)
        if not is_pointer or ctype.base == "DLTensor":
            raise entry.no_pointer("an 'array' is passed as a pointer to its elements")
        return cls.read(entry, require, "array")

    @classmethod
    def by_type(cls: type[P], entry: ParameterEntry) -> P | None:
        base, require = entry.ctype.base, entry.require()
        if entry.ctype.depth != 1:
            return None
        is_record = base in entry.names.records and not entry.names.meant(CType(base, (False,)))
        if entry.names.number(base) or is_record or require.dtypes:
            return cls.read(entry, require)
        if base == "void" and entry.is_coded:
            return cls.read(entry, require, "array")
        if base == "void":
            hint = "write 'bytes', 'array', or {require: [{dtype: ...}]}; {value: NULL} if Python gives nothing"
            raise entry.unclear("does not declare what it points to", hint)
        return None

    @classmethod
    def read(cls: type[P], entry: ParameterEntry, require: Requirements, word: str | None = None) -> P:
        """Returns the argument. `word` is its declared type, such as `bytes`, or None."""
        base, number = entry.ctype.base, entry.names.number(entry.ctype.base)
        record = None if word == "bytes" or require.dtypes else entry.names.records.get(base)
        if base != "void" and number is None and record is None and not require.dtypes:
            hint = f"write {{require: [{{dtype: ...}}]}}; or at the top, of all of them, numbers: {{{base}: ...}}"
            raise entry.unclear("has no known dtype", hint, f"the dtype of {base}")
        if normal(base.split()) in _NO_DTYPE and not require.dtypes:
            message = f"no dtype has the layout of C's '{base}'"
            raise entry.mistake("argument-type", message, "write a function that takes 'double', or void * and bytes")
        listed = entry.fields[REQUIRE_OF_ARGUMENT]
        has_device = any(DEVICE_OF_REQUIREMENT in each for each in (listed.records() if listed else ()))
        return cls(
            any_dtype=word == "array" and base == "void" and not require.dtypes,
            require=require if has_device else replace(require, devices=_CPU),
            copy=entry.copy,
            optional=is_true(entry.fields[OPTIONAL]),
            is_bytes=word == "bytes",
            number=entry.names.numbers.get(base),
            record=record,
        )

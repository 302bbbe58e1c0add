"""Arrays and bytes: arguments and results."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from dlpack_bindgen.calls.argument_kind import (
    ARRAY,
    KEYS_OF_ARRAYS,
    OUT,
    TAKES,
    EmittedArgument,
    Kind,
    ParameterEntry,
    PythonScope,
    cast_of,
    new_output,
    no_keeps_message,
    number_type,
    refuse_const,
    writes,
)
from dlpack_bindgen.calls.derived_arguments import Measure
from dlpack_bindgen.calls.feature import Stage
from dlpack_bindgen.calls.number import type_assertions
from dlpack_bindgen.calls.result_kind import (
    DTYPE_OF_RESULT,
    OF,
    OPTIONAL,
    SHAPE_OF_RESULT,
    EmittedValue,
    Result,
    ResultKind,
    Source,
    borrowed_lifetime,
    null_is_failure,
)
from dlpack_bindgen.calls.spec_names import Mistake, Named
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Key
from dlpack_bindgen.language.values import Fields, Leaf, is_true, is_whole, text_of
from dlpack_bindgen.language.values import Value as Written
from dlpack_bindgen.tensor.dtype import CTypeDType, NamedDType
from dlpack_bindgen.tensor.requirements import (
    ALIGN,
    DEVICE_OF_REQUIREMENT,
    NOTHING,
    REQUIRE_OF_ARGUMENT,
    Cast,
    Copy,
    NewOutput,
    Requirements,
)
from dlpack_bindgen.tensor.shape import EachShape, ListedShape, Shape
from dlpack_bindgen.tensor.shape import read as shape
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.types import BYTES, CType, is_unknown, normal

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- The base class of both kinds of arrays: pointers to elements, for which Python passes an array ----

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

    element: CTypeDType | None = None
    """The dtype of the C type of the elements; None: C accepts elements of any dtype."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements. Sequences are not accepted."""

    is_array = True
    is_pointer = True
    call_value = "array"
    ends_with_call = True

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        if self.is_bytes:
            yield "DLB_PY_BYTES"
        elif self.element is not None and self.element.record is not None:
            yield "DLB_PY_RECORDS"

    def accepts_numbers(self, axes: Sequence[int]) -> bool:
        require = self.require
        is_nested = require.ndim[0] > 1 if require.ndim else max(axes, default=0) > 0
        is_number = self.element is not None and self.element.record is None and not self.is_bytes
        has_one_dtype = is_number and not self.rows and len(require.dtypes) < 2
        is_elsewhere = require.devices is not None and "cpu" not in require.devices
        return has_one_dtype and not (self.writes or is_nested or is_elsewhere)

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        return replace(self.require_rank(measures), compact=True)

    def require_rank(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements, with the rank that parameters for the extents and strides imply."""
        require, axes = self.require, {each.axis for each in measures if each.what in ("extent", "stride")}
        return replace(require, ndim=(max(axes) + 1, max(axes) + 1)) if axes and require.ndim is None else require

    def stub_type(self, scope: PythonScope) -> str:
        if not scope.takes_numbers or self.element is None:
            return ARRAY
        dtype = next(iter(self.require.dtypes), None)
        number = number_type(dtype) if dtype else self.element.number or number_type(self.element.ctype)
        return f"{ARRAY} | collections.abc.Sequence[{number}]"

    def description(self, scope: PythonScope, required: Sequence[str]) -> str:
        if self.is_bytes or self.element is None:
            elements = "bytes-like" if self.is_bytes else "an array"
        else:
            ctype, record = f"C's `{self.element.ctype}`", self.element.record
            dtype = joined(self.require.dtypes) or SAME_SIZE_DTYPES.get(self.element.ctype, ctype)
            elements = f"an array of {f'{record.words} ({ctype})' if record is not None else dtype}"
        numbers = ["or a sequence of numbers"] if scope.takes_numbers else []
        return ", ".join([f"rows of {elements}" if self.rows else elements, *required, *numbers])

    def counted(self: P, count: str) -> P:
        return replace(self, require=replace(self.require, count=count))

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        number = self.element.number if self.element is not None else None
        return type_assertions(emitted.label, emitted.ctype.base, number) if number is not None else ()

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
        base, names = entry.ctype.base, entry.names
        element = CTypeDType(base) if word == "bytes" else names.element(base)
        if require.dtypes:
            element = replace(element, record=None)
        if base != "void" and names.number(base) is None and element.record is None and not require.dtypes:
            hint = f"write {{require: [{{dtype: ...}}]}}; or at the top, of all of them, numbers: {{{base}: ...}}"
            raise entry.unclear("has no known dtype", hint, f"the dtype of {base}")
        if normal(base.split()) in _NO_DTYPE and not require.dtypes:
            message = f"no dtype has the layout of C's '{base}'"
            raise entry.mistake("argument-type", message, "write a function that takes 'double', or void * and bytes")
        listed = entry.fields[REQUIRE_OF_ARGUMENT]
        has_device = any(DEVICE_OF_REQUIREMENT in each for each in (listed.records() if listed else ()))
        return cls(
            element=element if word != "array" or base != "void" or require.dtypes else None,
            require=require if has_device else replace(require, devices=_CPU),
            copy=entry.copy,
            optional=is_true(entry.fields[OPTIONAL]),
            is_bytes=word == "bytes",
        )


# ---- Arrays whose memory C uses in its place: pointers to elements ----


class SharedArray(Array, Frozen):
    """A pointer to elements: an array of any producer. The array is compact, unless a parameter is derived from one of
    its strides."""

    words = ("bytes", "array", "rows", "records")
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
            "`records`, for a struct in the top-level `records` that is also the type of a class: an array of such "
            "structs.",
        ),
        (
            "of",
            "`rows`, for `float **` and similar types: an array with two axes. C gets a table of pointers to the rows.",
        ),
    )
    ctypes = "`double *` and other pointers to numbers: an array of that dtype."

    writes: bool = False
    cast: Cast | None = None
    new_output: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of a 2-D array."""

    can_be_kept = True
    is_returnable = True

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return name in kept

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements on a pointer to elements.

        Axes without a stride parameter are compact. If only the last axis has a stride, C counts from the first axis,
        as Fortran does.
        """
        if self.rows:
            return replace(self.require, ndim=(2, 2), strided=(0,))
        strided = {each.axis for each in measures if each.what == "stride"}
        if not strided:
            return super().requirements(measures)
        require, is_positive = self.require_rank(measures), all(not each.negative for each in measures)
        rank = require.ndim[1] if require.ndim else MAX_NDIM
        by_column = 0 not in strided and rank - 1 in strided
        require = replace(require, order="F" if by_column else require.order)
        if rank > 1 and strided in ({0}, {rank - 1}):
            require = replace(require, inner_compact=True)
        elif not strided.issuperset(range(rank)):
            require = replace(require, strided=tuple(sorted(strided)))
        return replace(require, nonnegative_strides=True) if is_positive else require

    def completed(self, ctype: CType, extents: Mapping[int, str], known: Set[str]) -> SharedArray:
        require, axes = self.require, ctype.extents
        if self.rows and ctype.length and require.shape is None and 1 in extents:
            return replace(self, require=replace(require, shape=(ctype.length, extents[1])))
        if not axes:
            return self
        first = axes[0] or extents.get(0) or (require.shape or ("",))[0]
        shape = (first, *axes[1:]) if first else None
        return replace(self, require=replace(require, ndim=(len(axes), len(axes)), shape=shape))

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> SharedArray | None:
        """Returns the argument for an array of arrays, such as `double a[][3]`."""
        if not entry.ctype.extents:
            return None
        if is_true(entry.fields[OUT]):
            hint = "leave 'out' away: Python gives an array of that shape, and it is filled"
            raise entry.mistake("argument-type", "C cannot return an array of arrays", hint)
        require = entry.require()
        is_number = entry.names.number(entry.ctype.base) not in (None, "char") or require.dtypes
        if not is_number or (entry.name is not None and entry.name.text != "array"):
            raise entry.mistake("argument-type", "the elements of an array of arrays are numbers")
        return cls.read(entry, require)

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> SharedArray | None:
        if named != "rows":
            return super().by_name(entry, named)
        if entry.ctype.depth != 2 or entry.names.meant(CType(entry.ctype.base)):
            message = "'rows' are passed as a pointer to pointers to their elements, 'float **', which are numbers"
            raise entry.mistake("argument-type", message)
        return replace(cls.read(entry, entry.require(), "array"), rows=True)

    @classmethod
    def read(cls, entry: ParameterEntry, require: Requirements, word: str | None = None) -> SharedArray:
        found = super().read(entry, require, word)
        refuse_const(entry)
        is_cast = word != "bytes" and (entry.ctype.base != "void" or bool(require.dtypes) or entry.is_coded)
        found = replace(
            found, writes=writes(entry), cast=cast_of(entry, is_cast), new_output=new_output(entry, "an array")
        )
        return entry.with_keys(KEYS_OF_ARRAYS, found, no_keeps_message(entry))

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        if self.rows:
            yield Piece("calls/array", "has_no_rows", emitted, is_condition=True)
        yield Piece("calls/array", "rows" if self.rows else "elements", emitted, follows_checks=self.rows)


# ---- Arrays that the library takes over: a pointer to elements that it frees with `free` ----

_OTHER_KEYS = {
    "copy": "C always gets a copy of an array that it takes over",
    "writes": "C gets a copy of an array that it takes over, and never writes to the array of Python",
    "default": "an array that C takes over has no default; with 'optional: true', None is NULL",
}
"""The messages for keys of other arrays."""


class OwnedArray(Array, Frozen):
    """A pointer to elements whose memory the library takes over.

    The variable of the argument is the array of Python, so that C code of the spec can read its elements. C gets the
    variable of the owner: a compact copy, which is NULL when the library owns it.
    """

    details = (
        (
            "takes",
            "For a pointer to elements, such as `double *`, or `void *` with `of: bytes`: Python passes an array in "
            "any layout. C gets a compact copy, which is allocated and freed as the copy of a string. For `of: bytes`, "
            "the elements may have any dtype, and C gets their bytes row by row.",
        ),
    )

    c_functions = ("free", "malloc", "memcpy")

    takes_always: bool = False

    takes = True
    owner = "copy"

    def origin(self, name: str) -> str:
        failed = "also by a call that fails" if self.takes_always else "unless the call fails"
        return f"`{name}` is copied, and the copy is taken over, {failed}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> OwnedArray | None:
        if _is_taken(entry) and entry.ctype.extents:
            raise _no_pointer(entry)
        return None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> OwnedArray | None:
        if not _is_taken(entry):
            return None
        if named == "rows":
            message = "C gets a table of pointers to the rows, which the library cannot free"
            raise Mistake("without-effect", entry.place(TAKES), message)
        return super().by_name(entry, named)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> OwnedArray | None:
        return super().by_type(entry) if _is_taken(entry) else None

    @classmethod
    def read(cls, entry: ParameterEntry, require: Requirements, word: str | None = None) -> OwnedArray:
        if entry.ctype.length:
            raise _no_pointer(entry)
        is_always = text_of(entry.fields[TAKES]) == "always"
        found = replace(super().read(entry, require, word), copy="allowed", takes_always=is_always)
        return entry.with_keys(
            ("of", "optional", "takes", "require"), found, {**_OTHER_KEYS, **no_keeps_message(entry)}
        )

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, required = entry.parameter.name, entry.fields[REQUIRE_OF_ARGUMENT]
        for record in required.records() if required else ():
            for key in (DEVICE_OF_REQUIREMENT, ALIGN):
                if key in record:
                    message = f"C gets a copy of '{name}', in memory of 'malloc'"
                    yield Diagnostic("without-effect", record.place(key, entry.span), message, "leave it out")
        for measure in call.measures():
            if measure.of == name and measure.what in ("stride", "flags"):
                message = f"'{measure.key}' describes the array of Python, and C gets a compact copy of '{name}'"
                yield Diagnostic("measure-of", entry.span, message, "write '{value: ...}' for the copy")

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/array", "owner", emitted)

    def passed_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/array", "passed_copy", emitted)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/array", "elements", emitted)
        yield Piece("calls/array", "has_no_memory", emitted, is_condition=True)
        yield Piece("calls/array", "copy", emitted, follows_checks=True)

    def pieces(self, stage: Stage, emitted: EmittedArgument) -> Iterator[Piece]:
        if stage is self.taken_at:
            yield Piece("calls/array", "taken", emitted)

    def freed_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/array", "free", emitted)


def _is_taken(entry: ParameterEntry) -> bool:
    return text_of(entry.fields[TAKES]) in ("true", "always")


def _no_pointer(entry: ParameterEntry) -> Mistake:
    hint = f"write '{entry.ctype.base} *{entry.parameter.name}', and its length in 'require'; or leave out 'takes'"
    return entry.mistake("argument-type", "the library frees a pointer to elements, but this is an array", hint)


# ---- Arrays that C gets as a `DLTensor *` ----


class DLTensorPointer(Kind, Frozen):
    """A `DLTensor *`: an array of any producer."""

    ctypes = "`DLTensor *`: any array."

    writes: bool = False
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    new_output: NewOutput | None = None
    cast: Cast | None = None

    is_array = True
    is_dltensor = True
    call_value = "array"
    can_be_kept = True
    ends_with_call = True
    is_returnable = True

    def stub_type(self, scope: PythonScope) -> str:
        return ARRAY

    def description(self, scope: PythonScope, required: Sequence[str]) -> str:
        return ", ".join(["an array", *required])

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> DLTensorPointer | None:
        if entry.ctype.depth != 1 or entry.ctype.base != "DLTensor":
            return None
        refuse_const(entry)
        output = new_output(entry, "an array")
        require, optional = entry.require(), is_true(entry.fields[OPTIONAL])
        found = cls(writes(entry), require, entry.copy, optional, output, cast_of(entry, bool(require.dtypes)))
        return entry.with_keys(KEYS_OF_ARRAYS, found, no_keeps_message(entry))

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/array", "dltensor", emitted)


# ---- Returned arrays: the memory behind a pointer, or memory that C has filled ----

_DTYPE = "for structs that hold only numbers, and for 'void': {of: array, dtype: ..., shape: [...]}"
_CAPACITY = "the capacity of an array counts its elements: write their type"


class ReturnedArray(ResultKind):
    words = ("array",)
    keys = (SHAPE_OF_RESULT, DTYPE_OF_RESULT)
    exclusive = "'{key}' belongs to an 'array'"
    accepts = ("borrow", "shape", "dtype", "optional")

    is_array = True
    may_be_buffer = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Result | None:
        """Returns the array if the type is a pointer to elements, or a buffer of elements, of a known dtype."""
        ctype, is_buffer = source.ctype, source.length is not None
        has_dtype = DTYPE_OF_RESULT in source.fields and not (is_buffer and ctype.base == "void")
        is_known = source.names.number(ctype.base) is not None or ctype.base in source.names.records or has_dtype
        if ctype.depth != (0 if is_buffer else 1) or not is_known:
            return None
        if source.names.arrays is None:
            message, hint = "a returned array must have a class", "write at the top: 'arrays: Array'"
            raise Mistake("result-type", source.span, message, hint, cause="arrays")
        dtype = text_of(source.fields[DTYPE_OF_RESULT])
        element = NamedDType(dtype) if dtype else source.names.element(ctype.base)
        return Result(self, source.names.arrays, element=element)

    def hint(self, source: Source) -> str | None:
        if source.ctype.depth != (0 if source.length else 1):
            return None
        return _CAPACITY if source.length and source.ctype.base == "void" else _DTYPE

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        return {"shape": _shape(source)}

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        return borrowed_lifetime(subject, borrow)

    def flags(self, emitted: EmittedValue) -> tuple[str, ...]:
        """Returns the flags of the runtime for an array that is not copied."""
        wanted = {"DLB_PY_OPTIONAL": emitted.value.optional, "DLB_PY_READS": emitted.ctype.pointers[0]}
        return tuple(name for name, is_set in wanted.items() if is_set) or ("0",)

    def piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/array", "made", emitted)

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/array", "filled", emitted)


def _shape(source: Source) -> Shape:
    """Returns the shape. The default shape of a buffer is its capacity; its rank must be fixed."""
    written = source.fields[SHAPE_OF_RESULT]
    if source.length and SHAPE_OF_RESULT not in source.fields:
        return ListedShape((source.length,))
    if SHAPE_OF_RESULT in source.fields and not is_shape(written):
        return ListedShape(())  # its mistake is reported already
    if written is None:
        message = "the size of the array is unknown: C does not declare where it ends"
        hint = "write {of: array, shape: [...]}: C expressions, or 'out' parameters"
        raise Mistake("result-type", source.span, message, hint)
    found = shape(written)
    if source.length and isinstance(found, EachShape):
        message = f"the rank of '{source.parameter}' is unknown: C fills memory that Python must make"
        raise Mistake("result-type", source.fields.place(SHAPE_OF_RESULT), message, "write a list: 'shape: [n, m]'")
    return found


def is_shape(value: Written | None) -> bool:
    """Returns whether the shape is present and complete."""
    is_complete = value.values.keys() >= {"ndim", "each"} if isinstance(value, Fields) else True
    return value is not None and is_whole(value) and is_complete


# ---- Returned bytes: a number of bytes behind a pointer, or in memory that C has filled ----

_BYTES = tuple(map(CType, ("char", "signed char", "unsigned char", "int8_t", "uint8_t", "void")))
_CAPACITY_OF_BYTES = (
    "the prototype declares its capacity: '{name}[64]', '{name}[lib_bound(n)]'; without 'out', Python gives it"
)


SIZE = Key[Leaf](
    "size",
    EXPRESSION,
    "The size of a `bytes` result, in bytes.",
    details=(
        "The bytes are copied. NULL becomes `None`.",
        "If the caller owns the memory, free it in `finally`.",
        "An `out` parameter in the expression is not returned separately.",
        "Without `size`, an array that C fills is returned whole, such as `unsigned char digest[32]`.",
    ),
    after="keeps",
)


class ReturnedBytes(ResultKind):
    words = ("bytes",)
    keys = (SIZE,)
    exclusive = "'{key}' belongs to 'bytes'"
    accepts = ("size", "optional")

    may_be_buffer = True
    may_be_null = True
    null_is_value = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Result | None:
        ctype = source.ctype
        if source.parameter is not None:
            is_bytes = ctype.depth == 1 or (source.length is not None and _is_byte(ctype))
        else:
            is_struct = ctype.base.startswith(("struct ", "union ")) or bool(source.names.objects(ctype))
            is_bytes = (ctype.depth == 1 and not is_struct) or (ctype.depth == 0 and is_unknown(ctype))
        return Result(self) if is_bytes else None

    def hint(self, source: Source) -> str | None:
        is_variable = source.parameter is not None and source.length is None and _is_byte(source.ctype)
        return _CAPACITY_OF_BYTES.format(name=source.parameter) if is_variable else None

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        """Returns the size. Bytes without one fill their buffer."""
        if SIZE not in source.fields and source.length is None:
            span = (source.fields[OF] or source.fields).span
            message = "the number of bytes is unknown: C does not declare where they end"
            hint = "write {of: bytes, size: ...}, a C expression or an 'out' parameter"
            raise Mistake("needs-key", span, message, hint)
        return {"size": text_of(source.fields[SIZE]), "required": null_is_failure(source)}

    def has_characters(self, is_buffer: bool = False) -> bool:
        return is_buffer

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "bytes"

    def piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/array", "bytes", emitted)

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/array", "filled_bytes", emitted)


def _is_byte(ctype: CType) -> bool:
    """Returns whether the type is a byte or is unknown. The compiler checks unknown types."""
    return ctype in _BYTES or (is_unknown(ctype) and ctype.depth == 0)

"""Results that are arrays or bytes."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.calls.names import Mistake, Named
from dlpack_bindgen.calls.result_kind import (
    DTYPE_OF_RESULT,
    OF,
    SHAPE_OF_RESULT,
    EmittedValue,
    Recognized,
    ResultKind,
    Source,
    borrowed_lifetime,
    null_is_failure,
)
from dlpack_bindgen.language.kinds import EXPRESSION, Key
from dlpack_bindgen.language.values import Fields, Leaf, is_whole, text_of
from dlpack_bindgen.language.values import Value as Written
from dlpack_bindgen.tensor.dtype import NamedDType
from dlpack_bindgen.tensor.shape import EachShape, ListedShape, Shape
from dlpack_bindgen.tensor.shape import read as shape
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, is_unknown

_DTYPE = "for structs that hold only numbers, and for 'void': {of: array, dtype: ..., shape: [...]}"
_CAPACITY = "the capacity of an array counts its elements: write their type"


class Array(ResultKind):
    words = ("array",)
    keys = (
        SHAPE_OF_RESULT,
        DTYPE_OF_RESULT,
    )
    exclusive = "'{key}' belongs to an 'array'"
    accepts = ("borrow", "shape", "dtype", "optional")

    is_array = True
    may_be_buffer = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
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
        return Recognized(self, source.names.arrays, element=element)

    def hint(self, source: Source) -> str | None:
        if source.ctype.depth != (0 if source.length else 1):
            return None
        return _CAPACITY if source.length and source.ctype.base == "void" else _DTYPE

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
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


# ---- Bytes: a number of bytes behind a pointer, or in memory that C has filled ----

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


class Bytes(ResultKind):
    words = ("bytes",)
    keys = (SIZE,)
    exclusive = "'{key}' belongs to 'bytes'"
    accepts = ("size", "optional")

    may_be_buffer = True
    may_be_null = True
    null_is_value = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        ctype = source.ctype
        if source.parameter is not None:
            is_bytes = ctype.depth == 1 or (source.length is not None and _is_byte(ctype))
        else:
            is_struct = ctype.base.startswith(("struct ", "union ")) or bool(source.names.objects(ctype))
            is_bytes = (ctype.depth == 1 and not is_struct) or (ctype.depth == 0 and is_unknown(ctype))
        return Recognized(self) if is_bytes else None

    def hint(self, source: Source) -> str | None:
        is_variable = source.parameter is not None and source.length is None and _is_byte(source.ctype)
        return _CAPACITY_OF_BYTES.format(name=source.parameter) if is_variable else None

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
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

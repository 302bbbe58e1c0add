"""Properties of returned values that their C types lack: size, count, shape, dtype, and whether NULL is a failure."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.language.values import Fields, Value, is_whole
from dlpack_bindgen.results.value import ValueKind
from dlpack_bindgen.slots.values import ListedShape, Shape
from dlpack_bindgen.validate.build.slots import shape
from dlpack_bindgen.validate.functions.classes import Mistake, Names

DTYPE_OF_ARRAY = "for structs that hold only numbers, and for 'void': {of: array, dtype: ..., shape: [...]}"


def size_of(record: Fields, kind: ValueKind | None, capacity: bool = False) -> str | None:
    """Returns the `size` of bytes. Raises Mistake if other kinds have it, or if it is missing.

    With `capacity`, bytes without a `size` fill their buffer. The return value is then None.
    """
    if kind != "bytes":
        if "size" in record.given:
            raise Mistake("without-effect", record.given["size"], "'size' belongs to 'bytes'")
        return None
    if "size" not in record.given and not capacity:
        of = record.leaf("of")
        raise unsized(of.span if of else record.span)
    return record.text("size")


def count_of(record: Fields, kind: ValueKind | None) -> str | None:
    """Returns the `count` of strings, or None if NULL ends the table. Raises Mistake if other kinds have it."""
    if kind != "strings" and "count" in record.given:
        raise Mistake("without-effect", record.given["count"], "'count' is the number of 'strings'")
    count = record.leaf("count")
    if count is not None and count.text in ("NULL", "null", "None"):
        message = f"'{count.text}' is not a number of strings"
        raise Mistake("result-type", count.span, message, "write 'none' if NULL ends the table")
    return None if count is None or count.text == "none" else count.text


def required_of(record: Fields | None, kind: ValueKind | None) -> bool:
    """Returns whether NULL is a failure for a string or for bytes. Otherwise NULL becomes None."""
    optional = record.given.get("optional") if record and kind in ("str", "bytes") else None
    if record and optional is not None and record.text("optional") == "true":
        raise Mistake("without-effect", optional, "NULL is None without it", "'optional: false' makes it a failure")
    return optional is not None


def shape_of(record: Fields | None, found: ValueKind | None, span: Span) -> Shape | None:
    """Returns the `shape` of an array. Raises Mistake if it is missing, or if other kinds have it."""
    value = record.values.get("shape") if record else None
    if found != "array":
        if record and "shape" in record.given:
            raise Mistake("without-effect", record.given["shape"], "'shape' belongs to an 'array'")
        return None
    if record and "shape" in record.given and not is_shape(value):
        return ListedShape(())  # its mistake is reported already
    if value is None:
        message = "the size of the array is unknown: C does not declare where it ends"
        raise Mistake(
            "result-type", span, message, "write {of: array, shape: [...]}: C expressions, or 'out' parameters"
        )
    return shape(value)


def dtype_of(record: Fields | None, found: ValueKind | None) -> str | None:
    """Returns the `dtype` of an array, or None without one. Raises Mistake if other kinds have it."""
    if record is None or "dtype" not in record.given:
        return None
    if found != "array":
        raise Mistake("without-effect", record.given["dtype"], "'dtype' belongs to an 'array'")
    return record.text("dtype")


def is_shape(value: Value | None) -> bool:
    """Returns whether the shape is present and complete."""
    is_complete = value.values.keys() >= {"ndim", "each"} if isinstance(value, Fields) else True
    return value is not None and is_whole(value) and is_complete


def array_class(names: Names, span: Span) -> str:
    """Returns the class of returned arrays. Raises Mistake if the spec has no key `arrays`."""
    if names.arrays is None:
        message = "a returned array must have a class"
        raise Mistake("result-type", span, message, "write at the top: 'arrays: Array'", cause="arrays")
    return names.arrays


def unsized(span: Span) -> Mistake:
    message = "the number of bytes is unknown: C does not declare where they end"
    return Mistake("needs-key", span, message, "write {of: bytes, size: ...}, a C expression or an 'out' parameter")

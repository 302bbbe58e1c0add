"""Arrays: the memory behind a pointer, as a copy or as an array that refers to it, or memory that C has filled."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, MAX_RANK, Alternatives, Form, Key, ListOf, Option, Single
from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.language.values import Fields, Items, Leaf, is_whole, text_of
from dlpack_bindgen.language.values import Value as Written
from dlpack_bindgen.results.kind import Recognized, ResultKind, ResultScope, Source, Target, borrowed_lifetime
from dlpack_bindgen.results.returned import FilledResult
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.slots.dtype import CTypeDType, NamedDType, constant
from dlpack_bindgen.slots.shape import RUN_TIME_RANK, EachShape, ListedShape, Shape
from dlpack_bindgen.slots.shape import read as shape
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType

_DTYPE = "for structs that hold only numbers, and for 'void': {of: array, dtype: ..., shape: [...]}"
_CAPACITY = "the capacity of an array counts its elements: write their type"


class LoopFacts(Frozen):
    """A loop that reads the extents of an array."""

    ndim: str
    """The variable with the number of axes."""
    shape: str
    """The variable with the extents."""
    axis: str
    extent: str
    rank: str
    most: str
    """The capacity in axes of the array that the extents are read from."""


class ArrayResult(Frozen):
    """The memory behind a pointer, as a copy or as an array that refers to it."""

    to: Target
    of: str
    """The C name of the class."""
    variable: str
    dtype: str
    record: str
    """The `dlb_record` of elements that are structs; empty: they are numbers."""
    is_copy: bool
    is_optional: bool
    owner: str
    """The argument that keeps the memory alive; empty: it is never freed."""
    flags: tuple[str, ...]
    known: tuple[str, ...]
    """Pointers to extents. If one is NULL, the extents are not read."""
    extents: tuple[str, ...]
    loop: LoopFacts | None


SHAPE_OF_RESULT = Key[Items | Fields](
    "shape",
    Alternatives(
        (
            Option(ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK), "One expression per axis."),
            RUN_TIME_RANK,
        )
    ),
    "The extents of an `array` result.",
    details=(
        "The elements are copied, or shared in place with `borrow`.",
        "If the caller owns the copied memory, free it in `finally`.",
        "For a buffer whose capacity is in the prototype, `double roots[degree]`, `shape` has the extents of "
        "the used part at the beginning. By default the whole buffer is used.",
        "An `out` number in the expressions is not returned separately. An `out` address of extents, `const "
        "size_t **extents`, is not returned either. It can be NULL if the rank is 0.",
        "The array has the class that `arrays` names.",
    ),
    after="count",
)
DTYPE_OF_RESULT = Key[Leaf](
    "dtype",
    Single(Form.DTYPE),
    "The dtype of an `array` result whose C type does not determine it.",
    default="the dtype of the C type",
    details=(
        "The key is required for `void *`, for a number type that only the headers define, and for structs "
        "that consist of numbers. An example is `{of: array, dtype: float32, shape: [n, 3]}` for "
        "`const vec3 *`.",
    ),
    after="shape",
)


class Array(ResultKind):
    words = ("array",)
    keys = (
        SHAPE_OF_RESULT,
        DTYPE_OF_RESULT,
    )
    exclusive = "'{key}' belongs to an 'array'"
    accepts = ("borrow", "shape", "dtype", "optional")

    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        """Returns the array if the type is a pointer to elements, or a buffer of elements, of a known dtype."""
        ctype, is_buffer = source.ctype, source.length is not None
        has_dtype = DTYPE_OF_RESULT in source.fields and not (is_buffer and ctype.base == "void")
        record = None if has_dtype else source.names.records.get(ctype.base)
        is_known = source.names.number(ctype.base) is not None or record is not None or has_dtype
        if ctype.depth != (0 if is_buffer else 1) or not is_known:
            return None
        if source.names.arrays is None:
            message, hint = "a returned array must have a class", "write at the top: 'arrays: Array'"
            raise Mistake("result-type", source.span, message, hint, cause="arrays")
        is_complex = source.names.numbers.get(ctype.base) == "complex"
        return Recognized("array", source.names.arrays, is_complex=is_complex, record=record)

    def hint(self, source: Source) -> str | None:
        if source.ctype.depth != (0 if source.length else 1):
            return None
        return _CAPACITY if source.length and source.ctype.base == "void" else _DTYPE

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
        return {"shape": _shape(source), "dtype": text_of(source.fields[DTYPE_OF_RESULT])}

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        return borrowed_lifetime(subject, borrow)

    def piece(self, scope: ResultScope) -> Piece:
        call, value = scope.call, scope.value
        assert value.of is not None and value.shape is not None
        is_listed = isinstance(value.shape, ListedShape)
        wanted = {"DLB_PY_OPTIONAL": value.optional, "DLB_PY_READS": bool(scope.ctype.pointers[0])}
        facts = ArrayResult(
            to=scope.to,
            of=call.class_of(value.of),
            variable=scope.variable,
            dtype=constant(dtype_of(value, scope.ctype)),
            record=value.record.table if value.record is not None else "",
            is_copy=value.borrow is None,
            is_optional=value.optional,
            owner=call.place(value.borrow) if value.borrow not in (None, "static") else "",
            flags=tuple(name for name, is_set in wanted.items() if is_set) or ("0",),
            known=call.addresses(value.shape),
            extents=tuple(map(call.integer, value.shape.expressions)) if is_listed else (),
            loop=self._loop(scope, value.shape) if isinstance(value.shape, EachShape) else None,
        )
        return Piece("results/array", "made", facts)

    def _loop(self, scope: ResultScope, shape: EachShape) -> LoopFacts:
        call, axis = scope.call, scope.call.axis()
        return LoopFacts(
            ndim=call.own(f"ndim_of_{scope.name}"),
            shape=call.own(f"shape_of_{scope.name}"),
            axis=axis,
            extent=call.extent(shape, axis),
            rank=call.integer(shape.ndim),
            most=call.capacity_in_axes(shape),
        )

    def is_buffer(self, ctype: CType) -> bool:
        return True

    def buffer_piece(self, scope: ResultScope) -> Piece:
        call, value, owner = scope.call, scope.value, scope.call.owner(scope.name)
        facts = FilledResult(
            to=scope.to,
            variable=scope.variable,
            owner=owner,
            of=call.class_of(value.of) if value.of is not None else "",
            extents=tuple(map(call.integer, value.shape.expressions)) if owner and value.shape is not None else (),
            record=value.record.table if value.record is not None else "",
        )
        return Piece("results/filled", "array", facts)


def dtype_of(value: Value, ctype: CType) -> NamedDType | CTypeDType:
    """Returns the dtype of an array whose elements have a C type."""
    return NamedDType(value.dtype) if value.dtype else CTypeDType(ctype.base, value.is_complex, value.record)


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

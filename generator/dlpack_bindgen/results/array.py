"""Arrays: the memory behind a pointer, as a copy or as an array that refers to it, or memory that C has filled."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.filled import FilledResult
from dlpack_bindgen.results.kind import ResultKind, ResultScope, Target
from dlpack_bindgen.slots.dtype import constant
from dlpack_bindgen.slots.values import CTypeDType, EachShape, ListedShape, NamedDType


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
    is_copy: bool
    is_optional: bool
    within: str
    """The argument that keeps the memory alive; empty: it lasts forever."""
    flags: tuple[str, ...]
    known: tuple[str, ...]
    """Pointers to extents. If one is NULL, the extents are not read."""
    extents: tuple[str, ...]
    loop: LoopFacts | None


class Array(ResultKind):
    runs_code = True

    def piece(self, scope: ResultScope) -> Piece:
        call, value = scope.call, scope.value
        assert value.of is not None and value.shape is not None
        is_listed = isinstance(value.shape, ListedShape)
        wanted = {"DLB_PY_OPTIONAL": value.optional, "DLB_PY_READS": bool(scope.ctype.pointers[0])}
        facts = ArrayResult(
            to=scope.to,
            of=call.classes[value.of],
            variable=scope.variable,
            dtype=constant(NamedDType(value.dtype) if value.dtype else CTypeDType(scope.ctype.base, value.is_complex)),
            is_copy=value.borrow is None,
            is_optional=value.optional,
            within=call.place(value.borrow) if value.borrow not in (None, "static") else "",
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
            of=call.classes[value.of] if value.of is not None else "",
            extents=tuple(map(call.integer, value.shape.expressions)) if owner and value.shape is not None else (),
        )
        return Piece("results/filled", "array", facts)

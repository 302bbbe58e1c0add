"""Sequences of objects: a `T **` or `T *const *`."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, Scope
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, Requirements
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.frozen import Frozen


class Objects(Kind, Frozen):
    """A `T **` or `T *const *`: a sequence of objects."""

    of: str
    writes: bool = False
    require: Requirements = NOTHING
    copy: Copy = "never"
    unless_const: str | None = None
    """A pointer type of the headers. C writes to the objects unless the type points to const, which only the compiler
    knows."""

    is_list = True

    @property
    def class_name(self) -> str:
        return self.of

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/objects", declaration=declared(scope.written, scope.variable), place=scope.place())

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/objects", "variable", facts)

"""Sequences of objects: a `T **` or `T *const *`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, PythonScope, Scope
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, Requirements
from dlpack_bindgen.c.types import CType, declared
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

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        return (own.base == returned.base or self.of == of) and returned.depth == 1

    def stub_type(self, scope: PythonScope) -> str:
        return f"collections.abc.Sequence[{scope.object_type(self.of)}]"

    def description(self, scope: PythonScope, required: Sequence[str]) -> str | None:
        one = f"a sequence, each {scope.object_description(self.of)}"
        return ", ".join([one, *required]) if scope.is_tensor else None

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/objects", declaration=declared(scope.written, scope.variable), place=scope.place())

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/objects", "variable", facts)

"""Bytes: a number of bytes behind a pointer, or in memory that C has filled."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import mentions
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.filled import FilledResult
from dlpack_bindgen.results.kind import NullFacts, ResultKind, ResultScope, Target


class BytesResult(Frozen):
    """Bytes behind a pointer."""

    to: Target
    variable: str
    size: str
    null: NullFacts | None


class Bytes(ResultKind):
    may_be_null = True
    runs_code = True

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "bytes"

    def piece(self, scope: ResultScope) -> Piece:
        size = scope.value.size
        assert size is not None
        null = scope.null(mentions([size], scope.name))
        return Piece("results/bytes", "made", BytesResult(scope.to, scope.variable, scope.call.integer(size), null))

    def is_buffer(self, ctype: CType) -> bool:
        return True

    def buffer_piece(self, scope: ResultScope) -> Piece:
        size = scope.call.integer(scope.value.size) if scope.value.size is not None else ""
        facts = FilledResult(scope.to, scope.variable, scope.call.owner(scope.name), size=size)
        return Piece("results/filled", "bytes", facts)

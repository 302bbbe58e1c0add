"""Strings that end with NUL."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.results.filled import FilledResult
from dlpack_bindgen.results.kind import ResultScope
from dlpack_bindgen.results.scalars import Scalar


class String(Scalar):
    has_characters = True
    may_be_null = True
    runs_code = True

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "str"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_string({text})"

    def is_buffer(self, ctype: CType) -> bool:
        return not ctype.pointers

    def buffer_piece(self, scope: ResultScope) -> Piece:
        if not self.is_buffer(scope.ctype):
            return super().buffer_piece(scope)
        return Piece("results/filled", "string", FilledResult(scope.to, scope.variable, scope.call.owner(scope.name)))

"""Strings that end with NUL."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.results.filled import FilledResult
from dlpack_bindgen.results.kind import ResultScope
from dlpack_bindgen.results.scalars import Scalar


class String(Scalar):
    runs_code = True

    def stub_type(self, of: str | None) -> str:
        return "str"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_string({text})"

    def buffer_piece(self, scope: ResultScope) -> Piece:
        if scope.ctype.pointers:
            return super().buffer_piece(scope)
        return Piece("results/filled", "string", FilledResult(scope.to, scope.variable, scope.call.owner(scope.name)))

"""Strings that end with NUL."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.results.kind import Recognized, ResultScope, Source, null_is_failure
from dlpack_bindgen.results.returned import FilledResult
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, is_letter

STRING_CAPACITY = "write 'char NAME[64]' and {of: str, out: true}; or 'bytes', for which Python gives the buffer"
"""The hint for a `char *` whose size is unknown."""


class String(Scalar):
    words = ("str",)
    accepts = ("optional",)

    has_characters = True
    may_be_null = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        is_string = is_letter(CType(source.ctype.base)) and source.ctype.depth == (0 if source.length else 1)
        return Recognized("str") if is_string else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        if is_letter(source.ctype):
            return source.mistake("the capacity of the string is unknown", STRING_CAPACITY)
        return super().refusal(named, source)

    def by_type(self, source: Source) -> Recognized | None:
        is_owned_by_c = source.ctype.reads or source.parameter is not None
        is_string = source.ctype.depth == 1 and source.ctype.base == "char" and is_owned_by_c
        return Recognized("str") if is_string else None

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
        return {"required": null_is_failure(source)}

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

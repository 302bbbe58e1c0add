"""Tables of strings, which end with NULL or have a number of strings."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import ResultScope, Target
from dlpack_bindgen.results.scalars import Scalar


class StringsResult(Frozen):
    """A table with a number of strings."""

    to: Target
    variable: str
    count: str


class Strings(Scalar):
    has_characters = True
    runs_code = True

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "list[str | None]" if is_counted else "list[str]"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_strings({text})"

    def piece(self, scope: ResultScope) -> Piece:
        count = scope.value.count
        if count is None:
            return super().piece(scope)
        return Piece("results/strings", "made", StringsResult(scope.to, scope.variable, scope.call.integer(count)))

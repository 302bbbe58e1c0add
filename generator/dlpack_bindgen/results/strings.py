"""Tables of strings, which end with NULL or have a number of strings."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Alternatives, Key, Option, Word, Words
from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.results.kind import Recognized, ResultScope, Source, Target
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, is_letter


class StringsResult(Frozen):
    """A table with a number of strings."""

    to: Target
    variable: str
    count: str


COUNT = Key[Leaf](
    "count",
    Alternatives(
        (
            Option(Words((Word("none", "NULL ends the table, although C returns a number, too."),)), "A word."),
            Option(EXPRESSION, "The number of entries."),
        )
    ),
    "The number of entries in the C table of a `strings` result.",
    default="NULL ends the table; required if C also returns a number that may be the count",
    details=(
        "The strings are copied. A NULL entry becomes `None`.",
        "An `out` parameter in the expression is not returned separately.",
    ),
    after="size",
)


class Strings(Scalar):
    words = ("strings",)
    keys = (COUNT,)
    exclusive = "'{key}' is the number of 'strings'"
    accepts = ("count",)
    details = (
        (
            "of",
            "`strings` is a list of `str`. It is copied from a C table with `count` entries, or with NULL at its end. "
            "If the table itself is NULL, the list is empty.",
        ),
    )

    has_characters = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        return Recognized("strings") if source.ctype.depth == 2 and is_letter(CType(source.ctype.base)) else None

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
        """Returns the number of strings, or None if NULL ends the table."""
        count = source.fields[COUNT]
        if count is not None and count.text in ("NULL", "null", "None"):
            message = f"'{count.text}' is not a number of strings"
            raise Mistake("result-type", count.span, message, "write 'none' if NULL ends the table")
        return {"count": None if count is None or count.text == "none" else count.text}

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "list[str | None]" if is_counted else "list[str]"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_strings({text})"

    def piece(self, scope: ResultScope) -> Piece:
        count = scope.value.count
        if count is None:
            return super().piece(scope)
        return Piece("results/strings", "made", StringsResult(scope.to, scope.variable, scope.call.integer(count)))

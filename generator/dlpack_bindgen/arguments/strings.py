"""Tables of strings: a `const char *const *`, which ends with NULL."""

from __future__ import annotations

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, PythonScope, Scope
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.frozen import Frozen


class StringsFacts(Frozen):
    """The facts for `templates/arguments/strings.c.j2`."""

    is_optional: bool


class CountFacts(Frozen):
    """A required number of strings, for a condition of `templates/arguments/strings.c.j2`."""

    function: str
    variable: str
    name: str
    count: str
    """The number of strings, as a C expression."""


class Strings(Kind, Frozen):
    """A `const char *const *`: a table of strings that ends with NULL."""

    words = ("strings",)
    details = (
        (
            "of",
            "`strings`: a sequence of `str`. C gets a table of pointers with NULL at its end. "
            "`require: [{count: n}]` gives the length; `require: []` lets NULL end the table if only other arguments "
            "have a count.",
        ),
    )

    optional: bool = False
    count: str | None = None
    """The required number of strings, as a C expression."""

    owner = "kept"
    is_table_of_strings = True
    ends_with_call = True
    least_elements = 0

    def stub_type(self, scope: PythonScope) -> str:
        return "collections.abc.Sequence[str]"

    def expressions(self) -> list[str]:
        return [self.count] if self.count is not None else []

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/strings", StringsFacts(self.optional), declared(scope.ctype, scope.variable), "NULL")

    def count_piece(self, scope: Scope) -> Piece | None:
        """Returns the condition that a table has another number of strings than C needs."""
        if self.count is None:
            return None
        call = scope.call
        counted = CountFacts(call.function_table(), scope.variable, scope.name, call.length(self.count))
        return Piece("arguments/strings", "has_other_count", counted, is_condition=True)

"""Tables of strings: a `const char *const *`, which ends with NULL."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.requirements import NOTHING
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.language.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.results.kind import OPTIONAL
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import declared


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

    def origin(self, name: str) -> str:
        return f"`{name}` is read during the call, as a table of pointers to the strings."

    def expressions(self) -> list[str]:
        return [self.count] if self.count is not None else []

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Strings | None:
        """Returns the argument for a table of strings. C must not write to it, but its type may lack the `const`."""
        if named not in cls.words:
            return None
        ctype, require = entry.ctype, entry.require()
        if ctype.depth != 2 or ctype.base != "char" or ctype.extents:
            raise entry.no_pointer("'strings' are passed as 'const char *const *', or without a 'const'")
        if replace(require, count=None) != NOTHING:
            message = "'require' of 'strings' allows only their number: [{count: ...}]"
            raise Mistake("without-effect", entry.place(REQUIRE_OF_ARGUMENT), message)
        count = require.count or ctype.length or None
        return entry.with_keys(("of", "optional", "require"), cls(is_true(entry.fields[OPTIONAL]), count))

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Strings | None:
        is_table = entry.ctype.base == "char" and entry.ctype.pointers == (True, True)
        return cls.by_name(entry, "strings") if is_table else None

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/strings", StringsFacts(self.optional), declared(scope.ctype, scope.variable), "NULL")

    def count_piece(self, scope: Scope) -> Piece | None:
        """Returns the condition that a table has another number of strings than C needs."""
        if self.count is None:
            return None
        call = scope.call
        counted = CountFacts(call.table, scope.variable, scope.name, call.length(self.count))
        return Piece("arguments/strings", "has_other_count", counted, is_condition=True)

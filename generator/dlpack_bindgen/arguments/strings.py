"""Tables of strings: a `const char *const *`, which ends with NULL."""

from __future__ import annotations

from dlpack_bindgen.arguments.kind import Facts, Kind, Scope
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.frozen import Frozen


class StringsFacts(Frozen):
    """The facts for `templates/arguments/strings.c.j2`."""

    is_optional: bool


class Strings(Kind, Frozen):
    """A `const char *const *`: a table of strings that ends with NULL."""

    optional: bool = False
    count: str | None = None
    """The required number of strings, as a C expression."""

    owner = "kept"
    is_table_of_strings = True
    least_elements = 0

    @property
    def may_be_missing(self) -> bool:
        return self.optional

    def stub_type(self) -> str:
        return "collections.abc.Sequence[str]"

    def expressions(self) -> list[str]:
        return [self.count] if self.count is not None else []

    def facts(self, scope: Scope) -> Facts:
        return Facts("strings", StringsFacts(self.optional), declared(scope.ctype, scope.variable), "NULL")

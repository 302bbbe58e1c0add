"""Strings and paths: a `const char *` that ends with NUL."""

from __future__ import annotations

from dlpack_bindgen.arguments.kind import Facts, Kind, PythonScope, Scope
from dlpack_bindgen.arguments.scalars import byte_assertions
from dlpack_bindgen.frozen import Frozen


class StringFacts(Frozen):
    """The facts for `templates/arguments/string.c.j2`."""

    character: str
    """The type of the characters in C."""
    is_writable: bool
    """Whether C gets a pointer that is not to const."""
    is_path: bool
    is_nullable: bool


class String(Kind, Frozen):
    """A `const char *`. A path is encoded with the encoding of the file system."""

    words = ("str", "path")
    details = (("of", "`path`: a path; C gets it in the encoding of the file system."),)
    ctypes = "`const char *`: a `str`."

    path: bool = False
    optional: bool = False
    default: str | None = None

    default_type = "str"
    is_string = True
    is_read_early = True
    ends_with_call = True

    @property
    def is_path(self) -> bool:
        return self.path

    @property
    def owner(self) -> str | None:
        return "bytes" if self.path else None

    @property
    def least_elements(self) -> int:
        return 0 if self.optional else 1  # the terminating '\0'

    def stub_type(self, scope: PythonScope) -> str:
        return "_Path" if self.path else "str"

    @property
    def is_nullable(self) -> bool:
        """Whether None means NULL. A default of NULL is shown as None in Python."""
        return self.optional or self.default == "NULL"

    def facts(self, scope: Scope) -> Facts:
        value = "NULL" if self.default is None or scope.is_late else self.default
        base, reads = scope.ctype.base, scope.ctype.reads
        return Facts(
            template="arguments/string",
            own=StringFacts(base, not reads, self.path, self.is_nullable),
            declaration=f"const char *{scope.variable}",
            value=scope.call.text(value),
            assertions=byte_assertions(scope.label, base),
            is_converted=not reads or base != "char",
        )

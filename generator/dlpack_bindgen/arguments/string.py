"""Strings and paths: a `const char *` that ends with NUL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import DEFAULT, WRITES, ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.number_types import byte_assertions
from dlpack_bindgen.arguments.string_helpers import (
    accepts_none,
    initial_value,
    missing_quotes,
    points_to_letters,
    string_length,
)
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.language.values import is_true, text_of
from dlpack_bindgen.results.kind import OPTIONAL
from dlpack_bindgen.results.string import STRING_CAPACITY
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.types import CType

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

_ONLY_READ = "{of: str, writes: false} if C only reads it"


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

    is_path: bool = False
    optional: bool = False
    default: str | None = None

    default_type = "str"
    is_read_early = True
    ends_with_call = True

    @property
    def owner(self) -> str | None:
        return "bytes" if self.is_path else None

    @property
    def least_elements(self) -> int:
        return 0 if self.optional else 1  # the terminating '\0'

    def stub_type(self, scope: PythonScope) -> str:
        return "_Path" if self.is_path else "str"

    def origin(self, name: str) -> str:
        encoded = ", in the encoding of the file system" if self.is_path else ""
        return f"`{name}` is read during the call{encoded}."

    @property
    def is_nullable(self) -> bool:
        return accepts_none(self.optional, self.default)

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> String | None:
        if named not in cls.words:
            return None
        may_write = not entry.ctype.reads and text_of(entry.fields[WRITES]) != "false"
        is_pointer = points_to_letters(entry.ctype)
        if may_write or not is_pointer:
            message = "a string is passed as 'const char *'"
            if is_pointer:
                raise entry.mistake("argument-type", message, f"write {_ONLY_READ}")
            raise entry.no_pointer(message)
        keys = ("of", "default", "optional", *(() if entry.ctype.reads else ("writes",)))
        return entry.with_keys(
            keys, cls(named == "path", is_true(entry.fields[OPTIONAL]), text_of(entry.fields[DEFAULT]))
        )

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> String | None:
        if entry.ctype.depth != 1 or entry.ctype.base != "char":
            return None
        if not entry.ctype.reads:
            hint = f"{STRING_CAPACITY}; {_ONLY_READ}"
            raise entry.unclear("is not the type of a 'str': C may write to the string", hint)
        return cls.by_name(entry, "str")

    def length(self, name: str, ctype: CType) -> str:
        return string_length(name, ctype, self.may_be_missing)

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, length = entry.parameter.name, ctype.length
        yield from missing_quotes(entry.fields[DEFAULT], call)
        if length and entry.name is None:
            message = f"'{name}' is ambiguous: a string that '\\0' ends, or {length} bytes"
            hint = f"args: {{{name}: str}}, or {{{name}: bytes}} for an array of {length}"
            yield Diagnostic("argument-length", entry.span, message, hint)

    def facts(self, scope: Scope) -> Facts:
        base, reads = scope.ctype.base, scope.ctype.reads
        return Facts(
            template="arguments/string",
            own=StringFacts(base, not reads, self.is_path, self.is_nullable),
            declaration=f"const char *{scope.variable}",
            value=initial_value(self.default, scope),
            assertions=byte_assertions(scope.label, base),
            is_converted=not reads or base != "char",
        )

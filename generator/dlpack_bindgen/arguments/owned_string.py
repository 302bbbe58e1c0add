"""Strings that the library takes over: a `char *` that it frees with `free`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import DEFAULT, TAKES, ParameterEntry
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
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


class OwnedStringFacts(Frozen):
    """The facts for `templates/arguments/owned_string.c.j2`."""

    character: str
    """The type of the characters in C; empty: it is `char`."""
    is_nullable: bool
    """Whether Python may pass None."""
    may_be_null: bool
    """Whether Python may leave the argument out or pass None, so that the variable may be NULL."""


class CopyFacts(Frozen):
    """The copy of a string, for `templates/arguments/owned_string.c.j2`."""

    variable: str


class OwnedString(Kind, Frozen):
    """A `char *` whose memory the library takes over.

    The variable of the argument is the string of Python, so that C code of the spec can read it after the call. C gets
    the variable of the owner: a copy, which is NULL when the library owns it.
    """

    details = (
        (
            "takes",
            "For a string, `char *`: Python passes a `str`. C gets a copy from `malloc`, and frees it with `free`.",
        ),
        (
            "takes",
            "`true`: if the call fails by its `ok`, the module frees the copy. Without `ok`, each call is a success.",
        ),
        ("takes", "If C is not called, the module frees the copy. An example is a `require` that does not hold."),
    )

    c_functions = ("free", "malloc", "memcpy", "strlen")

    takes_always: bool
    optional: bool = False
    default: str | None = None

    takes = True
    owner = "copy"
    default_type = "str"
    is_read_early = True
    ends_with_call = True

    @property
    def least_elements(self) -> int:
        return 0 if self.is_nullable else 1  # the terminating '\0'

    @property
    def is_nullable(self) -> bool:
        return accepts_none(self.optional, self.default)

    def stub_type(self, scope: PythonScope) -> str:
        return "str"

    def origin(self, name: str) -> str:
        failed = "also by a call that fails" if self.takes_always else "unless the call fails"
        return f"`{name}` is copied, and the copy is taken over, {failed}."

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> OwnedString | None:
        takes = text_of(entry.fields[TAKES])
        if named != "str" or takes not in ("true", "always"):
            return None
        if not points_to_letters(entry.ctype):
            raise entry.no_pointer("a string that the library takes over is passed as 'char *'")
        if entry.ctype.length or entry.ctype.extents:
            hint = f"write 'char *{entry.parameter.name}', or leave out 'takes'"
            raise entry.mistake("argument-type", "the library frees a 'char *', but this is an array", hint)
        found = cls(takes == "always", is_true(entry.fields[OPTIONAL]), text_of(entry.fields[DEFAULT]))
        return entry.with_keys(("of", "default", "optional", "takes"), found)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> OwnedString | None:
        return cls.by_name(entry, "str") if entry.ctype.depth == 1 and entry.ctype.base == "char" else None

    def length(self, name: str, ctype: CType) -> str:
        return string_length(name, ctype, self.may_be_missing)

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        yield from missing_quotes(entry.fields[DEFAULT], call)

    def facts(self, scope: Scope) -> Facts:
        base = scope.ctype.base
        return Facts(
            template="arguments/owned_string",
            own=OwnedStringFacts("" if base == "char" else base, self.is_nullable, self.may_be_missing),
            declaration=f"const char *{scope.variable}",
            value=initial_value(self.default, scope),
            assertions=byte_assertions(scope.label, base),
            is_converted=True,
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/owned_string", "has_no_memory", facts, is_condition=True)
        yield Piece("arguments/owned_string", "copy", facts, follows_checks=True)

    def taken_pieces(self, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/owned_string", "taken", facts)

    def freed(self, owner: str) -> Piece:
        return Piece("arguments/owned_string", "free", CopyFacts(owner))

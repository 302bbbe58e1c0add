"""Arrays that the library takes over: a pointer to elements that it frees with `free`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.entry import TAKES, ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.memory import no_keeps_message
from dlpack_bindgen.arguments.requirements import Requirements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.language.requirements import ALIGN, DEVICE_OF_REQUIREMENT, REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

_OTHER_KEYS = {
    "copy": "C always gets a copy of an array that it takes over",
    "writes": "C gets a copy of an array that it takes over, and never writes to the array of Python",
    "default": "an array that C takes over has no default; with 'optional: true', None is NULL",
}
"""The messages for keys of other arrays."""


class OwnedArrayFacts(Frozen):
    """The facts for `templates/arguments/owned_array.c.j2`."""

    is_nullable: bool
    """Whether Python may pass None, for which C gets NULL."""


class ArrayCopyFacts(Frozen):
    """The copy of an array, for `templates/arguments/owned_array.c.j2`."""

    variable: str


class OwnedArray(Array, Frozen):
    """A pointer to elements whose memory the library takes over.

    The variable of the argument is the array of Python, so that C code of the spec can read its elements. C gets the
    variable of the owner: a compact copy, which is NULL when the library owns it.
    """

    details = (
        (
            "takes",
            "For a pointer to elements, such as `double *`, or `void *` with `of: bytes`: Python passes an array in "
            "any layout. C gets a compact copy, which is allocated and freed as the copy of a string. For `of: bytes`, "
            "the elements may have any dtype, and C gets their bytes row by row.",
        ),
    )

    c_functions = ("free", "malloc", "memcpy")

    takes_always: bool = False

    takes = True
    owner = "copy"

    def origin(self, name: str) -> str:
        failed = "also by a call that fails" if self.takes_always else "unless the call fails"
        return f"`{name}` is copied, and the copy is taken over, {failed}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> OwnedArray | None:
        if _is_taken(entry) and entry.ctype.extents:
            raise _no_pointer(entry)
        return None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> OwnedArray | None:
        if not _is_taken(entry):
            return None
        if named == "rows":
            message = "C gets a table of pointers to the rows, which the library cannot free"
            raise Mistake("without-effect", entry.place(TAKES), message)
        return super().by_name(entry, named)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> OwnedArray | None:
        return super().by_type(entry) if _is_taken(entry) else None

    @classmethod
    def read(cls, entry: ParameterEntry, require: Requirements, word: str | None = None) -> OwnedArray:
        if entry.ctype.length:
            raise _no_pointer(entry)
        is_always = text_of(entry.fields[TAKES]) == "always"
        found = replace(super().read(entry, require, word), copy="allowed", takes_always=is_always)
        return entry.with_keys(
            ("of", "optional", "takes", "require"), found, {**_OTHER_KEYS, **no_keeps_message(entry)}
        )

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, required = entry.parameter.name, entry.fields[REQUIRE_OF_ARGUMENT]
        for record in required.records() if required else ():
            for key in (DEVICE_OF_REQUIREMENT, ALIGN):
                if key in record:
                    message = f"C gets a copy of '{name}', in memory of 'malloc'"
                    yield Diagnostic("without-effect", record.place(key, entry.span), message, "leave it out")
        for measure in call.measures(name):
            if measure.what in ("stride", "flags"):
                message = f"'{measure.key}' describes the array of Python, and C gets a compact copy of '{name}'"
                yield Diagnostic("measure-of", entry.span, message, "write '{value: ...}' for the copy")

    def facts(self, scope: Scope) -> Facts:
        return Facts(
            template="arguments/owned_array",
            own=OwnedArrayFacts(self.optional),
            declaration=declared(scope.written, scope.variable),
            assertions=self.assertions(scope),
            is_converted=True,
            place=scope.place(),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/owned_array", "variable", facts)
        yield Piece("arguments/owned_array", "has_no_memory", facts, is_condition=True)
        yield Piece("arguments/owned_array", "copy", facts, follows_checks=True)

    def taken_pieces(self, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/owned_array", "taken", facts)

    def freed(self, owner: str) -> Piece:
        return Piece("arguments/owned_array", "free", ArrayCopyFacts(owner))


def _is_taken(entry: ParameterEntry) -> bool:
    return text_of(entry.fields[TAKES]) in ("true", "always")


def _no_pointer(entry: ParameterEntry) -> Mistake:
    hint = f"write '{entry.ctype.base} *{entry.parameter.name}', and its length in 'require'; or leave out 'takes'"
    return entry.mistake("argument-type", "the library frees a pointer to elements, but this is an array", hint)

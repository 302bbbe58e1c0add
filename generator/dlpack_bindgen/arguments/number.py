"""Numbers by value: `int`, `float`, `bool`, `complex`, `char`, and types that only the headers define."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.default_values import initial_value, is_checked, literal_problems
from dlpack_bindgen.arguments.entry import DEFAULT, ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.number_types import type_assertions
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.types import PYTHON, CType, NumberKind, as_number, declared, family, holds, is_unknown

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


class NumberFacts(Frozen):
    """The facts for `templates/arguments/number.c.j2`."""

    is_complex: bool
    is_char: bool
    is_other_byte: bool
    """Whether a character has another type than `char`."""


class Number(Kind, Frozen):
    """A number by value. An unknown typedef is an `int` unless `args` declares another type."""

    has_address = True
    words = ("int", "float", "bool", "complex", "char")
    ctypes = "An unknown type: an integer."

    kind: NumberKind
    default: str | None = None
    """The default value, as a C expression."""

    is_number = True
    outlasts_call = True
    is_read_early = True

    @property
    def is_integer(self) -> bool:
        return self.kind == "int"

    @property
    def default_type(self) -> str:
        return PYTHON[self.kind]

    def stub_type(self, scope: PythonScope) -> str:
        return PYTHON[self.kind]

    def returned_value(self) -> tuple[NumberKind, None]:
        return self.kind, None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Number | None:
        kind = as_number(named) if isinstance(named, str) else None
        if kind is not None and not holds(entry.ctype, kind):
            raise entry.mistake("argument-type", f"the C type cannot hold '{kind}'")
        return cls._of(entry, kind) if kind is not None else None

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Number | None:
        if entry.ctype.depth:
            return None
        known = entry.names.number(entry.ctype.base)
        if known is None and not is_unknown(entry.ctype):
            raise entry.unclear("is unknown: no tensor or handle has it and 'pass: value'")
        return cls._of(entry, known or "int")

    @classmethod
    def _of(cls, entry: ParameterEntry, kind: NumberKind) -> Number:
        return entry.with_keys(("of", "default"), cls(kind, text_of(entry.fields[DEFAULT])))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        hint = "write 'of: float' if it is not" if family(ctype.base) is None else None
        yield from literal_problems(entry.fields[DEFAULT], ctype, self.kind, hint)

    def facts(self, scope: Scope) -> Facts:
        ctype, kind = scope.ctype, self.kind
        stored = "bool" if kind == "bool" else declared(ctype, "").strip()
        zero = "{0}" if kind == "complex" and family(ctype.base) is None else "0"
        value = zero if self.default is None or scope.is_late else self.default
        own = NumberFacts(is_complex=kind == "complex", is_char=kind == "char", is_other_byte=ctype.base != "char")
        return Facts(
            template="arguments/number",
            own=own,
            declaration=f"bool {scope.variable}" if kind == "bool" else declared(ctype, scope.variable),
            value=scope.call.text(initial_value(ctype, value)),
            is_strict=is_checked(ctype, kind, value),
            assertions=type_assertions(scope.label, ctype.base, kind),
            param_type=stored if kind in ("int", "float", "bool") else "",
        )

"""Members of an enumeration of the spec: Python passes them, or their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.default_values import literal_problems
from dlpack_bindgen.arguments.entry import DEFAULT, ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.number_types import type_assertions
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Enum, Mistake, Named
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.results.value import ValueKind
from dlpack_bindgen.text.diagnostics import Diagnostic, shown
from dlpack_bindgen.text.types import CType, declared, family, holds

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


class EnumFacts(Frozen):
    """The facts for `templates/arguments/enumeration.c.j2`."""

    table: str
    """The table of the members."""


class EnumValue(Kind, Frozen):
    of: str
    default: str | None = None

    has_address = True
    default_type = "int"
    outlasts_call = True
    is_read_early = True

    def stub_type(self, scope: PythonScope) -> str:
        return f"{self.of} | str | int"

    def returned_value(self) -> tuple[ValueKind, str]:
        return "enum", self.of

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> EnumValue | None:
        if not isinstance(named, Enum):
            return None
        if not holds(entry.ctype, "int") or family(entry.ctype.base) == "char":
            raise entry.mistake("argument-type", f"'{named.name.text}' is an integer, and this type is not")
        default = entry.fields[DEFAULT]
        member = named.members.get(default.text.removeprefix(f"{named.name.text}.")) if default is not None else None
        if default is not None and member is not None and default.text not in named.members.values():
            message = f"'{shown(default.text)}' is its name in Python, and a default is C"
            raise Mistake("stray-word", default.span, message, f"write {member}")
        return entry.with_keys(("of", "default"), cls(named.name.text, text_of(entry.fields[DEFAULT])))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        yield from literal_problems(entry.fields[DEFAULT], ctype, "int")

    def facts(self, scope: Scope) -> Facts:
        value = "0" if self.default is None or scope.is_late else self.default
        return Facts(
            template="arguments/enumeration",
            own=EnumFacts(scope.call.enums[self.of]),
            declaration=declared(scope.ctype, scope.variable),
            value=scope.call.text(value),
            assertions=type_assertions(scope.label, scope.ctype.base, "int"),
        )

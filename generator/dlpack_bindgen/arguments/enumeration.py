"""Members of an enumeration of the spec: Python passes them, or their values."""

from __future__ import annotations

from dlpack_bindgen.arguments.kind import Facts, Kind, PythonScope, Scope
from dlpack_bindgen.arguments.scalars import type_assertions
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.value import ValueKind


class EnumFacts(Frozen):
    """The facts for `templates/arguments/enumeration.c.j2`."""

    table: str
    """The table of the members."""


class EnumValue(Kind, Frozen):
    of: str
    default: str | None = None

    default_type = "int"
    outlasts_call = True
    is_read_early = True

    def stub_type(self, scope: PythonScope) -> str:
        return f"{self.of} | str | int"

    def returned_value(self) -> tuple[ValueKind, str]:
        return "enum", self.of

    def facts(self, scope: Scope) -> Facts:
        value = "0" if self.default is None or scope.is_late else self.default
        return Facts(
            template="arguments/enumeration",
            own=EnumFacts(scope.call.enums[self.of]),
            declaration=declared(scope.ctype, scope.variable),
            value=scope.call.text(value),
            assertions=type_assertions(scope.label, scope.ctype.base, "int"),
        )

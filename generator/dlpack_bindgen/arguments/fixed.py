"""Values that the spec gives: `value: EXPR`. Python does not pass them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.default_values import initial_value, is_checked, literal_problems
from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.number_types import type_assertions
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Key
from dlpack_bindgen.language.values import Leaf, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.literals import bare_integer, is_floating
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared, family, is_unknown

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

VALUE_OF_ARGUMENT = Key[Leaf](
    "value",
    EXPRESSION,
    "The value of the parameter. Python does not pass it.",
    details=(
        "With `of: int`, C gets the address of a number that it may change. `size_t *size` is then the "
        "capacity before the call, and the size after it.",
    ),
    after="plus",
)


class Fixed(Kind, Frozen):
    """`value: EXPR`: a C expression. Python does not pass it."""

    selectors = ("value",)
    keys = (VALUE_OF_ARGUMENT,)

    value: str

    is_passed = False
    outlasts_call = True

    def origin(self, name: str) -> str:
        return f"`{name}` is always {self.value}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Fixed | None:
        if value := text_of(entry.fields[VALUE_OF_ARGUMENT]):
            return entry.with_keys(("of", "value") if entry.by_address else ("value",), cls(value))
        if entry.ctype.is_function:
            is_null = entry.name is not None and entry.name.text == "NULL"
            hint = "write {value: NULL}" if is_null else "pass a C function by 'value: NAME'"
            message = "callbacks are out of scope: C cannot call Python's functions here"
            raise entry.mistake("callback", message, hint)
        return None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        value, base = entry.fields[VALUE_OF_ARGUMENT], ctype.base
        yield from literal_problems(value, ctype, family(base))
        is_number = value is not None and (bare_integer(value.text) is not None or is_floating(value.text))
        if value is None or not is_number or not ctype.depth:
            return
        hint = "write NULL for no address"
        if ctype.depth == 1 and base not in ("void", "char") and not entry.names.objects(ctype):
            hint += f', "&({base}){{{value.text}}}" for the address of such a number'
        # The C compiler turns 0 into NULL, which is rarely meant.
        message = f"'{value.text}' is a number, and '{entry.parameter.name}' a pointer"
        yield Diagnostic("argument-type", value.span, message, hint)

    def facts(self, scope: Scope) -> Facts:
        ctype, value = scope.ctype, self.value
        needs_real = ctype.depth == 0 and is_unknown(ctype) and is_floating(value)
        return Facts(
            template="arguments/fixed",
            declaration=declared(ctype, scope.variable),
            value=scope.call.text(initial_value(ctype, value)),
            is_strict=is_checked(ctype, family(ctype.base), value),
            assertions=type_assertions(scope.label, ctype.base, "float") if needs_real else (),
            is_converted=ctype.is_function,
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        if not scope.ctype.is_function:  # C gets the function itself
            yield Piece("arguments/fixed", "variable", facts)

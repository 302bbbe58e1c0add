"""Params of the object in another argument. Python does not pass them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import PARAMETER, Key
from dlpack_bindgen.language.values import Leaf, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, becomes, declared

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

PARAM_OF = Key[Leaf](
    "param_of",
    PARAMETER,
    "The param with the name and type of this parameter, from the object in another argument. Python does not pass it.",
    after="map",
)


class ParamOf(Kind, Frozen):
    """A param of another parameter's object, by the name of this argument. Its value was given when the object was
    created. Python does not pass it."""

    selectors = ("param_of",)
    keys = (PARAM_OF,)

    param_owner: str

    is_passed = False
    can_be_kept = True

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return not is_object or name in kept or self.param_owner in kept

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        return own.base == returned.base and own.depth == returned.depth and not in_storage

    def origin(self, name: str) -> str:
        return f"`{name}` is the param of that name of `{self.param_owner}`."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> ParamOf | None:
        of = text_of(entry.fields[PARAM_OF])
        return entry.with_keys(("param_of",), cls(of)) if of else None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, of = entry.parameter.name, call.find(self.param_owner)
        if of is None:
            return
        span, owner = (entry.fields[PARAM_OF] or entry).span, of.kind.object_class
        if owner is None:
            yield Diagnostic("param-of", span, f"'{self.param_owner}' is not an object, which 'param_of' needs")
            return
        params, notes = call.params_of(owner), (Note(entry.names.classes[owner].name.span, "the class"),)
        if of.kind.may_be_missing:
            yield Diagnostic("param-of", span, f"'{self.param_owner}' is not always there, and 'param_of' needs it")
        elif name not in params:
            hint = f"it has {', '.join(params)}" if params else "declare it there with 'params'"
            yield Diagnostic("param-of", span, f"'{owner}' has no param '{name}'", hint, notes)
        elif not becomes(params[name], ctype):
            has, wants = declared(params[name], ""), declared(ctype, "")
            message = f"the param '{name}' of '{owner}' is '{has}', and this is '{wants}'"
            yield Diagnostic("param-of", span, message, notes=notes)

    def facts(self, scope: Scope) -> Facts:
        value = scope.call.param(self.param_owner, scope.name)
        return Facts("arguments/param_of", declaration=declared(scope.ctype, scope.variable), value=value)

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/param_of", "variable", facts)

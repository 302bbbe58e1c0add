"""Sequences of objects: a `T **` or `T *const *`, or a `const T *` for objects that are passed by value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind, PythonScope
from dlpack_bindgen.arguments.memory import of_arrays, refuse_order, requirements_of_class, writes, writes_of_pointer
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, Requirements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Class, Mistake, Named
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

_OF_ONE = {
    key: f"'{key}' is for one object, and these are several: bind, or write, a function that gets them one by one"
    for key in ("takes", "invalidates", "keeps", "replaces")
}


class Objects(Kind, Frozen):
    """A `T **` or `T *const *`: a sequence of objects. With `pass: value`, it is a `T *` or `const T *`."""

    class_name: str
    writes: bool = False
    require: Requirements = NOTHING
    copy: Copy = "never"
    unless_const: str | None = None

    is_list = True

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        yield "DLB_PY_ITEMS"

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        return (own.base == returned.base or self.class_name == of) and returned.depth == own.depth - 1

    def stub_type(self, scope: PythonScope) -> str:
        return f"collections.abc.Sequence[{scope.object_type(self.class_name)}]"

    def description(self, scope: PythonScope, required: Sequence[str]) -> str | None:
        one = f"a sequence, each {scope.object_description(self.class_name)}"
        return ", ".join([one, *required]) if scope.is_tensor or scope.may_be_temporary else None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Objects | None:
        """Returns the argument for a list of objects. An object alone has another kind."""
        if not isinstance(named, Class):
            return None
        if named in entry.names.pointees(entry.ctype):
            return cls._read(entry, named)
        passed = named.type if named.by_value else f"{named.type} *"
        message = f"objects of '{named.name.text}' are passed as '{passed}', and this type differs"
        raise entry.mistake("argument-type", message)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Objects | None:
        are_values = entry.ctype.depth == 1 and _has_length(entry) and not entry.names.number(entry.ctype.base)
        may_be_list = entry.ctype.depth > 1 or are_values
        of = entry.class_among(entry.names.pointees(entry.ctype)) if may_be_list else None
        return cls._read(entry, of) if of is not None and (of.by_value or not are_values) else None

    @classmethod
    def _read(cls, entry: ParameterEntry, of: Class) -> Objects:
        if of.by_value and not _has_length(entry):
            raise passed_by_value(entry, of)
        keys = ["of", "writes", *(["require", "copy"] if of.imports else [])]
        refuse_order(entry, of)
        found = cls(of.name.text, writes(entry), requirements_of_class(entry, of), entry.copy)
        return entry.with_keys(keys, found, {**of_arrays(of), **_OF_ONE}, f"arrays for {of.name.text}")

    def with_written_type(self, written: CType, entry: ParameterEntry) -> Objects:
        return replace(self, **writes_of_pointer(CType(written.base, written.pointers[:-1]), entry))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name = entry.parameter.name
        is_counted = any(measure.what == "count" for measure in call.measures(name))
        if is_counted or (ctype.length or "").isdecimal():
            return
        message = f"the number of objects of '{name}' is unknown: no parameter counts them"
        hint = f"args: {{N: {{count_of: {name}}}}}; or a length in the prototype, '{name}[3]'"
        if ctype.length is None and not ctype.reads:
            hint = f"an object that C makes: args: {{{name}: {{out: true}}}}; several: {hint}"
        yield Diagnostic("argument-count", entry.span, message, hint)

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/objects", declaration=declared(scope.written, scope.variable), place=scope.place())

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/objects", "variable", facts)


def _has_length(entry: ParameterEntry) -> bool:
    """Returns whether the number of objects is known: by another parameter, or by the prototype."""
    return entry.is_counted or (entry.ctype.length or "").isdecimal()


def passed_by_value(entry: ParameterEntry, of: Class) -> Mistake:
    """Returns the mistake for a pointer to a class whose objects are passed by value."""
    name = entry.parameter.name
    message = f"objects of '{of.name.text}' are passed by value, and this is a pointer: to how many is unknown"
    hint = f"several: args: {{N: {{count_of: {name}}}}}; one: write a C function that takes it by value"
    if not entry.ctype.reads:
        hint = f"an object that C makes: args: {{{name}: {{out: true}}}}; {hint}"
    return entry.mistake("argument-type", message, hint, cause=of.name.text)

"""Sequences of objects: a `T **` or `T *const *`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import DeclaredCall, Kind, PythonScope
from dlpack_bindgen.arguments.memory import of_arrays, refuse_order, requirements_of_class, writes, writes_of_pointer
from dlpack_bindgen.arguments.requirements import NOTHING, Copy, Requirements
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.types import CType, declared
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Class, Mistake, Named

_OF_ONE = {
    key: f"'{key}' is for one object, and these are several: bind, or write, a function that gets them one by one"
    for key in ("takes", "invalidates", "keeps", "replaces")
}


class Objects(Kind, Frozen):
    """A `T **` or `T *const *`: a sequence of objects."""

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
        return (own.base == returned.base or self.class_name == of) and returned.depth == 1

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
        of = entry.class_among(entry.names.pointees(entry.ctype)) if entry.ctype.depth > 1 else None
        return cls._read(entry, of) if of is not None else None

    @classmethod
    def _read(cls, entry: ParameterEntry, of: Class) -> Objects:
        if of.by_value:
            raise passed_by_value(entry, of)
        keys = ["of", "writes", *(["require", "copy"] if of.imports else [])]
        refuse_order(entry, of)
        found = cls(of.name.text, writes(entry), requirements_of_class(entry, of), entry.copy)
        return entry.with_keys(keys, found, {**of_arrays(of), **_OF_ONE}, f"arrays for {of.name.text}")

    def with_written_type(self, written: CType, entry: ParameterEntry) -> Objects:
        return replace(self, **writes_of_pointer(CType(written.base, written.pointers[:-1]), entry))

    def problems(self, entry: ParameterEntry, ctype: CType, call: DeclaredCall) -> Iterator[Diagnostic]:
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


def passed_by_value(entry: ParameterEntry, of: Class) -> Mistake:
    """Returns the mistake for a pointer to a class whose objects are passed by value."""
    message = (
        f"objects of '{of.name.text}' are passed by value; pointers to them, and arrays of them, are not supported"
    )
    hint = "write a C function that takes them by value"
    if not entry.ctype.reads:
        hint = f"an object that C makes: args: {{{entry.parameter.name}: {{out: true}}}}; else {hint}"
    return entry.mistake("argument-type", message, hint, cause=of.name.text)

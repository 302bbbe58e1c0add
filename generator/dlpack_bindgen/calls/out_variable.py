"""Variables that the function fills. The call returns their values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import OUT, EmittedArgument, Kind, ParameterEntry
from dlpack_bindgen.calls.number import byte_assertions
from dlpack_bindgen.calls.result_kind import HIDDEN, Result, Source, Value
from dlpack_bindgen.calls.result_kinds import KINDS, RESULT_WORDS, by_type, completed, selected
from dlpack_bindgen.calls.string import STRING_CAPACITY
from dlpack_bindgen.language.keys import Key, Needs
from dlpack_bindgen.language.values import Leaf, is_true
from dlpack_bindgen.tensor.dtype import constant
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.text.ctext import mentions
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece
from dlpack_bindgen.text.types import CType, declared, family, pointed_to

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


MOST_ON_STACK = 65536
"""The limit of one argument on the stack, in bytes."""
_MOST_ITEMS = 4096
"""The most items of an array that C fills: it is on the stack, and Python gets a tuple."""
_CALL = r"\b(?!sizeof\b)[A-Za-z_]\w*\s*\("


_REQUIRED = {"count": "...", "shape": "[...]", "dtype": "..."}
"""The keys of a result that `require` has for an argument, with their values."""


def _of_result(key: Key) -> Key:
    """Returns a key of a result as a key of an `out`."""
    required = f"{{{key.name}: {_REQUIRED[key.name]}}}" if key.name in _REQUIRED else None
    hint = f"for an argument from Python, write 'require: [{required}]'" if required else None
    after = "out" if key.after == "of" else key.after
    return replace(key, needs=Needs(("out",), "it describes a result", hint), after=after)


class Out(Value, Kind):
    """A pointer to a variable that the function fills. The call returns the value."""

    selectors = ("out",)
    keys = (OUT, *(_of_result(key) for kind in KINDS for key in kind.keys))

    capacity: str | None = None
    """The capacity of memory that Python allocates, in bytes or elements. An array is the memory of the returned
    object. Bytes and strings are the memory of a bytes object, or lie on the stack."""

    is_passed = False
    is_returnable = True

    @property
    def returned(self) -> Value:
        return self

    def returned_value(self) -> Value:
        return self

    def origin(self, name: str) -> str:
        return f"`{name}` is filled by C{'' if self.kind.is_returned else ', and only C code of the spec reads it'}."

    def completed(self, ctype: CType, extents: Mapping[int, str], known: Set[str]) -> Out:
        """Returns the output with a capacity if its buffer is allocated at run time. Small buffers of bytes or
        characters are on the stack, if the compiler knows their type and size."""
        length = ctype.length
        if not length or not self.kind.is_buffer(pointed_to(ctype)):
            return self
        is_large = length.isdecimal() and int(length) > MOST_ON_STACK
        is_unknown_type = self.kind.is_array or ctype.base == "void"
        is_variable = re.search(_CALL, length) or any(mentions(length, name) for name in known)
        return replace(self, capacity=length) if is_large or is_unknown_type or is_variable else self

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, length = entry.parameter.name, ctype.length or ""
        if length.isdecimal() and int(length) > _MOST_ITEMS and not self.kind.may_be_buffer:
            message = f"'{name}' would be a tuple of {length} items; {_MOST_ITEMS} are the most"
            hint = f"an array in memory that Python owns: {{{name}: {{out: true, of: array}}}}"
            yield Diagnostic("argument-length", entry.span, message, hint)

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return self.kind.number is not None

    @property
    def owner(self) -> str | None:
        if self.capacity is None:
            return None
        return "array" if self.kind.is_array else "bytes"

    def freed_piece(self, emitted: EmittedArgument) -> Piece:
        is_array = self.kind.is_array
        return Piece("calls/lifetimes", "array_freed" if is_array else "object_freed", emitted)

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Out | None:
        """Returns the variable of an `out`. An array of arrays has a message of its own."""
        ctype = entry.ctype
        if not is_true(entry.fields[OUT]) or ctype.is_function or ctype.extents:
            return None
        if ctype.depth == 0 or ctype.pointers[-1] or ctype.length == "":
            raise entry.no_pointer("an 'out' is a pointer to a variable, which the function fills")
        variable = CType(ctype.base, ctype.pointers[:-1])
        source = Source(variable, entry.names, entry.span, entry.fields, entry.parameter.name, ctype.length)
        value = _by_name(entry, entry.name, source) if entry.name is not None else _by_type(entry, source)
        keys = [key for key in value.kind.accepts if not (ctype.length and key in ("optional", "borrow"))]
        return entry.with_keys(["of", "out", *keys], cls(**completed(value, source)))

    @property
    def dtype(self) -> str:
        """Returns the dtype of an array, as a C expression."""
        return constant(self.element) if self.element is not None else ""

    @property
    def ndim(self) -> int:
        return len(self.shape.expressions) if self.shape is not None else 0

    def declaration(self, emitted: EmittedArgument) -> str:
        ctype, length = pointed_to(emitted.ctype), emitted.ctype.length
        if self.capacity is not None:
            return declared(ctype, f"*{emitted.variable}")
        return declared(ctype, emitted.variable) + (f"[{emitted.body.text(length)}]" if length else "")

    def initial(self, emitted: EmittedArgument) -> str:
        ctype = pointed_to(emitted.ctype)
        if emitted.ctype.length:
            return "{0}"
        return "NULL" if ctype.pointers else "0" if family(ctype.base) else "{0}"

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        is_asserted = self.kind.has_characters(is_buffer=bool(emitted.ctype.length))
        return byte_assertions(emitted.label, emitted.ctype.base) if is_asserted else ()

    def passed_piece(self, emitted: EmittedArgument) -> Piece | None:
        is_address = emitted.ctype.length or emitted.body.is_in_storage(emitted.name)
        return None if is_address else Piece("calls/out_variable", "address", emitted)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        if isinstance(self.shape, ListedShape) and self.capacity is not None:
            yield Piece("calls/out_variable", "array", emitted, follows_checks=True)
            yield Piece("calls/out_variable", "has_no_array", emitted, is_condition=True)
            yield Piece("calls/out_variable", "elements", emitted, follows_checks=True)
        elif self.capacity is not None:
            yield Piece("calls/out_variable", "bytes", emitted, follows_checks=True)
            yield Piece("calls/out_variable", "has_no_bytes", emitted, is_condition=True)
        elif not emitted.body.is_in_storage(emitted.name):
            yield Piece("calls/out_variable", "variable", emitted)


def _by_name(entry: ParameterEntry, name: Leaf, source: Source) -> Result:
    named = entry.names.find(name, RESULT_WORDS, "result")
    kind = selected(named, source)
    if (value := kind.by_name(named, source)) is None:
        raise kind.refusal(named, source)
    return value


def _by_type(entry: ParameterEntry, source: Source) -> Result:
    variable, name, is_pointer = source.ctype, entry.parameter.name, source.ctype.depth == 1
    if variable == CType("char") and source.length is None:
        hint = f"one: {{of: char, out: true}}; a string: {STRING_CAPACITY}"
        raise entry.unclear("is ambiguous: one character, or storage for a string", hint)
    if (found := by_type(source)) is not None:
        return found
    entry.names.refuse(variable, entry.span)
    number = entry.names.number(variable.base)
    is_private = is_pointer and variable.base != "void" and not family(variable.base)
    if (is_pointer and number == "int" and entry.is_extent) or (is_private and entry.is_in_finally):
        return Result(HIDDEN)
    hint = "name a tensor or handle with 'of'"
    if is_pointer and number:
        hint = f"an array: {{{name}: {{of: array, out: true, shape: [...]}}}}; else {hint}"
    if is_private:
        hint += f"; or end it in 'finally', if only C text reads it: error: {name}->message"
    raise entry.unclear("is unknown to Python", hint)

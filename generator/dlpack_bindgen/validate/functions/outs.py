"""Reader for out-parameters: pointers to variables that a function fills."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.c.names import RESULT_WORDS
from dlpack_bindgen.c.types import CType, as_number, family, holds, is_letter, is_unknown
from dlpack_bindgen.slots.values import EachShape, ListedShape, Shape
from dlpack_bindgen.spec.functions import ArgumentKind
from dlpack_bindgen.validate.functions.classes import Class, Enum, Mistake, Named, likely, shared_by
from dlpack_bindgen.validate.functions.given import kept
from dlpack_bindgen.validate.functions.ownership import refuse_unowned
from dlpack_bindgen.validate.functions.reader import Reader
from dlpack_bindgen.validate.functions.sizes import (
    DTYPE_OF_ARRAY,
    array_class,
    count_of,
    dtype_of,
    required_of,
    shape_of,
    size_of,
)

STRING_CAPACITY = "write 'char NAME[64]' and {of: str, out: true}; or 'bytes', for which Python gives the buffer"
_BYTES_CAPACITY = (
    "the prototype declares its capacity: '{name}[64]', '{name}[lib_bound(n)]'; without 'out', Python gives it"
)
_ARRAY_CAPACITY = "the capacity of an array counts its elements: write their type"

_BYTES = tuple(map(CType, ("char", "signed char", "unsigned char", "int8_t", "uint8_t", "void")))
_OF_OUT = {
    "object": ("borrow", "owned", "keeps", "optional"),
    "bytes": ("size", "optional"),
    "str": ("optional",),
    "strings": ("count",),
    "array": ("borrow", "shape", "dtype", "optional"),
}


class OutReader(Reader):
    """Reads one out-parameter."""

    def out(self) -> ArgumentKind:
        if self._ctype.depth == 0 or self._ctype.pointers[-1] or self._ctype.length == "":
            raise self._no_pointer("an 'out' is a pointer to a variable, which the function fills")
        target = CType(self._ctype.base, self._ctype.pointers[:-1])
        named: Named | None = None
        if self._given.name is not None:
            named = self._names.find(self._given.name, RESULT_WORDS, "result")
        found = self._typed(target) if named is None else self._as(named, target)
        keys = ["of", "out", *_OF_OUT.get(found.kind or "", ())]
        if self._ctype.length:
            keys = [key for key in keys if key not in ("optional", "borrow")]  # Python owns the memory
        found = replace(
            found,
            borrow=self._given.text("borrow"),
            keeps=tuple(leaf.text for leaf in kept(self._given.record)),
            size=size_of(self._given.record, found.kind, bool(self._ctype.length)) if self._given.record else None,
            count=count_of(self._given.record, found.kind) if self._given.record else None,
            shape=self._shape(found),
            dtype=dtype_of(self._given.record, found.kind),
            optional=self._given.says("optional"),
            required=required_of(self._given.record, found.kind),
            owned=self._given.says("owned"),
        )
        if found.kind == "object":
            borrowing = f"args: {{{self._given.parameter.name}: {{out: true, borrow: PARAM}}}}"
            refuse_unowned(found, target, self._given.span, self._given.record, borrowing)
        return self._with(keys, found)

    def _is_array(self, target: CType) -> bool:
        """Returns whether the target is a pointer to elements, or a buffer of elements, of a known dtype."""
        record, is_buffer = self._given.record, self._ctype.length is not None
        has_dtype = record is not None and "dtype" in record.given and not (is_buffer and target.base == "void")
        return target.depth == (0 if is_buffer else 1) and (bool(self._names.number(target.base)) or has_dtype)

    def _shape(self, found: Out) -> Shape | None:
        """Returns the shape of a returned array, or None for other kinds.

        The default shape of a buffer is its capacity. Its rank must be fixed, because Python allocates it.
        """
        record, length = self._given.record, self._ctype.length
        if found.kind == "array" and length and record and "shape" not in record.given:
            return ListedShape((length,))
        shape = shape_of(record, found.kind, self._given.span)
        if record and length and isinstance(shape, EachShape):
            message = f"the rank of '{self._given.parameter.name}' is unknown: C fills memory that Python must make"
            raise Mistake("result-type", record.given["shape"], message, "write a list: 'shape: [n, m]'")
        return shape

    def _as(self, named: Named, target: CType) -> Out:
        if isinstance(named, Class):
            twin = self._names.twin(named, target)
            if twin is not None or self._names.is_own(named, target):
                return replace(self._object_out(named, target), twin=twin)
            passed = f"'{named.type} *'" if named.by_value else f"'{named.type} **', or '{named.type} *'"
            raise self._mistake("argument-type", f"an 'out' of '{named.name.text}' is {passed}, and this type differs")
        if isinstance(named, Enum):
            if holds(target, "int"):
                return Out("enum", named.name.text)
            raise self._mistake("argument-type", f"a '{named.name.text}' is an integer, and this does not point to one")
        number = as_number(named)
        if number is not None and holds(target, number):
            return Out(number)
        if named == "bytes" and (target.depth == 1 or (self._ctype.length and _is_byte(target))):
            return Out("bytes")
        if named == "strings" and target.depth == 2 and is_letter(CType(target.base)):
            return Out("strings")
        if named == "array" and self._is_array(target):
            is_complex = self._names.numbers.get(target.base) == "complex"
            return Out("array", array_class(self._names, self._given.span), is_complex=is_complex)
        if named == "str" and is_letter(CType(target.base)) and target.depth == (0 if self._ctype.length else 1):
            return Out("str")
        if named == "str" and target.depth == 0 and is_letter(target):
            raise self._mistake("argument-type", "the capacity of the string is unknown", STRING_CAPACITY)
        name, hint = self._given.parameter.name, None
        if named == "bytes" and not self._ctype.length and _is_byte(target):
            hint = _BYTES_CAPACITY.format(name=name)
        if named == "array" and (target.depth == 0 if self._ctype.length else target.depth == 1):
            hint = _ARRAY_CAPACITY if self._ctype.length and target.base == "void" else DTYPE_OF_ARRAY
        raise self._mistake("argument-type", f"this does not point to '{named}'", hint)

    def _typed(self, target: CType) -> Out:
        found = likely(self._names.objects(target) if target.depth else self._names.meant(target))
        if len(found) > 1:
            several = shared_by(found)
            raise self._mistake("ambiguous-class", f"{several} share this C type", "name one of them with 'of'")
        if found:
            return self._object_out(found[0], target)
        if target.depth == 1 and target.base == "char":
            return Out("str")
        if target == CType("char") and not self._ctype.length:
            hint = f"one: {{of: char, out: true}}; a string: {STRING_CAPACITY}"
            raise self._unclear("is ambiguous: one character, or storage for a string", hint)
        if target.depth == 0 and (self._names.number(target.base) or is_unknown(target)):
            return Out(self._names.number(target.base) or "int")
        self._names.refuse(target, self._given.span)
        is_private = target.depth == 1 and target.base != "void" and not family(target.base)
        is_extents = target.depth == 1 and self._names.number(target.base) == "int" and self._given.is_extent
        if is_extents or (is_private and self._given.is_ended):
            return Out("private")
        hint = "name a tensor or handle with 'of'"
        if target.depth == 1 and self._names.number(target.base):
            hint = f"an array: {{{self._given.parameter.name}: {{of: array, out: true, shape: [...]}}}}; else {hint}"
        if is_private:
            name = self._given.parameter.name
            hint += f"; or end it in 'finally', if only C text reads it: error: {name}->message"
        raise self._unclear("is unknown to Python", hint)

    def _object_out(self, of: Class, target: CType) -> Out:
        """Returns an `out` for an object: a pointer to it, or a struct that the function fills."""
        if self._ctype.length is not None:
            raise self._mistake("argument-type", f"'{of.name.text}' is one object, and this is an array of them")
        if of.is_struct(target) and self._given.says("optional"):
            raise self._mistake("argument-type", f"'{of.name.text}' is filled in place, and is never NULL")
        return Out("object", of.name.text)


def _is_byte(ctype: CType) -> bool:
    """Returns whether the type is a byte or is unknown. The compiler checks unknown types."""
    return ctype in _BYTES or (is_unknown(ctype) and ctype.depth == 0)

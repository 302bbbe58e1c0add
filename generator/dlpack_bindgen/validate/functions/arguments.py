"""Classification of the parameters of a function by their C types and their entries in `args`."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.derived import MEASURES, Derived
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.enumeration import EnumValue
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.kinds import WORDS
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.arguments.requirements import NOTHING
from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings
from dlpack_bindgen.c.types import (
    BYTES,
    CType,
    NumberKind,
    Parameter,
    as_number,
    family,
    holds,
    is_letter,
    is_unknown,
    is_unsigned,
)
from dlpack_bindgen.diagnostics import shown
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.slots.values import CTypeDType, DecodedDType, FixedDType
from dlpack_bindgen.spec.functions import Argument, ArgumentKind
from dlpack_bindgen.validate.build.slots import dtype
from dlpack_bindgen.validate.functions.classes import Class, Enum, Mistake, Names, likely, shared_by
from dlpack_bindgen.validate.functions.given import Given
from dlpack_bindgen.validate.functions.memory import LIKE, NOT_OF_OWN, MemoryReader
from dlpack_bindgen.validate.functions.outs import STRING_CAPACITY, OutReader
from dlpack_bindgen.validate.structure import Report

_ONLY_READ = "{of: str, writes: false} if C only reads it"


def _by_value(of: Class, parameter: Parameter) -> tuple[str, str]:
    name = of.name.text
    hint = "write a C function that takes them by value"
    return (
        f"objects of '{name}' are passed by value; pointers to them, and arrays of them, are not supported",
        hint
        if parameter.ctype.reads
        else f"an object that C makes: args: {{{parameter.name}: {{out: true}}}}; else {hint}",
    )


def self_index(arguments: tuple[Given, ...], own_class: Class, names: Names) -> int | None:
    """Returns the index of the parameter that is the object of the method, or None.

    It is the first parameter of the C type of the class that `args` does not declare as something else. If the type is
    a number, a parameter that `args` declares as the class comes first. Raises Mistake if several parameters have the
    number type and `args` names none of them.
    """
    number = names.number(own_class.type or "")
    found = [index for index, each in enumerate(arguments) if _may_be_own(each, own_class, names)]
    named = [index for index in found if arguments[index].name is not None]
    if number is None or named or len(found) < 2:
        return next(iter((named or found) if number else found), None)
    written = [arguments[index].parameter.name for index in found]
    among = ", ".join(f"'{name}'" for name in written)
    message = f"the '{own_class.name.text}' of this method is ambiguous: {among} have its C type"
    hint = f"args: {', or '.join(f'{{{name}: {own_class.name.text}}}' for name in written)}"
    if own_class.by_value:
        hint += f"; if it makes one of them: {{{', '.join(f'{name}: {number}' for name in written)}}}"
    raise Mistake("ambiguous-class", arguments[found[0]].span, message, hint)


def _may_be_own(each: Given, own_class: Class, names: Names) -> bool:
    keys = each.record.given if each.record else ()
    others = (
        *MEASURES,
        "code_of",
        "param_of",
        "value",
        "out",
        *(NOT_OF_OWN if names.number(own_class.type or "") else ()),
    )
    named = each.name is None or each.name.text == own_class.name.text
    ctype = each.parameter.ctype
    is_own = names.is_own(own_class, ctype) or (each.name is not None and names.twin(own_class, ctype) is not None)
    return is_own and named and not any(key in keys for key in others)


def argument(each: Given, names: Names, own_class: Class | None, report: Report) -> Argument | None:
    """Returns the argument for a parameter. Returns None if its entry in `args` has a mistake, which is reported.

    `own_class` is the class if the parameter is the object of a method.
    """
    if each.is_broken:
        return None
    by_address = _is_by_address(each, names)
    ctype = written = CType(each.parameter.ctype.base) if by_address else each.parameter.ctype
    of = names.classes.get(each.name.text) if each.name is not None and not by_address else None
    if of is not None and not each.says("out"):
        ctype = names.twins(of, ctype, each.is_counted) or names.twin(of, ctype) or ctype
    try:
        kind = _Reader(replace(each, parameter=replace(each.parameter, ctype=ctype)), names).kind(own_class, by_address)
    except Mistake as mistake:
        if not (each.is_misread and mistake.diagnostic.code == "argument-unclear"):
            report(mistake.diagnostic)
        return None
    restrict = each.parameter.restrict or any(written.restrict)
    if ctype == written:
        return Argument(each.parameter.name, ctype, kind, by_address, restrict)
    if isinstance(kind, Object | Objects) and each.text("writes") is None:
        pointer = CType(written.base, written.pointers[:-1]) if isinstance(kind, Objects) else written
        is_known = pointer.depth > 0
        kind = replace(kind, writes=not pointer.reads, unless_const=None if is_known else pointer.base)
    return Argument(each.parameter.name, ctype, kind, restrict=restrict, written=written)


def _is_by_address(each: Given, names: Names) -> bool:
    """Returns whether C takes the address of a declared number, as Fortran does."""
    ctype = each.parameter.ctype
    if ctype.depth != 1 or ctype.length is not None or ctype.extents or ctype.is_function or each.says("out"):
        return False
    named = each.name.text if each.name else ""
    number = as_number(named) or named in names.enums or any(each.text(key) for key in (*MEASURES, "code_of"))
    return bool(number) and bool(names.number(ctype.base) or (is_unknown(ctype) and not names.objects(ctype)))


class _Reader(MemoryReader):
    def kind(self, own_class: Class | None, by_address: bool) -> ArgumentKind:
        each = self._given
        for key, what in MEASURES.items():
            if of := each.text(key):
                in_bytes = key == "stride_of" and each.text("unit") == "bytes"
                axis, plus = int(each.text("axis") or 0), int(each.text("plus") or 0)
                measure = Derived(what, of, axis, plus, in_bytes, each.says("negative"))
                return self._measure(measure, key)
        if of := each.text("code_of"):
            return self._with(("code_of", "map"), DTypeCode(of, self._codes()))
        if of := each.text("param_of"):
            return self._with(("param_of",), ParamOf(of))
        if value := each.text("value"):
            return self._with(("of", "value") if by_address else ("value",), Fixed(value))
        if self._ctype.is_function:
            null = each.name is not None and each.name.text == "NULL"
            hint = "write {value: NULL}" if null else "pass a C function by 'value: NAME'"
            raise self._mistake("callback", "callbacks are out of scope: C cannot call Python's functions here", hint)
        if self._ctype.extents:
            return self._table()
        if each.says("out"):
            return OutReader(each, self._names).out()
        if own_class is not None:
            return self._object(own_class, own=True)
        if each.name is None:
            return self._by_type()
        named = self._names.find(each.name, WORDS, "argument")
        if isinstance(named, Class):
            return self._of_class(named)
        if isinstance(named, Enum):
            return self._enum(named)
        return self._word(named)

    def _codes(self) -> tuple[tuple[str, FixedDType | CTypeDType], ...]:
        record = self._given.record
        table = record.table("map") if record else None
        arms = []
        for key, value in table.entries if table else ():
            if isinstance(value, Fields) and "code" in value.given:
                raise Mistake("code-not-invertible", value.span, "a code stands for one dtype, which is known here")
            found = dtype(value)
            assert not isinstance(found, DecodedDType)
            arms.append((key.text, found))
        return tuple(arms)

    # ---- By name ----

    def _of_class(self, of: Class) -> ArgumentKind:
        if self._names.is_own(of, self._ctype):
            return self._object(of)
        if of in self._names.pointees(self._ctype):
            if of.by_value:
                raise self._mistake("argument-type", *_by_value(of, self._given.parameter), cause=of.name.text)
            return self._objects(of)
        passed = of.type if of.by_value else f"{of.type} *"
        raise self._mistake(
            "argument-type", f"objects of '{of.name.text}' are passed as '{passed}', and this type differs"
        )

    def _enum(self, of: Enum) -> ArgumentKind:
        if not holds(self._ctype, "int") or family(self._ctype.base) == "char":
            raise self._mistake("argument-type", f"'{of.name.text}' is an integer, and this type is not")
        default = self._given.record.leaf("default") if self._given.record is not None else None
        member = of.members.get(default.text.removeprefix(f"{of.name.text}.")) if default is not None else None
        if default is not None and member is not None and default.text not in of.members.values():
            message = f"'{shown(default.text)}' is its name in Python, and a default is C"
            raise Mistake("stray-word", default.span, message, f"write {member}")
        return self._with(("of", "default"), EnumValue(of.name.text, self._given.text("default")))

    def _word(self, word: str) -> ArgumentKind:
        number = as_number(word)
        if number is not None:
            if not holds(self._ctype, number):
                raise self._mistake("argument-type", f"the C type cannot hold '{word}'")
            return self._number(number)
        if word in ("str", "path"):
            return self._text(path=word == "path")
        if word == "strings":
            return self._strings()
        if word == "rows":
            return self._rows()
        pointer = self._ctype.depth == 1
        if word == "bytes":
            if not pointer or not (self._ctype.base in BYTES or is_unknown(self._ctype)):
                raise self._mistake("argument-type", "'bytes' are passed as 'void *' or as a pointer to characters")
            return self._array(replace(self._given.require(), dtypes=("uint8",)), word)
        meant = self._names.meant(self._ctype) if self._ctype.base != "void" else []
        if pointer and meant and not self._given.require().dtypes:
            message = f"an 'array' is passed as a pointer to its elements, and this points to '{meant[0].name.text}'"
            entry = "{of: array, require: [{dtype: ...}, {shape: [N, ...]}]}"
            hint = f"leave 'array' out for one object; for structs that hold only numbers, {entry}"
            raise self._mistake("argument-type", message, hint)
        if not pointer or self._ctype.base == "DLTensor":
            raise self._no_pointer("an 'array' is passed as a pointer to its elements")
        return self._array(self._given.require(), word)

    # ---- By C type ----

    def _by_type(self) -> ArgumentKind:
        ctype = self._ctype
        found = likely(self._names.objects(ctype) if self._is_object() else self._names.meant(ctype))
        if ctype.depth > 1 and not found:
            found = likely(self._names.pointees(ctype))
        if len(found) > 1:
            several = shared_by(found)
            raise self._mistake("ambiguous-class", f"{several} share this C type", "name one of them in 'args'")
        if found:
            return self._of_class(found[0])
        if ctype.depth == 0:
            return self._value()
        if ctype.depth == 1:
            return self._pointer()
        if ctype.base == "char" and ctype.pointers == (True, True):
            return self._strings()
        self._names.refuse(ctype, self._given.span)
        hint, name = None, self._given.parameter.name
        rows = f"rows of an array of two axes: args: {{{name}: rows}}"
        if ctype.depth == 2 and not ctype.reads and ctype.base in BYTES:
            hint = f"bytes that C makes: args: {{{name}: {{of: bytes, out: true, size: ...}}}}, and their release in "
            strings_hint = (
                f"a string: {{{name}: {{out: true}}}}; several strings that Python gives: {{{name}: strings}}"
            )
            hint += f"'finally'; {strings_hint if ctype.base == 'char' else rows}"
        elif ctype.base == "char":
            text = (
                "" if ctype.pointers[-1] or ctype.depth > 2 else f"a string that C gives: {{{name}: {{out: true}}}}; "
            )
            hint = f"{text}several strings that Python gives: {{{name}: strings}}" if ctype.depth == 2 else None
        elif self._names.number(ctype.base) not in (None, "char"):
            hint = rows
        raise self._unclear("is a pointer to pointers: a list of objects, or an 'out'", hint)

    def _is_object(self) -> bool:
        """Returns whether the entry in `args` has a key that only objects have."""
        record = self._given.record
        like = (self._given.text("default") or "").startswith(LIKE)
        return like or (record is not None and not record.given.keys().isdisjoint(("takes", "invalidates")))

    def _value(self) -> ArgumentKind:
        known = self._names.number(self._ctype.base)
        if known is None and not is_unknown(self._ctype):
            raise self._unclear("is unknown: no tensor or handle has it and 'pass: value'")
        return self._number(known or "int")

    def _pointer(self) -> ArgumentKind:
        ctype, base = self._ctype, self._ctype.base
        if base == "DLTensor":
            return self._raw()
        if base == "char":
            if ctype.reads:
                return self._text(path=False)
            raise self._unclear(
                "is not the type of a 'str': C may write to the string", f"{STRING_CAPACITY}; {_ONLY_READ}"
            )
        require = self._given.require()
        if self._names.number(base) or require.dtypes:
            return self._array(require)
        if base == "void" and self._given.is_coded:
            return self._array(require, "array")
        if base == "void":
            hint = "write 'bytes', 'array', or {require: [{dtype: ...}]}; {value: NULL} if Python gives nothing"
            raise self._unclear("does not declare what it points to", hint)
        if of := self._names.objects(CType(base)):
            raise self._mistake("argument-type", *_by_value(of[0], self._given.parameter), cause=of[0].name.text)
        self._names.refuse(ctype, self._given.span)
        if base == "FILE":
            hint = "Python has the name of the file: bind a C function that takes a path ('const char *', {of: path})"
            raise self._unclear("is unknown: Python has no 'FILE'", hint)
        number = f"; a number type: numbers: {{{base}: ...}} at the top"
        hint = (
            "a number: 'out: true'; an array: {require: [{dtype: ...}]}; a constant: 'value'; an object: a handle"
            f"{'' if ' ' in base else number}"
            f"{'; a string: str' if ctype.reads and is_unknown(ctype) else ''}"
        )
        raise self._unclear(f"is unknown: '{base}' is not a tensor, a handle or a number", hint, base)

    # ---- Kinds ----

    def _number(self, kind: NumberKind) -> ArgumentKind:
        return self._with(("of", "default"), Number(kind, self._given.text("default")))

    def _text(self, path: bool) -> ArgumentKind:
        base, record = self._ctype.base, self._given.record
        may_write = not self._ctype.reads and not (record is not None and record.text("writes") == "false")
        if self._ctype.depth != 1 or may_write or not is_letter(CType(base)):
            message = "a string is passed as 'const char *'"
            if self._ctype.depth == 1 and is_letter(CType(base)):
                raise self._mistake("argument-type", message, f"write {_ONLY_READ}")
            raise self._no_pointer(message)
        text = String(path, self._given.says("optional"), self._given.text("default"))
        return self._with(("of", "default", "optional", *(() if self._ctype.reads else ("writes",))), text)

    def _strings(self) -> ArgumentKind:
        """Returns the argument for a table of strings. C must not write to it, but its type may lack the `const`."""
        ctype, require = self._ctype, self._given.require()
        if ctype.depth != 2 or ctype.base != "char" or ctype.extents:
            raise self._no_pointer("'strings' are passed as 'const char *const *', or without a 'const'")
        if replace(require, count=None) != NOTHING:
            span = self._given.record.given["require"] if self._given.record else self._given.span
            raise Mistake("without-effect", span, "'require' of 'strings' allows only their number: [{count: ...}]")
        count = require.count or ctype.length or None
        return self._with(("of", "optional", "require"), Strings(self._given.says("optional"), count))

    def _measure(self, measure: Derived, key: str) -> ArgumentKind:
        if not holds(self._ctype, "int") or family(self._ctype.base) == "char":
            hint = f"'{key}' belongs to the number, and names the array"
            raise self._mistake("argument-type", f"'{key}' is an integer, and this type is not", hint)
        if measure.negative and is_unsigned(self._ctype.base):
            span = self._given.record.given["negative"] if self._given.record else self._given.span
            raise Mistake("without-effect", span, f"'{self._ctype.base}' is never negative")
        unit, counted = self._given.text("unit"), "bytes" if measure.what == "size" else "elements"
        if self._given.record and measure.what in ("count", "size", "extent") and unit not in (None, counted):
            other = "size_of" if unit == "bytes" else "count_of"
            message = f"'{key}' counts {counted}"
            raise Mistake("without-effect", self._given.record.given["unit"], message, f"'{other}' counts {unit}")
        return self._with((key, "axis", "unit", "plus", "negative"), measure)

"""What each parameter of a function is: from its C type, and from what `args` says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from dlpack_bindgen.c.names import ARGUMENT_WORDS, RESULT_WORDS
from dlpack_bindgen.c.types import CType, NumberKind, as_number, family, holds, is_unknown
from dlpack_bindgen.diagnostics import Code
from dlpack_bindgen.spec.functions import (
    Argument,
    ArgumentKind,
    Array,
    DTypeCode,
    EnumValue,
    Fixed,
    Measure,
    MeasureKind,
    Number,
    Object,
    Objects,
    Out,
    ParamOf,
    Raw,
    Text,
)
from dlpack_bindgen.spec.requirements import Requirements
from dlpack_bindgen.spec.slots import CTypeDType, DecodedDType, FixedDType
from dlpack_bindgen.validate.build.slots import dtype
from dlpack_bindgen.validate.functions.classes import Class, Enum, Mistake, Named, Names
from dlpack_bindgen.validate.functions.given import Given
from dlpack_bindgen.validate.functions.sizes import size_of
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.synonyms import ARGUMENT_HABITS
from dlpack_bindgen.validate.values import Fields, is_whole

MEASURES: dict[str, MeasureKind] = {
    "count_of": "count",
    "size_of": "size",
    "extent_of": "extent",
    "stride_of": "stride",
    "flags_of": "flags",
}
_LIKE = "like "
_CPU = ("cpu",)
_BYTES = frozenset(("void", "char", "signed char", "unsigned char", "int8_t", "uint8_t"))
_ROOM = "write 'char NAME[64]' and {of: str, out: true}; or 'bytes', for which Python gives the room"
Kind = TypeVar("Kind", bound=ArgumentKind)


def _by_value(of: Class) -> tuple[str, str]:
    name = of.name.text
    return (
        f"objects of '{name}' are passed by value; pointers to them, and arrays of them, are not supported",
        "write a C function that takes them by value",
    )


def self_index(arguments: tuple[Given, ...], home: Class) -> int | None:
    """Which parameter is the object whose method this is: the first one of its C type that is said to be nothing
    else."""
    for index, each in enumerate(arguments):
        named = each.name is None or each.name.text == home.name.text
        plain = (
            not any(key in each.record.given for key in (*MEASURES, "code_of", "param_of", "value", "out"))
            if each.record
            else True
        )
        ctype = each.parameter.ctype
        if (home.is_object(ctype) or home.is_struct(ctype)) and named and plain:
            return index
    return None


def argument(each: Given, names: Names, home: Class | None, report: Report) -> Argument | None:
    """`home` is the class if this is the object of a method. None after a report, or where there was one before."""
    if each.record and not is_whole(each.record):
        return None
    try:
        kind = _Reader(each, names).kind(home)
    except Mistake as mistake:
        report(mistake.diagnostic)
        return None
    return Argument(each.parameter.name, each.parameter.ctype, kind)


class _Reader:
    def __init__(self, each: Given, names: Names) -> None:
        self._given = each
        self._ctype = each.parameter.ctype
        self._names = names

    def kind(self, home: Class | None) -> ArgumentKind:
        each = self._given
        for key, what in MEASURES.items():
            if of := each.text(key):
                return self._measure(Measure(what, of, int(each.text("axis") or 0)), key)
        if of := each.text("code_of"):
            return self._with(("code_of", "map"), DTypeCode(of, self._codes()))
        if of := each.text("param_of"):
            return self._with(("param_of",), ParamOf(of))
        if value := each.text("value"):
            return self._with(("value",), Fixed(value))
        if self._ctype.is_function:
            hint = "pass a C function by 'value: NAME'"
            raise self._mistake("callback", "callbacks are out of scope: C cannot call Python's functions here", hint)
        if each.says("out"):
            return _OutReader(each, self._names).out()
        if home is not None:
            return self._object(home, own=True)
        if each.name is None:
            return self._by_type()
        named = self._names.find(each.name, ARGUMENT_WORDS, ARGUMENT_HABITS)
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
        if of.is_object(self._ctype) or of.is_struct(self._ctype):
            return self._object(of)
        if of in self._names.pointees(self._ctype):
            if of.by_value:
                raise self._mistake("argument-type", *_by_value(of))
            return self._objects(of)
        passed = of.type if of.by_value else f"{of.type} *"
        raise self._mistake("argument-type", f"objects of '{of.name.text}' are passed as '{passed}', and this is none")

    def _enum(self, of: Enum) -> ArgumentKind:
        if not holds(self._ctype, "int") or family(self._ctype.base) == "char":
            raise self._mistake("argument-type", f"'{of.name.text}' is an integer, and this is none")
        return self._with(("of", "default"), EnumValue(of.name.text, self._given.text("default")))

    def _word(self, word: str) -> ArgumentKind:
        number = as_number(word)
        if number is not None:
            if not holds(self._ctype, number):
                raise self._mistake("argument-type", f"the C type cannot hold '{word}'")
            return self._number(number)
        if word in ("str", "path"):
            return self._text(path=word == "path")
        pointer = self._ctype.depth == 1
        if word == "bytes":
            if not pointer or not (self._ctype.base in _BYTES or is_unknown(self._ctype)):
                raise self._mistake("argument-type", "'bytes' are passed as 'void *' or as a pointer to characters")
            return self._array(replace(self._given.require(), dtypes=("uint8",)), word)
        if not pointer or self._names.objects(self._ctype) or self._ctype.base == "DLTensor":
            raise self._mistake("argument-type", "an 'array' is passed as a pointer to its elements")
        return self._array(self._given.require(), word)

    # ---- By C type ----

    def _by_type(self) -> ArgumentKind:
        ctype = self._ctype
        found = self._names.objects(ctype) or self._names.pointees(ctype)
        if ctype.depth == 1 and found and not self._names.objects(ctype):
            found = []
        if len(found) > 1:
            several = ", ".join(f"'{each.name.text}'" for each in found)
            raise self._mistake("ambiguous-class", f"{several} share this C type", "say in 'args' which of them it is")
        if found:
            return self._of_class(found[0])
        if ctype.depth == 0:
            return self._value()
        if ctype.depth == 1:
            return self._pointer()
        raise self._unclear("a pointer to pointers is a list of objects, or an 'out'")

    def _value(self) -> ArgumentKind:
        known = family(self._ctype.base)
        if known is None and not is_unknown(self._ctype):
            raise self._unclear("no tensor or handle has this type and 'pass: value'")
        return self._number(known or "int")

    def _pointer(self) -> ArgumentKind:
        ctype, base = self._ctype, self._ctype.base
        if base == "DLTensor":
            return self._raw()
        if base == "char":
            if ctype.reads:
                return self._text(path=False)
            raise self._unclear("what C may write is no 'str'", _ROOM)
        require = self._given.require()
        if family(base) or require.dtypes:
            return self._array(require)
        if base == "void":
            raise self._unclear("what does it point to?", "say 'bytes', 'array', or {require: [{dtype: ...}]}")
        if of := self._names.objects(CType(base)):
            raise self._mistake("argument-type", *_by_value(of[0]))
        hint = "a number: 'out: true'; an array: {require: [{dtype: ...}]}; a constant: 'value'; an object: a handle"
        raise self._unclear(f"'{base}' is no tensor, handle or number", hint)

    # ---- Kinds ----

    def _number(self, kind: NumberKind) -> ArgumentKind:
        return self._with(("of", "default"), Number(kind, self._given.text("default")))

    def _text(self, path: bool) -> ArgumentKind:
        base = self._ctype.base
        if self._ctype.depth != 1 or not self._ctype.reads or not (base == "char" or is_unknown(self._ctype)):
            raise self._mistake("argument-type", "text is passed as 'const char *'")
        text = Text(path, self._given.says("optional"), self._given.text("default"))
        return self._with(("of", "default", "optional"), text)

    def _object(self, of: Class, own: bool = False) -> ArgumentKind:
        """`own`: of a method."""
        each = self._given
        default = each.text("default")
        like = default.removeprefix(_LIKE).strip() if default and default.startswith(_LIKE) else None
        if default and like is None:
            raise self._mistake("without-effect", "the default of an object is 'like PARAM'", "NULL: 'optional: true'")
        if each.says("optional") and self._ctype.depth == 0:
            raise self._mistake("argument-type", f"'{of.name.text}' is passed by value, which is never NULL")
        keys = ["of", "invalidates", "takes"]
        if each.says("takes") and not of.releases:
            message = f"'{of.name.text}' has no 'release': nothing of it is Python's to give"
            raise Mistake("without-effect", each.record.given["takes"] if each.record else each.span, message)
        if not own:
            keys += ["optional"]
        keys += ["writes"]
        if not own and of.imports:
            keys += ["require", "copy"]
        if not own and of.is_tensor:
            keys += ["default"]
        found = Object(
            of=of.name.text,
            writes=self._writes(),
            require=each.require(),
            copy=each.copy,
            like=like,
            optional=each.says("optional"),
            invalidates=each.says("invalidates") or each.says("takes"),
            takes=each.says("takes"),
        )
        return self._with(keys, found, _of_own(each.parameter.name) if own else _of_arrays(of))

    def _objects(self, of: Class) -> ArgumentKind:
        each = self._given
        keys = ["of", "writes", *(["require", "copy"] if of.imports else [])]
        found = Objects(of.name.text, self._writes(), each.require(), each.copy)
        return self._with(keys, found, _of_arrays(of))

    def _raw(self) -> ArgumentKind:
        each = self._given
        self._refuse_const()
        raw = Raw(self._writes(), each.require(), each.copy, each.says("optional"))
        return self._with(("of", "writes", "require", "copy", "optional"), raw)

    def _array(self, require: Requirements, word: str | None = None) -> ArgumentKind:
        """`word`: what it is said to be."""
        each = self._given
        if self._ctype.base != "void" and family(self._ctype.base) is None and not require.dtypes:
            raise self._unclear("which dtype has it?", "say {require: [{dtype: ...}]}")
        any_dtype = word == "array" and self._ctype.base == "void" and not require.dtypes
        said_device = each.record is not None and self._says_device(each.record)
        require = replace(require, devices=require.devices if said_device else _CPU)
        self._refuse_const()
        array = Array(self._writes(), any_dtype, require, each.copy, each.says("optional"), word == "bytes")
        return self._with(("of", "writes", "require", "copy", "optional"), array)

    @staticmethod
    def _says_device(record: Fields) -> bool:
        listed = record.items("require")
        return any("device" in each.given for each in (listed.records() if listed else ()))

    def _refuse_const(self) -> None:
        if self._given.text("writes") == "true" and self._ctype.reads:
            raise self._mistake("argument-type", "what is 'const' is not written")

    def _writes(self) -> bool:
        """Whether it may. Of objects the C type is no proof: by value nothing is 'const', and the data of a 'const T *'
        need not be."""
        said = self._given.text("writes")
        return not self._ctype.reads if said is None else said == "true"

    def _measure(self, measure: Measure, key: str) -> ArgumentKind:
        if not holds(self._ctype, "int") or family(self._ctype.base) == "char":
            raise self._mistake("argument-type", f"'{key}' is an integer, and this is none")
        return self._with((key, "axis"), measure)

    # ---- Mistakes ----

    def _with(self, keys: tuple[str, ...] | list[str], kind: Kind, why: Mapping[str, str] | None = None) -> Kind:
        """`kind`, of which only these keys can be said; `why` some others cannot."""
        record = self._given.record
        for key, span in record.given.items() if record else ():
            needs = getattr(record.record.key(key), "needs", None) if record else None
            alone = needs is not None and record is not None and record.given.keys().isdisjoint(needs.keys)
            if key not in keys and not alone:  # which has been said
                if why and key in why:
                    raise Mistake("without-effect", span, why[key])
                known = ", ".join(f"'{name}'" for name in keys)
                message = f"'{key}' says nothing of what this parameter is"
                raise Mistake("without-effect", span, message, f"the keys for that are {known}")
        return kind

    def _unclear(self, why: str, hint: str | None = None) -> Mistake:
        return self._mistake("argument-unclear", f"what is '{self._given.parameter.name}'? {why}", hint)

    def _mistake(self, code: Code, message: str, hint: str | None = None) -> Mistake:
        return Mistake(code, self._given.span, message, hint)


def _of_own(name: str) -> dict[str, str]:
    """Why nothing is said of how the object of a method is given."""
    keys = ("optional", "default", "require", "copy")
    return {key: f"'{key}' has no place here: '{name}' is the object on which the method is called" for key in keys}


def _of_arrays(of: Class) -> dict[str, str]:
    """Why nothing is said of arrays that are given for an object."""
    why = f"'{of.name.text}' has no 'import', so that no arrays of others are taken for it"
    return {} if of.imports else {key: f"'{key}' has no place here: {why}" for key in ("require", "copy")}


_OF_OUT = {"object": ("borrow", "keeps", "optional"), "bytes": ("size",)}


class _OutReader(_Reader):
    """A pointer to a variable that the function fills."""

    def out(self) -> ArgumentKind:
        if self._ctype.depth == 0 or self._ctype.pointers[-1] or self._ctype.length == "":
            message = "an 'out' is a pointer to a variable, which the function fills"
            raise self._mistake("argument-type", message)
        target = CType(self._ctype.base, self._ctype.pointers[:-1])
        named: Named | None = None
        if self._given.name is not None:
            named = self._names.find(self._given.name, RESULT_WORDS)
        found = self._typed(target) if named is None else self._as(named, target)
        keys = ["of", "out", *_OF_OUT.get(found.kind, ())]
        found = replace(
            found,
            borrow=self._given.text("borrow"),
            keeps=self._given.text("keeps"),
            size=size_of(self._given.record, found.kind) if self._given.record else None,
            optional=self._given.says("optional"),
        )
        return self._with(keys, found)

    def _as(self, named: Named, target: CType) -> Out:
        if isinstance(named, Class):
            if named.is_object(target) or named.is_struct(target):
                return self._object_out(named, target)
            passed = f"'{named.type} *'" if named.by_value else f"'{named.type} **', or '{named.type} *'"
            raise self._mistake("argument-type", f"an 'out' of '{named.name.text}' is {passed}, and this is none")
        if isinstance(named, Enum):
            if holds(target, "int"):
                return Out("enum", named.name.text)
            raise self._mistake("argument-type", f"a '{named.name.text}' is an integer, and this points to none")
        number = as_number(named)
        if number is not None and holds(target, number):
            return Out(number)
        if named == "bytes" and target.depth == 1:
            return Out("bytes")
        if named == "str" and target.depth == 1 and (target.base == "char" or is_unknown(target)):
            return Out("str")
        if named == "str" and target == CType("char"):
            if self._ctype.length:
                return Out("str")
            raise self._mistake("argument-type", "how much room is there for the text?", _ROOM)
        raise self._mistake("argument-type", f"this does not point to '{named}'")

    def _typed(self, target: CType) -> Out:
        found = self._names.objects(target)
        if len(found) > 1:
            several = ", ".join(f"'{each.name.text}'" for each in found)
            raise self._mistake("ambiguous-class", f"{several} share this C type", "say with 'of' which of them it is")
        if found:
            return self._object_out(found[0], target)
        if target.depth == 1 and target.base == "char":
            return Out("str")
        if target == CType("char") and not self._ctype.length:
            hint = f"one: {{of: char, out: true}}; a text: {_ROOM}"
            raise self._unclear("is it one character, or room for a text?", hint)
        if target.depth == 0 and (family(target.base) or is_unknown(target)):
            return Out(family(target.base) or "int")
        raise self._unclear("a variable of this type is nothing that Python knows", "name a tensor or handle with 'of'")

    def _object_out(self, of: Class, target: CType) -> Out:
        """One by its pointer, or a struct that the function fills."""
        if self._ctype.length is not None:
            raise self._mistake("argument-type", f"'{of.name.text}' is one object, and this is an array of them")
        if of.is_struct(target) and self._given.says("optional"):
            raise self._mistake("argument-type", f"'{of.name.text}' is filled where it is, which is never NULL")
        return Out("object", of.name.text)

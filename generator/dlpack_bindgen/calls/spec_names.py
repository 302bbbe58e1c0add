"""Names of a spec that stand for types in its functions, and the meaning of C types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import PARAMS, TYPE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value
from dlpack_bindgen.tensor.dtype import CTypeDType
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Span, closest
from dlpack_bindgen.text.types import (
    CType,
    NumberKind,
    Prototype,
    RecordType,
    family,
    is_typedef,
    parse,
    split_parameter,
)

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


class Mistake(Exception):
    """A mistake that stops the reading of one argument or result."""

    def __init__(
        self,
        code: Code,
        span: Span,
        message: str,
        hint: str | None = None,
        cause: str | None = None,
        facts: object = None,
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, span, message, hint, cause=cause, facts=facts)


class Class(Frozen):
    """A tensor or a handle."""

    name: Leaf
    fields: Fields
    type: str | None
    """The normalised C type. None if it has a mistake."""
    by_value: bool
    is_tensor: bool
    allocates: bool
    imports: bool
    releases: bool
    """Whether the class has `release`, perhaps in another module, or an unknown key that may mean it."""
    releases_nothing: bool
    """Whether its `release` does nothing, because the library owns no part of the objects."""
    is_external: bool
    """Whether the class belongs to another module."""

    def is_object(self, ctype: CType) -> bool:
        """Returns whether C passes one object of the class by this type."""
        alone = ctype.length is None and not ctype.extents
        return self.type == ctype.base and ctype.depth == (0 if self.by_value else 1) and alone

    def is_struct(self, ctype: CType) -> bool:
        """Returns whether the type is the struct itself, for a class that C usually passes by pointer."""
        return not self.by_value and self.type == ctype.base and ctype == CType(ctype.base) and not family(ctype.base)


class Enum(Frozen):
    name: Leaf
    members: dict[str, str]
    """The C names of members whose Python names omit the prefix, by Python name."""


class NamedValue(Frozen):
    """A constant, or a member of an enum."""

    name: str
    """Its name in Python: `LIMIT`, `Mode.SLOW`."""
    type: str
    """The word of its type: `int`, `str`."""
    enum: str | None = None


def likely(found: list[Class]) -> list[Class]:
    """Returns the likely classes of a C type: the only handle, or else all. Tensors beside a handle are its views."""
    handles = [each for each in found if not each.is_tensor]
    return handles if len(handles) == 1 else found


def shared_by(classes: Sequence[Class]) -> str:
    """Returns the first few names of the classes for a message."""
    names = [f"'{each.name.text}'" for each in classes[:4]]
    return f"{', '.join(names)} and {len(classes) - 4} more" if len(classes) > 4 else ", ".join(names)


Role = Literal["argument", "result", "property"]
Named = Class | Enum | str
"""The meaning of a name: a class, an enum, or a word as a string."""


class Names(Frozen):
    classes: dict[str, Class]
    enums: dict[str, Enum]
    module: Fields
    """The keys at the top of the spec."""
    numbers: dict[str, NumberKind]
    """The number types of the library that `numbers` declares."""
    whole: bool
    """Whether no class, enum or constant is missing because of a mistake."""
    unread: frozenset[str]
    """The number types and the structs in `records` whose entries have mistakes."""
    values: frozenset[str]
    """The constants other than enums."""
    calls: dict[Fields, Call]
    """The functions that have been read, by their keys in the spec."""
    named_values: Mapping[str, Sequence[NamedValue]] = field(default_factory=dict)
    """The constants and the members of enums, by their C expressions."""
    records: Mapping[str, RecordType] = field(default_factory=dict)
    """The structs that are elements of arrays, by their C types."""
    arrays: str | None = None
    """The class of new arrays."""
    replaced: frozenset[str] = frozenset()
    """The classes whose dependencies a function can replace, by the key `replaces`."""
    prototypes: Callable[[], Sequence[str]] = tuple
    """Returns the C source of all prototypes. Only mistakes need it."""

    @cached_property
    def known(self) -> tuple[str, ...]:
        return (*self.classes, *self.enums)

    @cached_property
    def _by_type(self) -> dict[str, list[Class]]:
        return _grouped(self.classes.values(), lambda ctype: ctype)

    @cached_property
    def _by_untagged_type(self) -> dict[str, list[Class]]:
        return _grouped(self.classes.values(), _untagged)

    def find(self, name: Leaf, words: Iterable[str], role: Role) -> Named:
        """Returns the meaning of a name. `words` are the valid words. Raises Mistake if the name is unknown."""
        found = self.classes.get(name.text) or self.enums.get(name.text)
        words = tuple(words)
        if found is not None:
            return found
        if name.text in words:
            return name.text
        message = f"'{name.text}' is not a tensor, a handle or an enum of this spec, nor a word for a value"
        hint, facts = f"the words are {', '.join(words)}", UnknownType(name.text, words, role, self)
        if name.text in self.values:
            hint = f"it is one value; an enum of several is {{{name.text}: {{enum: [...]}}}}"
        elif name.text in self.records:
            hint = f"an array of such structs is '{'records' if 'records' in words else 'array'}'"
        raise Mistake("unknown-class", name.span, message, hint, name.text, facts)

    def of_type(self, ctype: str) -> list[Class]:
        """Returns the classes with this C type."""
        return self._by_type.get(ctype, [])

    def element(self, ctype: str) -> CTypeDType:
        """Returns the dtype of elements of a C type."""
        return CTypeDType(ctype, self.numbers.get(ctype), self.records.get(ctype))

    def number(self, base: str) -> NumberKind | None:
        """Returns the kind of number that a C type is. Returns None if it is not known as a number."""
        return family(base) or self.numbers.get(base)

    def is_own(self, of: Class, ctype: CType) -> bool:
        """Returns whether the type is that of an object of the class, or its struct."""
        return of.is_object(ctype) or (of.is_struct(ctype) and ctype.base not in self.numbers)

    def class_type(self, of: Class, ctype: CType) -> CType | None:
        """Returns the type by which C passes an object of the class if `ctype` may be another name for it, or None.

        Such a name is a typedef for a pointer to the object or for its struct, a pointer to its struct by another name,
        or the struct by its tag. The compiler checks that both types are equal. A typedef without `*` is taken for a
        pointer; emitted C accepts a struct, too, where `may_be_struct` is set.
        """
        if of.type is None or self.number(of.type) or self.number(ctype.base) or of in self.pointees(ctype):
            return None
        own, is_tagged = CType(of.type), ctype.base.startswith(("struct ", "union "))
        is_struct = is_tagged or is_typedef(CType(ctype.base))
        is_pointer = ctype == CType(ctype.base, ctype.pointers) and ctype.depth == 1 and is_struct
        if is_tagged and ctype == CType(ctype.base) and not of.is_object(ctype):
            return own
        if self.is_own(of, ctype) or not (is_typedef(ctype) or is_pointer):
            return None
        if of.by_value:
            return own if is_typedef(own) else None
        return CType(of.type, ctype.pointers or (False,))

    def class_types(self, of: Class, ctype: CType, is_counted: bool) -> CType | None:
        """Returns the type by which C passes several objects of the class if `ctype` may be another name for it.

        In `T *`, the typedef `T` is taken for a pointer only if the parameter is counted. Otherwise `T` is one struct.
        """
        is_list = (ctype.depth == 2 and not of.by_value) or (ctype.depth == 1 and is_counted)
        if of in self.pointees(ctype) or not is_list:
            return None
        element = self.class_type(of, CType(ctype.base, ctype.pointers[:-1]))
        return CType(element.base, (*element.pointers, ctype.pointers[-1])) if element is not None else None

    def refuse(self, ctype: CType, span: Span) -> None:
        """Raises Mistake if the C type resembles a class.

        The type may be the Python name of the class, or the type of the class with or without a tag. If no prototype
        has the type of the class, the mistake is that of the class.
        """
        self._refuse_class(ctype.base)
        for each in self._by_untagged_type.get(_untagged(ctype.base), ()):
            if each.type and each.type != ctype.base:
                written = f"{each.type}{' ' + '*' * ctype.depth if ctype.depth else ''}"
                message = f"the C type of '{each.name.text}' is '{each.type}', and this is '{ctype.base}'"
                raise Mistake("argument-type", span, message, f"write '{written}', if C has both")
        of = self.classes.get(ctype.base)
        if of is not None and of.type is not None and of.type != ctype.base:
            message = f"'{ctype.base}' is its name in Python: in C its type is '{of.type}'"
            raise Mistake(
                "argument-type", span, message, f"write '{of.type}{' ' + '*' * ctype.depth if ctype.depth else ''}'"
            )

    @cached_property
    def _words_of_prototypes(self) -> list[set[str]]:
        return [set(re.findall(r"\w+", each)) for each in self.prototypes()]

    def _refuse_class(self, base: str) -> None:
        """Raises Mistake at a class whose type no prototype has, if prototypes have a similar type without a class."""
        words = self._words_of_prototypes
        mentioned: set[str] = set().union(*words)
        unused = {name: each for name, each in self._by_untagged_type.items() if name not in mentioned}
        meant = closest(_untagged(base), unused)
        for each in unused[meant] if meant else ():
            if (type_ := each.fields[TYPE]) is not None and each.type != base:
                users = sum(_untagged(base) in found for found in words)
                count = f"{users} prototypes have" if users > 1 else "one has"
                message = f"no prototype has the type '{each.type}', and {count} '{base}', the type of no class"
                raise Mistake("argument-type", type_.span, message, f"did you mean '{base}'?")

    def has(self, name: Leaf, words: Iterable[str]) -> bool:
        return name.text in self.classes or name.text in self.enums or name.text in words

    def objects(self, ctype: CType) -> list[Class]:
        """Returns the classes whose objects C passes by this type, or else the classes whose struct it is."""
        classes = self._by_type.get(ctype.base, ())
        found = [each for each in classes if each.is_object(ctype)]
        return found or [each for each in classes if self.is_own(each, ctype)]

    def meant(self, ctype: CType) -> list[Class]:
        """Returns the classes that a parameter without an entry in `args` can have.

        A number type or a pointer to numbers has none. Classes of such types must be named in `args`.
        """
        return [] if self.number(ctype.base) else self.objects(ctype)

    def pointees(self, ctype: CType) -> list[Class]:
        """Returns the classes whose objects the pointer points to, such as `T **` for a list or an `out`."""
        return self.objects(CType(ctype.base, ctype.pointers[:-1])) if ctype.pointers else []


def _grouped(classes: Iterable[Class], key: Callable[[str], str]) -> dict[str, list[Class]]:
    found: dict[str, list[Class]] = {}
    for each in classes:
        if each.type is not None:
            found.setdefault(key(each.type), []).append(each)
    return found


def _untagged(ctype: str) -> str:
    return ctype.removeprefix("struct ").removeprefix("union ")


class UnknownType(Frozen):
    """The facts about a name that is no type of an argument, a result or a property."""

    name: str
    words: tuple[str, ...]
    role: Role
    names: Names


# ---- Declared `params`: of a class, with which its objects are made, and of a factory ----


class Declared(Frozen):
    """A param, declared as `T name`, `T name = value` or `{T name: value}`."""

    leaf: Leaf
    ctype: CType
    name: str
    required: bool


def declared_params(of: Class) -> Iterator[Declared]:
    return declared_among(of.fields[PARAMS])


def declared_among(params: Items | None) -> Iterator[Declared]:
    for item in params.items if params else ():
        declared = _declared(item)
        if declared is not None:
            yield declared


def _declared(item: Value) -> Declared | None:
    entry = (item, None) if isinstance(item, Leaf) else item.entry if isinstance(item, Fields) else None
    found = split_parameter(entry[0].text) if entry else None
    if entry is None or not isinstance(found, tuple):
        return None
    ctype, name, default = found
    parsed = parse(f"void f({ctype} {name})")
    if not isinstance(parsed, Prototype):
        return None
    return Declared(entry[0], parsed.parameters[0].ctype, name, entry[1] is None and default is None)


# ---- Elements of arrays: the dtypes of C types, with what `numbers` and `records` declare about the types ----

T = TypeVar("T")


def marked(value: T, names: Names) -> T:
    """Returns `value` with the number or the record of every dtype of a C type."""
    return _marked(value, names) if names.records or names.numbers else value


def _marked(value: T, names: Names) -> T:
    found: object = value
    if isinstance(value, CTypeDType):
        found = names.element(value.ctype)
    elif isinstance(value, tuple):
        items = [_marked(item, names) for item in value]
        found = type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    elif isinstance(value, Frozen):
        whole: Any = value
        found = replace(whole, **{each.name: _marked(getattr(whole, each.name), names) for each in fields(whole)})
    assert isinstance(found, type(value))
    return found

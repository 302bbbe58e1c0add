"""The records of calls: arguments, results, properties and constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.shape import Shape
from dlpack_bindgen.text.types import CType, NumberKind, RecordType

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- Functions with the same name in Python, which Python calls as one ----

T = TypeVar("T")


def alternatives(
    functions: Iterable[T], name: Callable[[T], str], condition: Callable[[T], str | None]
) -> list[tuple[T, ...]]:
    """Returns groups of functions. Python calls the functions of a group by one name, and the arguments choose.

    Two functions with the same name are in different groups if their `if` differ: the preprocessor chooses one of
    them. If a function of the name has no `if`, all functions of the name form one group.
    """
    named: dict[str, list[T]] = {}
    for each in functions:
        named.setdefault(name(each), []).append(each)
    groups: list[tuple[T, ...]] = []
    for same in named.values():
        by_condition: dict[str | None, list[T]] = {}
        for each in same:
            by_condition.setdefault(condition(each), []).append(each)
        groups += [tuple(same)] if None in by_condition else [tuple(each) for each in by_condition.values()]
    return groups


class ParamOfMade(Frozen):
    """One of the `params` of a returned object. It has the value of the parameter with its name, or a param of an
    object that is an argument."""

    returned: str
    """The name of the returned value in `Call.returned`."""
    name: str
    source: str | None = None
    """The parameter of the function whose object has the param; None: the parameter named `name`."""


IS_OBJECT = "DLB_IS_OBJECT(%)"
"""The test of an object by value, if the spec does not specify success. The object may be a pointer."""


# ---- Values that a call returns: the result of the C function, and variables that it fills ----

ValueKind = NumberKind | Literal["str", "strings", "bytes", "array", "object", "objects", "enum", "private"]
"""Kinds of values. Only C code reads a `private` value; Python cannot access it."""


class Value(Frozen):
    """A value that a call returns: the result of the C function, or a variable that it fills."""

    kind: ValueKind | None
    """The kind of value; None: no value, or a status that only `ok` tests."""
    of: str | None = None
    """The name of the tensor, handle or enumeration."""
    borrow: str | None = None
    """The parameter whose object owns the returned one and keeps it alive; None: the caller owns the object; `static`:
    it is never freed."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned object keeps alive until it is destroyed."""
    size: str | None = None
    """The number of bytes."""
    count: str | None = None
    """The number of strings or objects; None: NULL ends the table of strings."""
    shape: Shape | None = None
    """The shape of the array, whose class is `of`. The array is a copy, unless the library keeps owning it."""
    dtype: str | None = None
    """The dtype; None: the dtype of the C type."""
    is_complex: bool = False
    """Whether `numbers` declares the array's C type as complex; it may be a struct."""
    record: RecordType | None = None
    """The fields of the array's elements, if they are structs."""
    optional: bool = False
    """Whether NULL becomes None instead of a failure."""
    required: bool = False
    """For a string or bytes: whether NULL is a failure instead of None."""
    class_type: CType | None = None
    """The C type of the class, if the prototype has another name for its struct, or for a pointer to it."""
    may_be_struct: bool = False
    """Whether the other name in the prototype may stand for the struct itself, instead of a pointer to it."""
    owned: bool = False
    """Whether the spec declares that the caller owns the value. Otherwise the caller does not own a pointer to const.
    """

    @property
    def is_buffer(self) -> bool:
        """Whether an array parameter is the buffer of one value. Otherwise it is an array of several values."""
        return self.kind in ("str", "bytes", "array")

    @property
    def sizes(self) -> list[str]:
        """Returns the C expressions that give the size of the value."""
        return [*(text for text in (self.size, self.count) if text), *(self.shape.expressions if self.shape else ())]


# ---- Functions ----


class Result(Value):
    """The C function's return value, as Python sees it."""


class Property(Frozen):
    name: str
    get: str
    """A C expression with `self` in scope."""
    kind: NumberKind | Literal["str", "enum", "object"]
    of: str | None = None
    """The enumeration, or the class of the object."""
    set: Call | None = None
    """The setter, which takes the object and the value. It has the name of the property."""
    stored: bool = False
    """Whether assignment stores the value in `get`."""
    doc: str | None = None
    condition: str | None = None

    def shows(self, name: str) -> bool:
        """Returns whether the value is the object itself, as an object of the class with that name."""
        return self.kind == "object" and self.of == name and self.get == "self"


# ---- Constants ----


class Constant(Frozen):
    """An entry `NAME: EXPR` of `constants`."""

    name: str
    value: str
    kind: NumberKind | Literal["str"]


class Enumeration(Frozen):
    """An entry `NAME: {MEMBER: EXPR, ...}` of `constants`: an `enum.IntEnum`, or an `enum.IntFlag` for flags."""

    name: str
    members: tuple[tuple[str, str], ...]
    flags: bool

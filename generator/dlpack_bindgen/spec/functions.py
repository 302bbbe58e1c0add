"""The functions of a valid spec: the part of `spec.py` about calls from Python."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.arguments.enumeration import EnumValue
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings
from dlpack_bindgen.c.types import CType, NumberKind, Prototype
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.requirements import NOTHING, Check, Copy, Requirements
from dlpack_bindgen.spec.slots import CTypeDType, FixedDType, Shape

MeasureKind = Literal["count", "size", "extent", "stride", "flags"]
ValueKind = NumberKind | Literal["str", "strings", "bytes", "array", "object", "enum", "private"]
"""Kinds of values. Only C code reads a `private` value; Python cannot access it."""


# ---- Parameters ----


class NewOutput(Frozen):
    """A new array or object that the call allocates if Python passes none. C writes it, and the call returns it."""

    like: str | None = None
    """The parameter that gives the shape, and the dtype unless only one is possible; None: the requirements give the
    shape."""


class Object(Kind, Frozen):
    """A `T *` of a tensor or a handle, or a `T` for objects that are passed by value."""

    of: str
    writes: bool
    require: Requirements = NOTHING
    """Requirements on a tensor's memory. `writable` is unused here; see `writes`."""
    copy: Copy = "never"
    fresh: NewOutput | None = None
    optional: bool = False
    invalidates: bool = False
    """Whether the argument must be the only user of its memory."""
    takes: bool = False
    """Whether the library owns the object after a success; implies `invalidates`."""
    takes_always: bool = False
    """Whether the library owns the object after a failure, too."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays the object keeps alive, from the call until it is destroyed."""
    replaces: bool = False
    """Whether the next such call replaces the kept objects."""
    unless_const: str | None = None
    """A pointer type of the headers. C writes to the object unless the type points to const, which only the compiler
    knows."""


class Objects(Kind, Frozen):
    """A `T **` or `T *const *`: a sequence of objects."""

    of: str
    writes: bool
    require: Requirements = NOTHING
    copy: Copy = "never"
    unless_const: str | None = None
    """A pointer type of the headers. C writes to the objects unless the type points to const, which only the compiler
    knows."""


class Raw(Kind, Frozen):
    """A `DLTensor *`: an array of any producer."""

    writes: bool
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    fresh: NewOutput | None = None


class Array(Kind, Frozen):
    """A pointer to elements: an array of any producer. It has the dtype of the C type, or the required dtype. The array
    is compact, unless a parameter is derived from one of its strides. A read-only argument also accepts a sequence of
    numbers."""

    writes: bool
    any_dtype: bool
    """Whether the element type is `void` and no dtype is required."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements. Sequences are not accepted."""
    number: NumberKind | None = None
    """The kind of the elements, if the spec declares it for their C type."""
    fresh: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of a 2-D array."""


class Derived(Kind, Frozen):
    """A value derived from another parameter. Python does not pass it."""

    what: MeasureKind
    of: str
    axis: int = 0
    plus: int = 0
    """The constant that is added to the derived value."""
    in_bytes: bool = False
    """Whether a stride is in bytes."""
    negative: bool = False
    """Whether a stride may be negative. The pointer still points to the first element."""


class DTypeCode(Kind, Frozen):
    """The library's code for the dtype of another parameter. Python does not pass it."""

    of: str
    arms: tuple[tuple[str, FixedDType | CTypeDType], ...]


class ParamOf(Kind, Frozen):
    """A param of another parameter's object, by the name of this argument. Its value was given when the object was
    created. Python does not pass it."""

    of: str


class Fixed(Kind, Frozen):
    """`value: EXPR`: a C expression. Python does not pass it."""

    value: str


class Out(Kind, Frozen):
    """A pointer to a variable that the function fills. The call returns the value."""

    kind: ValueKind
    of: str | None = None
    """The name of the tensor, handle or enumeration."""
    borrow: str | None = None
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned object keeps alive."""
    size: str | None = None
    count: str | None = None
    shape: Shape | None = None
    dtype: str | None = None
    is_complex: bool = False
    optional: bool = False
    required: bool = False
    twin: CType | None = None
    owned: bool = False
    """Whether the spec declares that the caller owns the value. Otherwise the caller does not own a pointer to const.
    """
    capacity: str | None = None
    """The capacity of memory that Python allocates, in bytes or elements. An array is the memory of the returned
    object. Bytes and strings are the memory of a bytes object, or lie on the stack."""


ArgumentKind = (
    Number | EnumValue | String | Strings | Object | Objects | Raw | Array | Derived | DTypeCode | ParamOf | Fixed | Out
)


class Argument(Frozen):
    name: str
    ctype: CType
    """The type of the C variable. If C takes the address of a number, this is the type of the number."""
    kind: ArgumentKind
    by_address: bool = False
    restrict: bool = False
    """Whether the pointer, or a pointer that it points to, is `restrict`."""
    written: CType | None = None
    """The type in the prototype, if it is another name for a pointer to the object. `ctype` is then the type of the
    class, except for a list."""


def fresh(argument: Argument) -> NewOutput | None:
    """Returns the new output of an argument that Python may omit, or None."""
    return argument.kind.fresh if isinstance(argument.kind, Object | Raw | Array) else None


def capacity(argument: Argument) -> str | None:
    """Returns the number of bytes or elements that C may write into memory of Python, or None."""
    return argument.kind.capacity if isinstance(argument.kind, Out) else None


def needs_own(kind: ArgumentKind) -> bool:
    """Returns whether the argument must be an object of the class. A temporary object for the call is not enough."""
    return isinstance(kind, Object) and (kind.invalidates or bool(kind.keeps))


def is_made_late(argument: Argument) -> bool:
    """Returns whether the argument is allocated after other parameters are known, because its shape depends on them."""
    made = fresh(argument)
    return made is not None and made.like is None


# ---- Functions ----


class Result(Frozen):
    """The C function's return value, as Python sees it. kind None: no value, or a status that only `ok` tests."""

    kind: ValueKind | None
    of: str | None = None
    borrow: str | None = None
    """The parameter whose object owns the returned one and keeps it alive; None: the caller owns the object; `static`:
    it is never freed."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned object keeps alive until it is destroyed."""
    size: str | None = None
    """The number of bytes."""
    count: str | None = None
    """The number of strings; None: NULL ends the table."""
    shape: Shape | None = None
    """The shape of the array, whose class is `of`. The array is a copy, unless the library keeps owning it."""
    dtype: str | None = None
    """The dtype; None: the dtype of the C type."""
    is_complex: bool = False
    """Whether `numbers` declares the array's C type as complex; it may be a struct."""
    optional: bool = False
    """Whether NULL becomes None instead of a failure."""
    required: bool = False
    """For a string or bytes: whether NULL is a failure instead of None."""
    twin: CType | None = None
    """The C type of the class, if the prototype has another name for a pointer to the object."""
    owned: bool = False
    """Whether the spec declares that the caller owns the value. Otherwise the caller does not own a pointer to const.
    """


def size_expressions(value: Result | Out) -> list[str]:
    """Returns the C expressions that give the size of a value."""
    return [*(text for text in (value.size, value.count) if text), *(value.shape.expressions if value.shape else ())]


class ParamOfMade(Frozen):
    """One of the `params` of a returned object. It has the value of the parameter with its name, or a param of an
    object that is an argument."""

    returned: str
    """The name of the returned value in `Function.returned`."""
    name: str
    source: str | None = None
    """The parameter of the function whose object has the param; None: the parameter named `name`."""


IS_OBJECT = "DLB_IS_OBJECT(%)"
"""The test of an object by value, if the spec does not specify success. The object may be a pointer."""
_DEFAULT_RAISES = ((None, "RuntimeError"),)


class Function(Frozen):
    key: str
    """The key in the spec: unique, and part of the C name."""
    name: str
    """The name in Python."""
    prototype: Prototype
    arguments: tuple[Argument, ...]
    """One argument for each parameter, in order."""
    result: Result
    returned: tuple[str, ...]
    """The values that Python gets, in order: `result` and names of parameters (out-parameters, new outputs and
    arguments). No name: None; one: the value itself; several: a tuple."""
    require: tuple[Check, ...] = ()
    """Required conditions on the parameters."""
    positional_only: int = 0
    """The number of leading Python parameters that can only be passed by position."""
    keyword_only: int = 0
    """The number of trailing Python parameters that can only be passed by keyword."""
    at_end: tuple[str, ...] = ()
    """The names of parameters that Python has at the end, wherever C has them."""
    ok: str | None = None
    """The test for success: an expression with `%` for the result."""
    status: str = "result"
    """The value that `ok` tests: the result, or a parameter that the function fills."""
    error: str | None = None
    raises: tuple[tuple[str | None, str], ...] = _DEFAULT_RAISES
    """Built-in exceptions, each with the status (a C expression) for which it is raised. The last one has None."""
    errno: str | None = None
    """The errno of an OSError, as a C expression; None or 0: no errno."""
    undo: str | None = None
    """Statements that run when the test fails."""
    finally_: str | None = None
    """Statements that run after the result is a Python object, or after the failure."""
    release_gil: bool = False
    doc: str | None = None
    condition: str | None = None
    self_index: int | None = None
    """The index of the parameter that is the object of a method; None: a function, or a class method (a constructor).
    """
    params: tuple[ParamOfMade, ...] = ()

    @property
    def says_of_failures(self) -> bool:
        """Returns whether the spec specifies the handling of failures."""
        fragments = (self.error, self.errno, self.undo)
        return self.raises != _DEFAULT_RAISES or any(text is not None for text in fragments)

    @property
    def receiver(self) -> str | None:
        """Returns the name of the parameter that is the object of a method."""
        return self.arguments[self.self_index].name if self.self_index is not None else None


class Property(Frozen):
    name: str
    get: str
    """A C expression with `self` in scope."""
    kind: NumberKind | Literal["str", "enum"]
    of: str | None = None
    set: Function | None = None
    """The setter, which takes the object and the value. It has the name of the property."""
    stored: bool = False
    """Whether assignment stores the value in `get`."""
    doc: str | None = None
    condition: str | None = None


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

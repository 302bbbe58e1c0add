"""What a valid spec says of functions: the part of `spec.py` about calls that Python makes."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.c.types import CType, NumberKind, Prototype
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.requirements import NOTHING, Check, Copy, Requirements
from dlpack_bindgen.spec.slots import CTypeDType, FixedDType, Shape

MeasureKind = Literal["count", "size", "extent", "stride", "flags"]
ValueKind = NumberKind | Literal["str", "strings", "bytes", "array", "object", "enum", "private"]
"""`private`: C text alone reads it, and Python never sees it."""


# ---- Parameters ----


class Number(Frozen):
    """By value. A typedef that the generator does not know is an `int` unless `args` says otherwise."""

    kind: NumberKind
    default: str | None = None
    """A C expression."""


class EnumValue(Frozen):
    of: str
    default: str | None = None


class String(Frozen):
    """`const char *`; a path is encoded as the file system wants it."""

    path: bool = False
    optional: bool = False
    default: str | None = None


class Strings(Frozen):
    """`const char *const *`: a table of them, with NULL at its end."""

    optional: bool = False
    count: str | None = None
    """How many there must be."""


class NewOutput(Frozen):
    """A new array or object, where Python gives none: it is written, and returned."""

    like: str | None = None
    """The parameter whose shape it has, and whose dtype unless it has only one; None: its shape is required of it."""


class Object(Frozen):
    """A `T *` of a tensor or a handle, or a `T` where objects are passed by value."""

    of: str
    writes: bool
    require: Requirements = NOTHING
    """Of a tensor's memory; `writable` is not said here but by `writes`."""
    copy: Copy = "never"
    fresh: NewOutput | None = None
    optional: bool = False
    invalidates: bool = False
    """Nobody else may use its memory."""
    takes: bool = False
    """After a success it is the library's; implies `invalidates`."""
    takes_always: bool = False
    """After a failure too."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays it keeps, from the call until it has gone."""
    replaces: bool = False
    """Or until the next call that gives it others."""
    unless_const: str | None = None
    """A pointer type of the headers: it writes unless that points to const, which the compiler knows."""


class Objects(Frozen):
    """A `T **` or `T *const *`: a sequence of such objects."""

    of: str
    writes: bool
    require: Requirements = NOTHING
    copy: Copy = "never"
    unless_const: str | None = None
    """As in `Object`."""


class Raw(Frozen):
    """A `DLTensor *`: an array of any producer."""

    writes: bool
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    fresh: NewOutput | None = None


class Array(Frozen):
    """A pointer to elements: an array of any producer whose dtype is that of the C type, or the one that is required.
    Compact, unless a parameter takes one of its strides. Where it is only read, a sequence of numbers is taken too."""

    writes: bool
    any_dtype: bool
    """The element type is `void` and no dtype is required."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    is_bytes: bool = False
    """A buffer will do, whatever its elements are; no sequence."""
    number: NumberKind | None = None
    """What its elements are, of a C type of which the spec says that."""
    fresh: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of an array of two axes."""


class Derived(Frozen):
    """What is known from another parameter: Python does not give it."""

    what: MeasureKind
    of: str
    axis: int = 0
    plus: int = 0
    """What is added to it."""
    in_bytes: bool = False
    """Of a stride."""
    negative: bool = False
    """Whether a stride may be: C takes the pointer for the first element all the same."""


class DTypeCode(Frozen):
    """The library's code for the dtype of another parameter: Python does not give it."""

    of: str
    arms: tuple[tuple[str, FixedDType | CTypeDType], ...]


class ParamOf(Frozen):
    """What the object of another parameter was made with: its param of this name. Python does not give it."""

    of: str


class Fixed(Frozen):
    """`value: EXPR`: Python does not give it."""

    value: str


class Out(Frozen):
    """A pointer to a variable that the function fills, and that is returned."""

    kind: ValueKind
    of: str | None = None
    """The tensor, handle or enumeration."""
    borrow: str | None = None
    keeps: tuple[str, ...] = ()
    """As in `Result`."""
    size: str | None = None
    count: str | None = None
    shape: Shape | None = None
    dtype: str | None = None
    is_complex: bool = False
    optional: bool = False
    required: bool = False
    twin: CType | None = None
    owned: bool = False
    """As in `Result`."""
    capacity: str | None = None
    """How many bytes, or elements, there is room for, where that is memory of Python's: an array has that of the object
    that is returned; bytes and texts have that of a bytes object, unless they lie on the stack."""


ArgumentKind = (
    Number | EnumValue | String | Strings | Object | Objects | Raw | Array | Derived | DTypeCode | ParamOf | Fixed | Out
)


class Argument(Frozen):
    name: str
    ctype: CType
    """That of the variable: where C takes the address of a number, the number's."""
    kind: ArgumentKind
    by_address: bool = False
    restrict: bool = False
    """Whether the pointer, or one that it points to, is `restrict`."""
    written: CType | None = None
    """The type in the prototype, where that has another name for a pointer to the object; `ctype` is that of the class,
    but for a list."""


def fresh(argument: Argument) -> NewOutput | None:
    """What is made where Python gives nothing."""
    return argument.kind.fresh if isinstance(argument.kind, Object | Raw | Array) else None


def capacity(argument: Argument) -> str | None:
    """How many bytes or elements C may write into memory of Python's."""
    return argument.kind.capacity if isinstance(argument.kind, Out) else None


def needs_own(kind: ArgumentKind) -> bool:
    """Whether it must be an object of the class: an array that is one for the call alone would not do."""
    return isinstance(kind, Object) and (kind.invalidates or bool(kind.keeps))


def is_made_late(argument: Argument) -> bool:
    """Whether that has a shape which is said in terms of other parameters: once they are known."""
    made = fresh(argument)
    return made is not None and made.like is None


# ---- Functions ----


class Result(Frozen):
    """What the C function returns, as Python sees it. kind None: nothing, or a status that `ok` has looked at."""

    kind: ValueKind | None
    of: str | None = None
    borrow: str | None = None
    """None: the caller owns the object. Else it stays the library's, and lives as long as this parameter's object does;
    `static`: for good."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned one keeps until it has gone."""
    size: str | None = None
    """How many bytes there are."""
    count: str | None = None
    """The number of texts; None: NULL ends the table."""
    shape: Shape | None = None
    """That of the array, of the class that `of` names: a copy, unless it stays the library's."""
    dtype: str | None = None
    """None: that of the C type."""
    is_complex: bool = False
    """Of an array whose C type is a complex number by `numbers`: it may be a struct."""
    optional: bool = False
    """NULL is None instead of a failure."""
    required: bool = False
    """Of a text, or bytes: NULL is a failure instead of None."""
    twin: CType | None = None
    """The C type of the class, where the prototype has another name for a pointer to the object."""
    owned: bool = False
    """The spec says so; else a pointer to const is not the caller's."""


def size_texts(value: Result | Out) -> list[str]:
    """What says in C how large it is."""
    return [*(text for text in (value.size, value.count) if text), *(value.shape.texts if value.shape else ())]


class ParamOfMade(Frozen):
    """One of the `params` of an object that is returned: it has the value of the parameter of its name, or that which
    an object that is given was made with."""

    returned: str
    """As in `returned`."""
    name: str
    source: str | None = None
    """The parameter of that object."""


IS_OBJECT = "DLB_IS_OBJECT(%)"
"""What is tested of an object by value, where the spec does not say when the call succeeds: it may be a pointer."""
_DEFAULT_RAISES = ((None, "RuntimeError"),)


class Function(Frozen):
    key: str
    """Under which it stands in the spec: unique, and part of the C name."""
    name: str
    """In Python."""
    prototype: Prototype
    arguments: tuple[Argument, ...]
    """One for each parameter, in order."""
    result: Result
    returned: tuple[str, ...]
    """What Python gets, in order: `result` and names of parameters (out-parameters, and objects that were made or
    given); nothing: None, one: itself, several: a tuple."""
    require: tuple[Check, ...] = ()
    """What must hold of the parameters."""
    positional_only: int = 0
    """How many of the parameters that Python gives cannot be given by name."""
    keyword_only: int = 0
    """How many of them, at the end, cannot be given by position."""
    at_end: tuple[str, ...] = ()
    """Their names: Python has them there, wherever C has them."""
    ok: str | None = None
    """An expression with `%` for the result."""
    status: str = "result"
    """What that tests: the result, or a parameter that the function fills."""
    error: str | None = None
    raises: tuple[tuple[str | None, str], ...] = _DEFAULT_RAISES
    """Built-in exceptions, each with the status (a C expression) for which it is raised; the last one has None."""
    errno: str | None = None
    """The number of an OSError; None, or 0: it has none."""
    undo: str | None = None
    """Statements for when the test fails."""
    finally_: str | None = None
    """Statements after the result has become a Python object, or after the failure."""
    release_gil: bool = False
    doc: str | None = None
    condition: str | None = None
    self_index: int | None = None
    """Which parameter is the object whose method this is; None: a function, or a class method (a constructor)."""
    params: tuple[ParamOfMade, ...] = ()

    @property
    def says_of_failures(self) -> bool:
        """Whether the spec says what happens after one."""
        texts = (self.error, self.errno, self.undo)
        return self.raises != _DEFAULT_RAISES or any(text is not None for text in texts)

    @property
    def receiver(self) -> str | None:
        """The object of a method."""
        return self.arguments[self.self_index].name if self.self_index is not None else None


class Property(Frozen):
    name: str
    get: str
    """A C expression, `self` in scope."""
    kind: NumberKind | Literal["str", "enum"]
    of: str | None = None
    set: Function | None = None
    """Takes the object and the value; its name is that of the property."""
    stored: bool = False
    """What is assigned is stored in `get`."""
    doc: str | None = None
    condition: str | None = None


# ---- Constants ----


class Constant(Frozen):
    """`NAME: EXPR` of `constants`."""

    name: str
    value: str
    kind: NumberKind | Literal["str"]


class Enumeration(Frozen):
    """`NAME: {MEMBER: EXPR, ...}` of `constants`: an `enum.IntEnum`, or of flags an `enum.IntFlag`."""

    name: str
    members: tuple[tuple[str, str], ...]
    flags: bool

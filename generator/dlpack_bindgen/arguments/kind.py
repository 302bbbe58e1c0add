"""The interface of a kind of argument: the questions of the steps, and the records for its template.

A kind gets a `Scope`, and returns `Facts` and `Piece`s. `bind/functions/functions.py` puts them in order.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import ClassVar, Literal, Protocol

from dlpack_bindgen.arguments.requirements import NOTHING, Copy, NewOutput, Requirements
from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.slots.values import CTypeDType, FixedDType, Shape


class Measure(Protocol):
    """A value that is derived from another argument."""

    @property
    def what(self) -> Literal["count", "size", "extent", "stride", "flags"]: ...
    @property
    def of(self) -> str: ...
    @property
    def axis(self) -> int: ...
    @property
    def plus(self) -> int:
        """Returns the constant that is added to the derived value."""


class Value(Protocol):
    """A value that the function returns, or fills in a variable."""

    @property
    def kind(self) -> str | None: ...
    @property
    def of(self) -> str | None:
        """Returns the name of the tensor, handle or enumeration."""

    @property
    def borrow(self) -> str | None: ...
    @property
    def keeps(self) -> tuple[str, ...]: ...
    @property
    def size(self) -> str | None: ...
    @property
    def count(self) -> str | None: ...
    @property
    def shape(self) -> Shape | None: ...


class Kind:
    """The base class of all kinds. The defaults are the answers of a kind to which the question does not apply."""

    keys: ClassVar[tuple[Key, ...]] = ()
    """The keys of an entry in `args` that only this kind has."""
    words: ClassVar[tuple[str, ...]] = ()
    """The words of the key `of` that select the kind."""
    details: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Sentences of the reference about keys that several kinds have, each with its key."""
    ctypes: ClassVar[str | None] = None
    """The C types that select the kind without an entry in `args`, for the reference."""

    outlasts_call: bool = False
    """Whether the value stays valid after the call, whatever the result keeps alive."""
    is_passed: bool = True
    """Whether Python passes the argument."""
    default: str | None = None
    """The default value, as a C expression."""
    optional: bool = False
    """Whether None means NULL."""
    fresh: NewOutput | None = None
    """The array or object that the call allocates if Python passes none."""
    value: str | None = None
    """The C expression for an argument that the spec gives instead of Python."""
    is_number: bool = False
    is_string: bool = False
    is_read_early: bool = False
    """Whether the value is known before any array or object, so that a later default can use it."""

    @property
    def is_integer(self) -> bool:
        """Whether Python passes an `int`."""
        return False

    @property
    def may_be_missing(self) -> bool:
        """Whether Python may leave the argument out, or pass None."""
        return self.optional or self.default is not None or self.fresh is not None

    @property
    def default_type(self) -> str | None:
        """The Python type of the default value, if the spec can give one."""
        return None

    # ---- Arrays and objects ----

    is_array: bool = False
    """Whether Python passes an array of any producer."""
    is_pointer: bool = False
    """Whether C gets a pointer to the elements of an array, and not its length."""
    is_dltensor: bool = False
    """Whether C gets the shape, strides and dtype of an array with it."""
    rows: bool = False
    """Whether C gets a table of pointers to the rows of an array."""
    is_bytes: bool = False
    """Whether any buffer is accepted, whatever its elements."""
    is_list: bool = False
    """Whether the argument is a list of objects."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    writes: bool = False
    """Whether C may write to the array or object."""
    invalidates: bool = False
    """Whether the argument must be the only user of its memory."""
    takes: bool = False
    """Whether the library owns the object after a success."""
    replaces: bool = False
    """Whether the next such call replaces the objects that the object keeps."""
    unless_const: str | None = None
    """A pointer type of the headers. C writes only if it does not point to const, which only the compiler knows."""
    can_be_kept: bool = False
    """Whether a returned object can keep the object or array of this argument alive."""
    ends_with_call: bool = False
    """Whether C gets memory that is valid only during the call."""
    is_returnable: bool = False
    """Whether `returns` can list the argument."""

    @property
    def has_c_dtype(self) -> bool:
        """Whether the C type of the elements gives their dtype."""
        return False

    @property
    def class_name(self) -> str | None:
        """The class of the object, or of the objects of a list."""
        return None

    @property
    def object_class(self) -> str | None:
        """The class of the object; None: it is none, or a list."""
        return None if self.is_list else self.class_name

    @property
    def keeps_alive(self) -> tuple[str, ...]:
        """The arguments that the object keeps alive after the call."""
        return ()

    # ---- Values from C, or from other arguments ----

    capacity: str | None = None
    """The number of bytes or elements that C may write into memory that the call allocates."""

    @property
    def returned(self) -> Value | None:
        """The value that C gives in the variable."""
        return None

    @property
    def measure(self) -> Measure | None:
        """The value that is derived from another argument."""
        return None

    def lasts(self, name: str, kept: Container[str], is_object: bool) -> bool:
        """Returns whether the argument stays valid after the call. `kept`: the arguments that the result keeps alive;
        `is_object`: whether the C type is a pointer or an object."""
        return self.outlasts_call

    @property
    def owner(self) -> str | None:
        """The suffix of the variable that owns the memory that C gets."""
        return None

    @property
    def is_path(self) -> bool:
        return False

    @property
    def is_table_of_strings(self) -> bool:
        return False

    @property
    def least_elements(self) -> int | None:
        """The number of characters or strings that C code of the spec may read without a check; None: it has none."""
        return None

    def stub_type(self) -> str | None:
        """Returns the type of the argument in the stub."""
        return None

    def returned_type(self) -> str | None:
        """Returns the type in the stub of a variable that the call returns."""
        return None

    def returned_value(self) -> tuple[str, str | None] | None:
        """Returns the kind of value that the call returns in the variable, and the name of its enumeration."""
        return None

    def expressions(self) -> list[str]:
        """Returns the C expressions of the spec that only this kind has."""
        return []

    def facts(self, scope: Scope) -> Facts:
        """Returns the facts of an argument for the template of the kind."""
        raise NotImplementedError

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        """Yields the statements and conditions that follow when the runtime has the arrays and objects of the call."""
        yield from ()


class Place(Frozen):
    """The place of an array or an object in an emitted function."""

    function: str
    """The constant that tells the runtime about the function."""
    argument: str
    """The argument, as a C expression."""
    within: str
    """The array of all arguments and the index, as C arguments."""


class EmittedCall(Protocol):
    """The emitted function, as a kind of argument sees it. Names are those of parameters."""

    @property
    def enums(self) -> Mapping[str, str]:
        """Returns the C names of the tables of enumerations."""

    def function_table(self) -> str:
        """Returns the constant that tells the runtime about the function."""

    def variable(self, name: str) -> str: ...

    def text(self, text: str) -> str:
        """Replaces names of the spec by the variables of the emitted function, in C source."""

    def length(self, expression: str) -> str:
        """Returns a C expression of the spec as an integer that reports overflow."""

    def place(self, name: str) -> Place:
        """Returns the place of an array or an object."""

    def param(self, of: str, name: str) -> str:
        """Returns a param of an object, as a C expression."""

    def dtypes(self, of: str) -> Sequence[FixedDType | CTypeDType]:
        """Returns the dtypes that an array can have."""

    def is_table_of_strings(self, name: str) -> bool: ...

    def has_negative_strides(self, of: str) -> bool:
        """Returns whether C accepts a negative stride of the array."""

    def is_in_storage(self, name: str) -> bool:
        """Returns whether C fills a struct in memory of a new object."""


class Scope(Frozen):
    """One argument of an emitted function, for its kind."""

    call: EmittedCall
    name: str
    ctype: CType
    written: CType
    """The type in the prototype, which can be another name for a pointer to the object."""
    label: str
    """The path of the argument in the spec."""
    variable: str
    """The variable of the emitted function."""
    is_late: bool = False
    """Whether the default value depends on other parameters."""
    is_receiver: bool = False
    """Whether the argument is the object of a method."""

    def place(self) -> Place:
        return self.call.place(self.name)


class Facts(Frozen):
    """The facts for the template of a kind. `own` are those that only this kind has."""

    template: str
    """Its template, such as `arguments/number`."""
    own: object = None
    declaration: str = ""
    """The variable with its type, as C declares it."""
    value: str = ""
    """The initial value, as a C expression."""
    is_strict: bool = False
    """Whether the compiler must check that the type can hold the initial value."""
    assertions: tuple[Assertion, ...] = ()
    param_type: str = ""
    """The C type of the argument in the table for the runtime; empty: the table only has its name."""
    is_converted: bool = False
    """Whether the template of the kind prints what C gets. Otherwise C gets the variable or its address."""
    place: Place | None = None
    """The place of an array or an object."""

    # ---- Set by the driver of the call ----

    name: str = ""
    variable: str = ""
    label: str = ""
    """The path of the argument in the spec, which a compiler shows."""
    read_arguments: str = ""
    """The first C arguments of the runtime function that reads the argument from Python; empty for arrays and objects,
    which the runtime reads together."""
    index: int = -1
    owner: str = ""
    """The variable that owns the memory that C gets, if there is one."""
    has_address: bool = False
    """Whether C gets the address of the variable."""
    is_required: bool = True
    late_value: str = ""
    """The default value that depends on other parameters, as a C expression."""
    is_late_strict: bool = False


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its facts."""

    template: str
    """The template, such as `functions/lengths`."""
    macro: str
    facts: object
    is_condition: bool = False
    """Whether it is a C expression that is true if the call must end."""
    conditions: tuple[str, ...] = ()
    """C expressions of the spec under which the condition is tested."""
    is_enclosed: bool = False
    """Whether parentheses enclose the condition."""
    follows_checks: bool = False
    """Whether a statement needs the conditions before it to be tested."""

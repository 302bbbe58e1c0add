"""The records between a kind of argument and its template: a kind gets a `Scope`, and returns `Facts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.dtype import CTypeDType, FixedDType
from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import CType


class Place(Frozen):
    """The place of an array or an object in an emitted function."""

    function: str
    """The name of the `dlb_py_function` constant."""
    argument: str
    """The argument, as a C expression."""
    arguments_and_index: str
    """The array of all arguments and the index, as C arguments."""


class EmittedCall(Protocol):
    """The emitted function, as a kind of argument sees it. Names are those of parameters."""

    key: str
    """The path of the function in the spec."""
    table: str
    """The name of the `dlb_py_function` constant."""
    passed: str
    """The arguments that Python has passed, or NULL if the function has none."""
    enums: Mapping[str, str]
    """The C names of the tables of enumerations."""

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
    """The type in the prototype, which can be another name for the struct of the class, or for a pointer to it."""
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
    is_declared_first: bool = False
    """Whether its template declares a variable before the arguments are read: for the value, or for the owner."""
    index: int = -1
    owner: str = ""
    """The variable that owns the memory that C gets, if there is one."""
    has_address: bool = False
    """Whether C gets the address of the variable."""
    is_required: bool = True
    late_value: str = ""
    """The default value that depends on other parameters, as a C expression."""
    is_late_strict: bool = False

"""What the steps ask of each kind of argument, what the driver of a call tells it, and what its template gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen


class Kind:
    """The base class of all kinds. The defaults are the answers of a kind to which the question does not apply."""

    @property
    def may_be_missing(self) -> bool:
        """Whether Python may leave the argument out, or pass None."""
        return False

    @property
    def default_type(self) -> str | None:
        """The Python type of the default value, if the spec can give one."""
        return None

    @property
    def outlasts_call(self) -> bool:
        """Whether the value stays valid after the call."""
        return False

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


class Scope(Frozen):
    """One argument of an emitted function, for its kind."""

    ctype: CType
    label: str
    """The path of the argument in the spec."""
    variable: str
    """The variable of the emitted function."""
    text: Callable[[str], str]
    """Replaces names of the spec by the variables of the emitted function, in C source."""
    is_late: bool
    """Whether the default value depends on other parameters."""
    enums: Mapping[str, str]
    """The C names of the tables of enumerations."""


class TypeAssertion(Frozen):
    """What the compiler must know of a type that the generator does not know."""

    ctype: str
    is_complex: bool
    asserted: str
    """The kind of the type as the runtime calls it, INTEGER or REAL; empty for a complex number."""
    is_byte: bool
    """Whether the type must have one byte, too."""
    message: str


class Lines(Frozen):
    """The facts of a kind that has no template of its own yet."""

    assertions: tuple[str, ...]
    passed: str
    """What C gets."""


class Facts(Frozen):
    """The facts for the template of a kind. `own` are those that only this kind has."""

    template: str
    """The name of its template in `templates/arguments`."""
    own: object
    declaration: str = ""
    """The variable with its type; empty: a later statement declares it."""
    value: str = ""
    """The initial value, as a C expression."""
    is_strict: bool = False
    """Whether the compiler must check that the type can hold the initial value."""
    assertion: TypeAssertion | None = None

    # ---- Set by the driver of the call ----

    name: str = ""
    variable: str = ""
    label: str = ""
    """The path of the argument in the spec, which a compiler shows."""
    place: str = ""
    """The first C arguments of the function that reads the argument: the facts of the function, index, values."""
    index: int = -1
    keeper: str | None = None
    """The variable that owns the memory that C gets, if there is one."""
    has_address: bool = False
    """Whether C gets the address of the variable."""
    is_required: bool = True
    late_value: str = ""
    """The default value that depends on other parameters, as a C expression."""
    is_late_strict: bool = False

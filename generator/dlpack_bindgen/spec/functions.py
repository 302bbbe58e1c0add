"""The records of calls from Python: arguments, results, properties and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.text.types import CType, NumberKind

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

# ---- Parameters ----


class Argument(Frozen):
    name: str
    ctype: CType
    """The type of the C variable. If C takes the address of a number, this is the type of the number."""
    kind: Kind
    by_address: bool = False
    restrict: bool = False
    """Whether the pointer, or a pointer that it points to, is `restrict`."""
    written: CType | None = None
    """The type in the prototype, if it is another name for the struct of the class, or for a pointer to it. `ctype`
    is then the type of the class, except for a list."""
    default_name: str | None = None
    """The name in Python of the constant, or of the member of an enum, that is the default."""


# ---- Functions ----


class Result(Value):
    """The C function's return value, as Python sees it."""


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

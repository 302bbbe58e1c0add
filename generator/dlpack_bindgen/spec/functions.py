"""The functions of a valid spec: the part of `spec.py` about calls from Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.c.types import CType, NumberKind, Prototype, pointed_to
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.alternatives import alternatives

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
    """The name of the returned value in `Function.returned`."""
    name: str
    source: str | None = None
    """The parameter of the function whose object has the param; None: the parameter named `name`."""


class FactoryParam(Frozen):
    """A source of a param of the import, or of the allocation, by which an argument becomes an object."""

    argument: str
    verb: str
    """`import` or `allocate`."""
    index: int
    """The index of the param."""
    source: str
    """The argument with the value."""
    of_object: str | None = None
    """The param with the value, with which the object of the source was made; None: the source itself is the value."""


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
    features: tuple[Feature, ...] = ()
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
    is_macro: bool = False
    """Whether the header has a macro in the place of the function."""
    release_gil: bool = False
    doc: str | None = None
    condition: str | None = None
    self_index: int | None = None
    """The index of the parameter that is the object of a method; None: a function, or a class method (a constructor).
    """
    params: tuple[ParamOfMade, ...] = ()
    factory_params: tuple[FactoryParam, ...] = ()
    """The params of factories that have their values from the call, in the order of preference."""

    @property
    def says_of_failures(self) -> bool:
        """Returns whether the spec specifies the handling of failures."""
        fragments = (self.error, self.errno, self.undo)
        return self.raises != _DEFAULT_RAISES or any(text is not None for text in fragments)

    @cached_property
    def values(self) -> tuple[tuple[str, CType, Value], ...]:
        """The result and the variables that the function fills: names, C types and values."""
        filled = [
            (each.name, pointed_to(each.ctype), value)
            for each in self.arguments
            if (value := each.kind.returned) is not None
        ]
        return (("result", self.prototype.result, self.result), *filled)

    def value_of(self, name: str) -> Value | None:
        """Returns the value with a name in `returned`; None: it is another argument."""
        return next((value for each, _, value in self.values if each == name), None)

    @property
    def receiver(self) -> str | None:
        """Returns the name of the parameter that is the object of a method."""
        return self.arguments[self.self_index].name if self.self_index is not None else None


def groups(functions: Iterable[Function]) -> list[tuple[Function, ...]]:
    """Returns the functions in groups: alternatives, or a single function."""
    return alternatives(functions, lambda each: each.name, lambda each: each.condition)


class Property(Frozen):
    name: str
    get: str
    """A C expression with `self` in scope."""
    kind: NumberKind | Literal["str", "enum", "object"]
    of: str | None = None
    """The enumeration, or the class of the object."""
    set: Function | None = None
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

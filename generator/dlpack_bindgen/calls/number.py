"""Numbers and members of enumerations: arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import (
    DEFAULT,
    EmittedArgument,
    Kind,
    ParameterEntry,
    PythonScope,
    initial_value,
    is_checked,
    literal_problems,
)
from dlpack_bindgen.calls.result_kind import EmittedValue, Result, ResultKind, Source, Target
from dlpack_bindgen.calls.spec_names import Enum, Mistake, Named
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.text.diagnostics import Diagnostic, shown
from dlpack_bindgen.text.fragments import Assertion, Piece, is_number, operand
from dlpack_bindgen.text.types import PYTHON, CType, NumberKind, as_number, declared, family, holds, is_unknown

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- Assertions about C types of numbers that the generator does not know ----

_INTEGERS = frozenset({"char", "short", "int", "long", "signed", "unsigned"})
_STANDARD = r"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t"


def known_kind(ctype: str) -> str | None:
    """Returns the kind of a number if its C type alone determines it."""
    words = set(ctype.split())
    if words <= _INTEGERS or re.fullmatch(_STANDARD, ctype):
        return "int"
    return "float" if words & {"float", "double"} and not words & {"_Complex", "complex"} else None


def type_assertions(label: str, ctype: str, number: str) -> tuple[Assertion, ...]:
    """Returns the assertions of a type that the generator does not know. `label` is the path in the spec."""
    if number == "complex" and family(ctype) is None:
        return (Assertion("COMPLEX", (ctype,), f"{label}: {ctype} is not a complex number"),)
    asserted = {"int": "INTEGER", "float": "REAL", "char": "INTEGER"}.get(number)
    if asserted is None or known_kind(ctype) == number or family(ctype) == "char":
        return ()
    hint = "it must be a floating type" if number == "float" else "declare it in 'args' or 'returns'"
    what = {"char": "a char, which is one byte", "int": "an int"}.get(number, f"a {number}")
    message = f"{label}: {ctype} is not {what}: {hint}"
    sizes = (Assertion("SIZE", (ctype, "1"), message),) if number == "char" else ()
    return (*sizes, Assertion("KIND", (ctype, asserted), message))


def byte_assertions(label: str, ctype: str) -> tuple[Assertion, ...]:
    """Returns the assertion that characters of strings and elements of byte buffers are one byte wide."""
    return (Assertion("SIZE", (ctype, "1"), f"{label}: {ctype} is not a byte"),) if is_unknown(CType(ctype)) else ()


# ---- Numbers by value: `int`, `float`, `bool`, `complex`, `char`, and types that only the headers define ----


class Number(Kind, Frozen):
    """A number by value. An unknown typedef is an `int` unless `args` declares another type."""

    has_address = True
    words = ("int", "float", "bool", "complex", "char")
    ctypes = "An unknown type: an integer."

    number: NumberKind
    default: str | None = None
    """The default value, as a C expression."""

    is_number = True
    outlasts_call = True
    is_read_early = True

    @property
    def is_integer(self) -> bool:
        return self.number == "int"

    @property
    def call_value(self) -> str:
        return self.number

    @property
    def default_type(self) -> str:
        return PYTHON[self.number]

    def stub_type(self, scope: PythonScope) -> str:
        return PYTHON[self.number]

    def returned_value(self) -> Result:
        return Result(NUMBERS[self.number])

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Number | None:
        number = as_number(named) if isinstance(named, str) else None
        if number is not None and not holds(entry.ctype, number):
            raise entry.mistake("argument-type", f"the C type cannot hold '{number}'")
        return cls._of(entry, number) if number is not None else None

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Number | None:
        if entry.ctype.depth:
            return None
        known = entry.names.number(entry.ctype.base)
        if known is None and not is_unknown(entry.ctype):
            raise entry.unclear("is unknown: no tensor or handle has it and 'pass: value'")
        return cls._of(entry, known or "int")

    @classmethod
    def _of(cls, entry: ParameterEntry, number: NumberKind) -> Number:
        return entry.with_keys(("of", "default"), cls(number, text_of(entry.fields[DEFAULT])))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        hint = "write 'of: float' if it is not" if family(ctype.base) is None else None
        yield from literal_problems(entry.fields[DEFAULT], ctype, self.number, hint)

    def declaration(self, emitted: EmittedArgument) -> str:
        return f"bool {emitted.variable}" if self.number == "bool" else super().declaration(emitted)

    def _value(self, emitted: EmittedArgument) -> str:
        """Returns the initial value in the spec, or zero. A complex number of an unknown type may be a struct."""
        zero = "{0}" if self.number == "complex" and family(emitted.ctype.base) is None else "0"
        return zero if self.default is None or emitted.is_late else self.default

    def initial(self, emitted: EmittedArgument) -> str:
        return emitted.body.text(initial_value(emitted.ctype, self._value(emitted)))

    def is_strict(self, emitted: EmittedArgument) -> bool:
        return is_checked(emitted.ctype, self.number, self._value(emitted))

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        return type_assertions(emitted.label, emitted.ctype.base, self.number)

    def param_type(self, emitted: EmittedArgument) -> str:
        if self.number in ("complex", "char"):
            return ""
        return "bool" if self.number == "bool" else declared(emitted.ctype, "").strip()

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/number", "strict", emitted)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        if self.number in ("complex", "char"):
            return Piece("calls/number", "read_char" if self.number == "char" else "read_complex", emitted)
        return Piece("calls/number", "read_number", emitted)


# ---- Members of an enumeration of the spec: Python passes them, or their values ----


class EnumValue(Kind, Frozen):
    of: str
    default: str | None = None

    has_address = True
    call_value = "enum"
    default_type = "int"
    outlasts_call = True
    is_read_early = True

    def stub_type(self, scope: PythonScope) -> str:
        return f"{self.of} | str | int"

    def returned_value(self) -> Result:
        return Result(ENUM, self.of)

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> EnumValue | None:
        if not isinstance(named, Enum):
            return None
        if not holds(entry.ctype, "int") or family(entry.ctype.base) == "char":
            raise entry.mistake("argument-type", f"'{named.name.text}' is an integer, and this type is not")
        default = entry.fields[DEFAULT]
        member = named.members.get(default.text.removeprefix(f"{named.name.text}.")) if default is not None else None
        if default is not None and member is not None and default.text not in named.members.values():
            message = f"'{shown(default.text)}' is its name in Python, and a default is C"
            raise Mistake("stray-word", default.span, message, f"write {member}")
        return entry.with_keys(("of", "default"), cls(named.name.text, text_of(entry.fields[DEFAULT])))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        yield from literal_problems(entry.fields[DEFAULT], ctype, "int")

    def table(self, emitted: EmittedArgument) -> str:
        """Returns the C name of the table of the members."""
        return emitted.body.enums[self.of]

    def initial(self, emitted: EmittedArgument) -> str:
        return emitted.body.text("0" if self.default is None or emitted.is_late else self.default)

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        return type_assertions(emitted.label, emitted.ctype.base, "int")

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/number", "declared", emitted)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/number", "read_enum", emitted)


# ---- The kinds of results that one call of the runtime converts: numbers, members of enumerations, and strings ----

_FEW = 16
"""Tuples with at most this many items are built without a loop."""


class ItemsResult(Frozen):
    """The numbers of an array as a tuple."""

    to: Target
    array: str
    items: str
    """The variable with the objects."""
    made: tuple[str, ...]
    """The calls that make the objects: one for each, or one in a loop."""
    index: str = ""
    """The variable of the loop."""


class Scalar(ResultKind):
    """The base class of kinds whose `made` returns the call that makes the Python object."""

    def piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/number", "made", emitted)

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        """Returns the conversion of an array to a tuple. Short tuples are built without a loop."""
        to, array, length, own = emitted.to, emitted.variable, emitted.length, emitted.results.body.own
        items, index = own(f"items_of_{emitted.name}"), own("item")
        if is_number(length) and int(length) <= _FEW:
            made = tuple(emitted.made_of(f"{array}[{place}]") for place in range(int(length)))
            return Piece("calls/number", "few", ItemsResult(to, array, items, made))
        made = (emitted.made_of(f"{array}[{index}]"),)
        return Piece("calls/number", "many", ItemsResult(to, array, items, made, index))


# ---- Numbers and characters ----


class ReturnedNumber(Scalar):
    is_number = True

    def __init__(self, number: NumberKind, zero: str = "...") -> None:
        self.number: NumberKind = number
        self.words = (number,)
        self.zero = zero

    def by_name(self, named: Named, source: Source) -> Result | None:
        return Result(self) if holds(source.ctype, self.number) else None

    def by_type(self, source: Source) -> Result | None:
        ctype, known = source.ctype, source.names.number(source.ctype.base)
        is_known = known == self.number or (known is None and self.is_integer and is_unknown(ctype))
        return Result(self) if ctype.depth == 0 and not ctype.is_function and is_known else None

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return PYTHON[self.number]

    def made(self, text: str, base: str = "", table: str = "") -> str:
        value = operand(text)
        if self.number == "complex" and family(base):
            return f"dlb_py_from_complex(creal((double complex){value}), cimag((double complex){value}))"
        return {
            "int": f"DLB_PY_FROM_INTEGER({text})",
            "float": f"PyFloat_FromDouble({text if base == 'double' else f'(double){value}'})",
            "bool": f"PyBool_FromLong({value} ? 1 : 0)",
            "char": f"dlb_py_from_char({text})",
            "complex": f"DLB_PY_FROM_COMPLEX({text})",
        }[self.number]


NUMBERS: dict[NumberKind, ReturnedNumber] = {
    "int": ReturnedNumber("int", "0"),
    "float": ReturnedNumber("float", "0.0"),
    "bool": ReturnedNumber("bool", "False"),
    "complex": ReturnedNumber("complex", "0j"),
    "char": ReturnedNumber("char"),
}


# ---- Members of an enumeration of the spec ----


class EnumMember(Scalar):
    number = "int"
    is_enum = True

    def is_named(self, named: Named) -> bool:
        return isinstance(named, Enum)

    def by_name(self, named: Named, source: Source) -> Result | None:
        return Result(self, named.name.text) if isinstance(named, Enum) and holds(source.ctype, "int") else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        assert isinstance(named, Enum)
        return source.mistake(f"a '{named.name.text}' is an integer, and this does not point to one")

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_enum(&{table}, (int64_t){operand(text)})"


ENUM = EnumMember()

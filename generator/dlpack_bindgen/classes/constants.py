"""Constants and enums of a module."""

from __future__ import annotations

from dlpack_bindgen.calls.result_kind import ResultKind
from dlpack_bindgen.calls.result_kinds import kind_of
from dlpack_bindgen.calls.spec_names import NamedValue
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    Alternatives,
    Form,
    Key,
    ListOf,
    MapOf,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, is_record, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.literals import is_floating


class Constant(Frozen):
    """An entry `NAME: EXPR` of `constants`."""

    name: str
    value: str
    kind: ResultKind


class Enumeration(Frozen):
    """An entry `NAME: {MEMBER: EXPR, ...}` of `constants`: an `enum.IntEnum`, or an `enum.IntFlag` for flags."""

    name: str
    members: tuple[tuple[str, str], ...]
    flags: bool


_MEMBERS = Alternatives(
    (
        Option(ListOf(Single(Form.CONSTANT), "a list of members", least=1), "The members, with their names in C."),
        Option(MapOf(Form.CONSTANT, EXPRESSION, "a mapping from members to values"), "The members and their values."),
    )
)
VALUE_OF_CONSTANT = Key[Leaf]("value", EXPRESSION, "The value.", required=True)
TYPE_OF_CONSTANT = Key[Leaf](
    "type",
    Words(
        (
            Word("int", "An integer."),
            Word("float", "A floating point number."),
            Word("bool", "A boolean."),
            Word("complex", "A complex number."),
            Word("char", "A character; in Python a `str`."),
            Word("str", "A `const char *`."),
        )
    ),
    "The type of the value.",
    default="`int`",
)
ENUM = Key[Items | Table]("enum", _MEMBERS, "The members.", required=True)
FLAGS = Key[Items | Table]("flags", _MEMBERS, "The members.", required=True)
CONSTANT = Record(
    what="a constant", doc="A constant of the module, with its type.", keys=(VALUE_OF_CONSTANT, TYPE_OF_CONSTANT)
)
INT_ENUM = Record(
    what="an enum",
    doc="An `enum.IntEnum`. Functions use the enum as the type of a parameter or result. A result "
    "that is not a member becomes an `int`. The values are constant expressions of C. Declare the "
    "value of a call as a constant instead.",
    keys=(ENUM,),
)
INT_FLAG = Record(
    what="an enum of flags",
    doc="An `enum.IntFlag`. Functions use the enum as the type of a parameter or result. Members can "
    "be combined with `|`, and results are combinations of members.",
    keys=(FLAGS,),
)
MAP_OF_CONSTANTS = MapOf(
    Form.CONSTANT,
    Alternatives(
        (
            Option(EXPRESSION, "The value, an integer."),
            Option(CONSTANT, "A value and its type.", tag="value"),
            Option(INT_ENUM, "An `IntEnum`.", tag="enum"),
            Option(INT_FLAG, "An `IntFlag`.", tag="flags"),
        )
    ),
    "a mapping from names to constants",
)
CONSTANTS = Key[Table](
    "constants", MAP_OF_CONSTANTS, "The constants and enums of the module, by their names in Python."
)

# ---- Rules ----

_NOT_FOR_MEMBERS = ("mro", "name", "value")
"""Names that a Python `enum` class reserves."""


def check_constant(value: Leaf, report: Report) -> None:
    """Reports constants without a type that are not integers."""
    word = "float" if is_floating(value.text) else "str" if value.text.startswith('"') else None
    if word is not None:
        text = f"'{value.text}'" if word == "str" else value.text
        hint = f"write {{value: {text}, type: {word}}}"
        report(Diagnostic("bad-integer", value.span, f"'{shown(value.text)}' is not an integer", hint))


def check_enum(record: Fields, report: Report) -> None:
    members = record[ENUM] or record[FLAGS]
    names = list(members.leaves()) if isinstance(members, Items) else []
    if isinstance(members, Table):
        names = [key for key, _ in members.entries]
    seen: dict[str, Leaf] = {}
    for name in names:
        if name.text in _NOT_FOR_MEMBERS:
            message = f"'{name.text}' is an attribute of every enum"
            report(Diagnostic("reserved-name", name.span, message))
        elif name.text in seen:
            notes = (Note(seen[name.text].span, "first here"),)
            report(Diagnostic("duplicate-name", name.span, f"there are two members '{name.text}'", notes=notes))
        seen.setdefault(name.text, name)


# ---- Construction from values without mistakes ----


def constants(table: Table | None) -> tuple[Constant, ...]:
    found: list[Constant] = []
    for name, value in table.entries if table else ():
        if isinstance(value, Leaf):
            found.append(Constant(name.text, value.text, kind_of("int")))
        elif is_record(value, CONSTANT) and (written := text_of(value[VALUE_OF_CONSTANT])):
            found.append(Constant(name.text, written, kind_of(text_of(value[TYPE_OF_CONSTANT]) or "int")))
    return tuple(found)


def enums(table: Table | None) -> tuple[Enumeration, ...]:
    entries = table.records(INT_ENUM, INT_FLAG) if table else ()
    return tuple(Enumeration(name.text, tuple(_pairs(enum)), enum.record is INT_FLAG) for name, enum in entries)


def _pairs(enum: Fields) -> list[tuple[str, str]]:
    """Returns the members of an enum: their names in Python, and their C expressions."""
    members = enum[ENUM] or enum[FLAGS]
    if isinstance(members, Table):
        return [(name.text, value.text) for name, value in members.leaves()]
    return [(leaf.text, leaf.text) for leaf in members.leaves()] if isinstance(members, Items) else []


def members(enum: Fields) -> dict[str, str]:
    """Returns the C names of the members whose Python names omit the prefix, by Python name."""
    return {name: value for name, value in _pairs(enum) if value.endswith(f"_{name}")}


def named_values(constants: Table | None) -> dict[str, list[NamedValue]]:
    found: dict[str, list[NamedValue]] = {}
    for name, value in constants.entries if constants else ():
        if isinstance(value, Leaf):
            found.setdefault(value.text, []).append(NamedValue(shown(name.text), "int"))
        elif is_record(value, CONSTANT) and (written := value[VALUE_OF_CONSTANT]) is not None:
            word = text_of(value[TYPE_OF_CONSTANT]) or "int"
            found.setdefault(written.text, []).append(NamedValue(shown(name.text), word))
        elif is_record(value, INT_ENUM, INT_FLAG):
            for member, expression in _pairs(value):
                found.setdefault(expression, []).append(NamedValue(f"{name.text}.{shown(member)}", "int", name.text))
    return found

"""How keys of the spec language are declared: a kind describes the values of a key. Keys of several records follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dlpack_bindgen.frozen import Frozen

if TYPE_CHECKING:
    import typing_extensions

    from dlpack_bindgen.language.values import Items, Leaf

    V = typing_extensions.TypeVar("V", default=Any, covariant=True)
    """The type of the value of a key."""
else:
    V = TypeVar("V", covariant=True)


VERSION = 1
"""The version of the spec language."""


class Form(Enum):
    """The forms of a single value; messages and the reference name a form by its string."""

    VERSION = "a version number"
    MODULE = "a module name"
    PREFIX = "a C identifier"
    TENSOR = "a tensor name"
    HANDLE = "a handle name"
    ORIGIN = "a module of Python, or a class in it"
    PROPERTY = "a property name"
    MAP = "the name of a map"
    LICENSE = "an SPDX license expression"
    INCLUDE = "a header name"
    TEXT = "a string"
    EXPRESSION = "a C expression"
    KEY = "a C value"
    """An expression that another value is compared with."""
    STATEMENT = "a C statement"
    CONDITION = "a condition on the result"
    OUTCOME = "a condition on the result, or on a parameter that C fills"
    DIRECTIVE = "a condition of the preprocessor"
    INITIALISER = "a C initialiser"
    """Only this form may be empty."""
    CTYPE = "a C type"
    STORAGE = "a C type, or a macro that names one"
    DECLARATION = "a C declaration"
    VARIABLE = "a C declaration, also of an array"
    OUTPUT = "a C declaration, also of an array with a fixed length"
    PARAMETER = "a parameter"
    ARGUMENT = "an argument of the deleter"
    MEMBER = "a member of the struct"
    FIELD = "the name of a member"
    DTYPE = "a dtype name"
    DEVICE = "a device name"
    FUNCTION = "a function name"
    PROTOTYPE = "a C prototype"
    KIND = "a class, an enum or a word"
    VALUE = "an enum or a word"
    OF_PROTOTYPE = "a parameter of the prototype"
    EXCEPTION = "a built-in exception"
    CONSTANT = "the name of a constant"


class Single(Frozen):
    form: Form


PARAMETER = Single(Form.OF_PROTOTYPE)
EXPRESSION = Single(Form.EXPRESSION)
KEY = Single(Form.KEY)
DIRECTIVE = Single(Form.DIRECTIVE)
MAX_RANK = 64
MAX_ARMS = 1000


class Word(Frozen):
    name: str
    doc: str


class Words(Frozen):
    """A closed list of words, of which a spec gives one."""

    words: tuple[Word, ...]
    otherwise: str | None = None
    """The hint for a value that is not one of the words."""

    def has(self, text: str) -> bool:
        return any(word.name == text for word in self.words)


class Integer(Frozen):
    least: int
    most: int
    power_of_two: bool = False

    def has(self, text: str) -> bool:
        if not re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text):
            return False
        value = int(text)
        return self.least <= value <= self.most and not (self.power_of_two and value & (value - 1))


class ListOf(Frozen):
    item: Kind
    what: str
    least: int = 0
    most: int | None = None
    lone: bool = False
    """Whether a single item may be written without the list around it."""
    if_empty: str | None = None
    """The hint for a list without items."""
    if_mapped: str | None = None
    """The message about a mapping among the items, if the key also takes a list of other mappings."""


class MapOf(Frozen):
    """A mapping whose keys the author of the spec chooses."""

    key: Form
    value: Kind
    what: str
    most: int | None = None
    otherwise: str | None = None
    """The hint for a key that is meant to match all other values."""


class Lookup(Frozen):
    """A mapping, or the name of a mapping in the top-level `maps`."""

    table: MapOf


class Anything(Frozen):
    """A value that is checked where it is used, not where it is written."""

    what: str


class Needs(Frozen):
    """The keys of which a record must have at least one, so that another key has an effect."""

    keys: tuple[str, ...]
    why: str
    hint: str | None = None
    """The hint that names what the author may have meant instead."""


class Key(Frozen, Generic[V]):
    """A key of a record. It is also the attribute by which other code reads the value: `function[STREAM]`."""

    name: str
    kind: Kind
    doc: str
    required: bool = False
    default: str | None = None
    """The default in words; None if a record without the key has nothing of the kind."""
    needs: Needs | None = None
    unless: str | None = None
    """A key that makes this one optional."""
    details: tuple[str, ...] = ()
    """Further facts, each for one list item below the table of the reference."""
    after: str | None = None
    """For a key that a feature adds to a record: the key that it follows in the reference."""


class Entry(Frozen):
    """The key of a record that the author of the spec chooses, as in `{int width: shape[1]}`."""

    key: Form
    value: Kind
    doc: str


class Record(Frozen):
    """A mapping with a closed set of keys."""

    what: str
    doc: str
    keys: tuple[Key, ...]
    one_of: tuple[str, ...] = ()
    """The keys of which a record has exactly one."""
    some_of: tuple[str, ...] = ()
    """The keys of which a record has at least one."""
    exclusive: tuple[tuple[str, str], ...] = ()
    """Pairs of keys of which a record has at most one."""
    entry: Entry | None = None
    template: str | None = None
    """The key that turns the record into a pattern for several records, and that may supply its missing keys."""

    def has(self, key: Key) -> bool:
        """Returns whether this key is one of the record, and not only its name."""
        return any(each is key for each in self.keys)

    def key(self, name: str) -> Key | None:
        for key in self.keys:
            if key.name == name:
                return key
        return None


class Option(Frozen):
    kind: Kind
    doc: str
    tag: str | None = None
    """The key that identifies this record among several. At most one record has no tag: it is chosen if a mapping has
    no tag."""


class Alternatives(Frozen):
    """Several kinds of values for one key; the first option that fits is chosen. Tags distinguish records, the items
    distinguish lists of mappings from lists of single values, and words come before other single values."""

    options: tuple[Option, ...]


Kind = Single | Words | Integer | ListOf | MapOf | Lookup | Anything | Record | Alternatives


def flag(
    name: str,
    yes: str,
    no: str,
    doc: str,
    default: str = "`false`",
    needs: Needs | None = None,
    details: tuple[str, ...] = (),
    after: str | None = None,
) -> Key[Leaf]:
    """Returns a key whose value is `true` or `false`, with the meanings `yes` and `no`."""
    words = Words((Word("true", yes), Word("false", no)))
    return Key(name, words, doc, default=default, needs=needs, details=details, after=after)


def ordered_as(record: Record, keys: Iterable[Key]) -> tuple[Key, ...]:
    """Returns keys in the order in which the record has keys of their names."""
    named = {key.name: key for key in keys}
    return tuple(named[key.name] for key in record.keys if key.name in named)


def with_added(keys: Iterable[Key], added: Iterable[Key]) -> tuple[Key, ...]:
    """Returns the keys with those of features, each in its place. Keys without a place are at the end."""
    found, left = list(keys), list(added)
    while left:
        names = [key.name for key in found]
        key = left.pop(next(i for i, key in enumerate(left) if key.after is None or key.after in names))
        found.insert(len(found) if key.after is None else 1 + names.index(key.after), key)
    return tuple(found)


def listed(words: Sequence[str]) -> str:
    """Returns the words for a sentence of the reference."""
    return f"{', '.join(f'`{word}`' for word in words[:-1])} or `{words[-1]}`"


def description(kind: Kind) -> str:
    """Returns a name for the kind, with its article, as in 'expected a list of extents'."""
    if isinstance(kind, Single):
        return kind.form.value
    if isinstance(kind, Words):
        names = [f"'{word.name}'" for word in kind.words]
        return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
    if isinstance(kind, Integer):
        return (
            f"a power of two up to {kind.most}" if kind.power_of_two else f"a number from {kind.least} to {kind.most}"
        )
    if isinstance(kind, Alternatives):
        return " or ".join(dict.fromkeys(_option(option) for option in kind.options))
    if isinstance(kind, Lookup):
        return f"{kind.table.what} or {Form.MAP.value}"
    return kind.what


def _option(option: Option) -> str:
    return f"{{{option.tag}: ...}}" if option.tag else description(option.kind)


def options_of(kind: Kind) -> list[Kind]:
    """Returns the alternatives of a kind, at any depth, or the kind itself."""
    if isinstance(kind, Alternatives):
        return [each for option in kind.options for each in options_of(option.kind)]
    return [kind]


def records_of(kind: Kind) -> list[Record]:
    return [each for each in options_of(kind) if isinstance(each, Record)]


def takes_c(kind: Kind) -> bool:
    """Returns whether C code is valid here. C code may begin with a bracket, which YAML reads as a list or mapping."""
    return any(isinstance(each, Single) and each.form in _C for each in options_of(kind))


_C = (Form.EXPRESSION, Form.KEY, Form.STATEMENT, Form.CONDITION, Form.OUTCOME, Form.INITIALISER)


def records(kind: Kind) -> tuple[Record, ...]:
    """Returns each record that can occur in `kind` once, outer records first."""
    if isinstance(kind, Record):
        inner = [key.kind for key in kind.keys] + ([kind.entry.value] if kind.entry else [])
        found = [kind, *(record for child in inner for record in records(child))]
    elif isinstance(kind, Alternatives):
        found = [record for option in kind.options for record in records(option.kind)]
    elif isinstance(kind, ListOf):
        found = list(records(kind.item))
    elif isinstance(kind, MapOf):
        found = list(records(kind.value))
    elif isinstance(kind, Lookup):
        found = list(records(kind.table))
    else:
        found = []
    return tuple(dict.fromkeys(found))


# ---- The keys that several records have ----

ARRAYS: Key[Leaf] = Key(
    "arrays",
    Single(Form.TENSOR),
    "The name of a class for arrays that functions create (`default: new`, `default: like PARAM`) or return "
    "(`of: array`). The module defines the class.",
    details=(
        "New arrays are compact, on the CPU, and filled with zeros.",
        "The C type of the class is `dlb_array`, from `dlb_array.h` of the runtime. Your own functions can return "
        "such arrays, too.",
    ),
)
TEXT = Single(Form.TEXT)
PARAMETERS = ListOf(
    Alternatives(
        (
            Option(Single(Form.PARAMETER), "`T name = default`; a parameter without a default is required."),
            Option(
                Record(
                    what="a parameter with a default",
                    doc="A parameter as a mapping, equal to `T name = default`.",
                    keys=(),
                    entry=Entry(Form.DECLARATION, EXPRESSION, "`T name: default`."),
                ),
                "`{T name: default}`, equal to `T name = default`.",
            ),
        )
    ),
    "a list of parameters",
)
DOC: Key[Leaf] = Key("doc", TEXT, "The description for the docstring and the stub.")
IF: Key[Leaf] = Key("if", DIRECTIVE, "The condition of the `#if` around all code that is generated for the item.")
TYPE: Key[Leaf] = Key("type", Single(Form.CTYPE), "The C type of the object.", required=True)
PASS: Key[Leaf] = Key(
    "pass",
    Words(
        (
            Word("pointer", "`self` is a `T *`. Functions may also take or return the struct itself, a `T`."),
            Word(
                "value",
                "`self` is a `T`, and functions take a `T`. Use it for pointer typedefs, ids, and structs that may be "
                "copied.",
            ),
        )
    ),
    "Whether C code gets the address of the object or the object itself.",
    default="`pointer`",
)
GIVEN = "Arguments that are passed when the object is created, and stored with it"
PARAMS: Key[Items] = Key(
    "params",
    PARAMETERS,
    f"{GIVEN}: `wrap(self, plane)` in C, `frame.plane(1)` in Python.",
    details=(
        "Each param of a returned object gets the value of the function's parameter with an equal name and type. "
        "If such a param is an object, the result must borrow from it or keep it.",
        "If the function has no such parameter, the value of a required number comes from an argument. This "
        "argument is the only object with a param of that name and type.",
        "A part or view of another object gets the values of the params of that object with equal name and type.",
    ),
    after="variants",
)

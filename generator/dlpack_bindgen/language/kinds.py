"""What a place in a spec can hold: the vocabulary in which `language.py` declares the spec language."""

from __future__ import annotations

import re
from enum import Enum

from dlpack_bindgen.frozen import Frozen


class Form(Enum):
    """What a single value is, in the words of the messages."""

    VERSION = "a version number"
    MODULE = "a module name"
    PREFIX = "a C identifier"
    TENSOR = "a tensor name"
    HANDLE = "a handle name"
    PROPERTY = "a property name"
    MAP = "the name of a map"
    LICENSE = "an SPDX license expression"
    INCLUDE = "a header name"
    TEXT = "text"
    EXPRESSION = "a C expression"
    KEY = "a C value"
    """With which another one is compared."""
    STATEMENT = "a C statement"
    CONDITION = "a condition on the result"
    OUTCOME = "a condition on the result, or on a parameter that C fills"
    DIRECTIVE = "a condition of the preprocessor"
    INITIALISER = "a C initialiser"
    """The one form that may be empty."""
    CTYPE = "a C type"
    STORAGE = "a C type, or a macro that names one"
    DECLARATION = "a C declaration"
    VARIABLE = "a C declaration, of an array too"
    OUTPUT = "a C declaration, of an array of a fixed length too"
    PARAMETER = "a parameter"
    ARGUMENT = "an argument of the deleter"
    MEMBER = "a member of the struct"
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


class Word(Frozen):
    name: str
    doc: str


class Words(Frozen):
    """One of a closed list of words."""

    words: tuple[Word, ...]
    otherwise: str | None = None
    """A hint for whoever meant something else than a word."""

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
    """A single item may stand without the list around it."""
    if_empty: str | None = None
    """A hint for whoever wrote one without items."""
    if_mapped: str | None = None
    """What to say of a mapping among the items, where a list of other mappings could stand as well."""


class MapOf(Frozen):
    """A mapping whose keys the author chooses."""

    key: Form
    value: Kind
    what: str
    most: int | None = None
    otherwise: str | None = None
    """A hint for whoever looks for the key of all others."""


class Lookup(Frozen):
    """A mapping, or the name of one that stands in the top-level `maps`."""

    table: MapOf


class Anything(Frozen):
    """Checked only where it is used."""

    what: str


class Needs(Frozen):
    """A key that is meaningless unless one of `keys` stands beside it."""

    keys: tuple[str, ...]
    why: str
    hint: str | None = None
    """What else may have been meant."""


class Key(Frozen):
    name: str
    kind: Kind
    doc: str
    required: bool = False
    default: str | None = None
    """As the documentation says it; None where leaving the key out means that there is no such thing."""
    needs: Needs | None = None
    unless: str | None = None
    """A key beside which this one is not required."""


class Entry(Frozen):
    """The one key of a record that the author chooses, as in `{int width: shape[1]}`."""

    key: Form
    value: Kind
    doc: str


class Record(Frozen):
    """A mapping with a closed set of keys."""

    what: str
    doc: str
    keys: tuple[Key, ...]
    one_of: tuple[str, ...] = ()
    """Exactly one of these is given."""
    some_of: tuple[str, ...] = ()
    """At least one of these is given."""
    exclusive: tuple[tuple[str, str], ...] = ()
    """Not both of these are given."""
    entry: Entry | None = None
    template: str | None = None
    """With this key the record is a pattern for several, and keys that are missing may come from there."""

    def key(self, name: str) -> Key | None:
        for key in self.keys:
            if key.name == name:
                return key
        return None


class Option(Frozen):
    kind: Kind
    doc: str
    tag: str | None = None
    """Among several records, the key by which this one is known; at most one record has none: it is what is meant where
    no tag is found."""


class Alternatives(Frozen):
    """The first option that fits decides: records are told apart by their tags, a list of mappings from a list of
    single values, words from other single values."""

    options: tuple[Option, ...]


Kind = Single | Words | Integer | ListOf | MapOf | Lookup | Anything | Record | Alternatives


def description(kind: Kind) -> str:
    """The kind with its article, as in 'expected a list of extents'."""
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

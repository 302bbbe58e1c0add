"""Values that the reader makes from nodes. Each value is valid by itself and has its place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Form, Key, Record
from dlpack_bindgen.text.diagnostics import Span

if TYPE_CHECKING:
    from typing import TypeGuard

T = TypeVar("T")
V = TypeVar("V")
C_FORMS = (Form.EXPRESSION, Form.KEY, Form.STATEMENT, Form.CONDITION, Form.OUTCOME, Form.INITIALISER)


class Leaf(Frozen):
    text: str
    span: Span
    form: Form | None = None
    """The form of the string. None for words and numbers."""

    @property
    def is_quoted_word(self) -> bool:
        """Whether the value is an identifier that was quoted in YAML."""
        is_quoted = self.span.length == len(self.text) + 2 and self.span.variant is None
        return is_quoted and self.text.isidentifier()


class Items(Frozen):
    items: tuple[Value, ...]
    span: Span
    count: int
    """The number of items in the file, including broken items, which `items` omits."""

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(item for item in self.items if isinstance(item, Leaf))

    def records(self, *of: Record) -> tuple[Fields, ...]:
        """Returns the items that are records; with `of`, only those of these declarations."""
        return tuple(item for item in self.items if is_record(item, *of))


class Table(Frozen):
    entries: tuple[tuple[Leaf, Value], ...]
    span: Span
    broken: tuple[str, ...]
    """The keys of omitted entries, as in the file."""

    def leaves(self) -> tuple[tuple[Leaf, Leaf], ...]:
        return tuple((key, value) for key, value in self.entries if isinstance(value, Leaf))

    def records(self, *of: Record) -> tuple[tuple[Leaf, Fields], ...]:
        """Returns the entries whose values are records; with `of`, only those of these declarations."""
        return tuple((key, value) for key, value in self.entries if is_record(value, *of))


class Fields:
    """A record of the spec.

    `given` has the place of every key in the file. `values` has only the valid values. They serve code that treats
    all keys alike; all other code reads a value by its key: `function[STREAM]`."""

    def __init__(
        self,
        record: Record,
        values: dict[str, Value],
        given: dict[str, Span],
        entry: tuple[Leaf, Leaf] | None,
        span: Span,
        has_unknown: bool,
    ) -> None:
        """Creates the fields. With `has_unknown`, the record has unknown keys, which are reported and not read."""
        self.record = record
        self.values = values
        self.given = given
        self.entry = entry
        self.span = span
        self.has_unknown = has_unknown

    def __contains__(self, key: Key) -> bool:
        """Returns whether the record has the key, even with an invalid value."""
        return key.name in self.given

    def __getitem__(self, key: Key[V]) -> V | None:
        """Returns the value of the key, or None if the record has no valid value."""
        found: Any = self.values.get(key.name)
        return found  # type: ignore[no-any-return]

    def value_of(self, key: str) -> Value | None:
        """Returns the value of a key by its name, for code that treats all keys alike."""
        return self.values.get(key)

    def has_any(self, *keys: Key) -> bool:
        return any(key in self for key in keys)

    def place(self, key: Key, otherwise: Span | None = None) -> Span:
        """Returns the place of the key. If it is absent, returns `otherwise`, or the place of the record."""
        return self.given.get(key.name, otherwise or self.span)


class Unread(Frozen):
    """A value that is read only where it is used."""

    span: Span


Value = Leaf | Items | Table | Fields | Unread


def is_record(value: Value | None, *of: Record) -> TypeGuard[Fields]:
    """Returns whether the value is a record; with `of`, a record of one of these declarations."""
    return isinstance(value, Fields) and (not of or any(value.record is each for each in of))


def leaf_of(value: Value | None) -> Leaf | None:
    return value if isinstance(value, Leaf) else None


def items_of(value: Value | None) -> Items | None:
    return value if isinstance(value, Items) else None


def table_of(value: Value | None) -> Table | None:
    return value if isinstance(value, Table) else None


def text_of(value: Value | None) -> str | None:
    return value.text if isinstance(value, Leaf) else None


def is_true(value: Value | None) -> bool:
    return text_of(value) == "true"


def condition_of(ok: Leaf | None) -> Leaf | None:
    """Returns the condition of an `ok`, or None if it is `none` or absent."""
    return ok if ok is not None and ok.form is not None else None


def needed(value: T | None) -> T:
    """Returns a required value. Only files without mistakes are built, so it is always present."""
    if value is None:
        raise AssertionError("a spec with errors must not be built")
    return value


def strings(items: Items) -> tuple[str, ...]:
    return tuple(leaf.text for leaf in items.leaves())


def is_whole(value: Value) -> bool:
    """Returns whether the value omits nothing, at any depth."""
    if isinstance(value, Fields):
        return value.given.keys() <= value.values.keys() and all(map(is_whole, value.values.values()))
    if isinstance(value, Items):
        return value.count == len(value.items) and all(map(is_whole, value.items))
    if isinstance(value, Table):
        return not value.broken and all(is_whole(item) for _, item in value.entries)
    return True


def inside(value: Value, key: str = "") -> list[tuple[str, Value]]:
    """Returns the values directly inside a value: its items, its entries with their names, or its fields.

    Each has the key of its field; items and entries have `key`, that of `value`."""
    if isinstance(value, Items):
        return [(key, item) for item in value.items]
    if isinstance(value, Table):
        return [(key, each) for entry in value.entries for each in entry]
    if isinstance(value, Fields):
        return [*value.values.items(), *((key, leaf) for leaf in value.entry or ())]
    return []


def c_fragments(value: Value, key: str = "", forms: tuple[Form, ...] = C_FORMS) -> list[tuple[str, Leaf]]:
    """Returns all C code in `value`, each string with its key."""
    found: list[tuple[str, Leaf]] = []
    _collect(value, key, forms, found)
    return found


def _collect(value: Value, key: str, forms: tuple[Form, ...], found: list[tuple[str, Leaf]]) -> None:
    if isinstance(value, Leaf):
        if value.form in forms:
            found.append((key, value))
    else:
        for own_key, each in inside(value, key):
            _collect(each, own_key, forms, found)

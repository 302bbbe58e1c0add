"""Values that the reader makes from nodes. Each value is valid by itself and has its place in the file."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Form, Record

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

    def records(self) -> tuple[Fields, ...]:
        return tuple(item for item in self.items if isinstance(item, Fields))


class Table(Frozen):
    entries: tuple[tuple[Leaf, Value], ...]
    span: Span
    broken: tuple[str, ...]
    """The keys of omitted entries, as in the file."""

    def leaves(self) -> tuple[tuple[Leaf, Leaf], ...]:
        return tuple((key, value) for key, value in self.entries if isinstance(value, Leaf))

    def records(self) -> tuple[tuple[Leaf, Fields], ...]:
        return tuple((key, value) for key, value in self.entries if isinstance(value, Fields))


class Fields(Frozen):
    """A record. `given` has the place of every key in the file. `values` has only the valid values."""

    record: Record
    values: dict[str, Value]
    given: dict[str, Span]
    entry: tuple[Leaf, Leaf] | None
    span: Span
    has_unknown: bool
    """Whether the record has unknown keys. They are reported already, and their values are not read."""

    def leaf(self, key: str) -> Leaf | None:
        value = self.values.get(key)
        return value if isinstance(value, Leaf) else None

    def text(self, key: str) -> str | None:
        return text_of(self.leaf(key))

    def ok(self) -> Leaf | None:
        """Returns the condition of `ok`, or None if `ok` is `none` or absent."""
        leaf = self.leaf("ok")
        return leaf if leaf is not None and leaf.form is not None else None

    def fields(self, key: str) -> Fields | None:
        value = self.values.get(key)
        return value if isinstance(value, Fields) else None

    def items(self, key: str) -> Items | None:
        value = self.values.get(key)
        return value if isinstance(value, Items) else None

    def table(self, key: str) -> Table | None:
        value = self.values.get(key)
        return value if isinstance(value, Table) else None


class Unread(Frozen):
    """A value that is read only where it is used."""

    span: Span


Value = Leaf | Items | Table | Fields | Unread


def text_of(leaf: Leaf | None) -> str | None:
    return None if leaf is None else leaf.text


def is_whole(value: Value) -> bool:
    """Returns whether the value omits nothing, at any depth."""
    if isinstance(value, Fields):
        return value.given.keys() <= value.values.keys() and all(map(is_whole, value.values.values()))
    if isinstance(value, Items):
        return value.count == len(value.items) and all(map(is_whole, value.items))
    if isinstance(value, Table):
        return not value.broken and all(is_whole(item) for _, item in value.entries)
    return True


def c_fragments(value: Value, key: str = "", forms: tuple[Form, ...] = C_FORMS) -> list[tuple[str, Leaf]]:
    """Returns all C code in `value`, each string with its key."""
    found: list[tuple[str, Leaf]] = []
    _collect(value, key, forms, found)
    return found


def _collect(value: Value, key: str, forms: tuple[Form, ...], found: list[tuple[str, Leaf]]) -> None:
    if isinstance(value, Leaf):
        if value.form in forms:
            found.append((key, value))
    elif isinstance(value, Items):
        for item in value.items:
            _collect(item, key, forms, found)
    elif isinstance(value, Table):
        for name, entry in value.entries:
            _collect(name, key, forms, found)
            _collect(entry, key, forms, found)
    elif isinstance(value, Fields):
        for name_of_field, field in value.values.items():
            _collect(field, name_of_field, forms, found)
        if value.entry:
            for leaf in value.entry:
                _collect(leaf, key, forms, found)

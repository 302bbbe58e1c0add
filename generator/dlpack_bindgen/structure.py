"""Nodes -> values, by the declaration of the language; every mistake of structure and of single values is reported.

What is broken is left out of the values, so that the rules that come later see only what is sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dlpack_bindgen import language
from dlpack_bindgen.ctext import Problem
from dlpack_bindgen.diagnostics import Code, Diagnostic, Note, Span, closest, did_you_mean, shown
from dlpack_bindgen.kinds import (
    Alternatives,
    Form,
    Integer,
    Kind,
    ListOf,
    MapOf,
    Option,
    Record,
    Single,
    Words,
    description,
)
from dlpack_bindgen.lexical import normal
from dlpack_bindgen.nodes import Broken, Mapping, Node, Scalar, Sequence

_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}")
_HOMES = {key.name: record.what for record in reversed(language.records()) for key in record.keys}
"""The outermost record that has a key, for whoever put it into another one."""

MAX_TEXT = 3500
"""Expressions and texts become string literals, in messages with what they belong to."""


@dataclass(frozen=True)
class Leaf:
    text: str
    span: Span
    form: Form | None = None
    """None for words and numbers."""


@dataclass(frozen=True)
class Items:
    items: tuple[Value, ...]
    span: Span
    count: int
    """How many items are written, the broken ones that are left out of `items` included."""

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(item for item in self.items if isinstance(item, Leaf))

    def records(self) -> tuple[Fields, ...]:
        return tuple(item for item in self.items if isinstance(item, Fields))


@dataclass(frozen=True)
class Table:
    entries: tuple[tuple[Leaf, Value], ...]
    span: Span
    count: int

    def leaves(self) -> tuple[tuple[Leaf, Leaf], ...]:
        return tuple((key, value) for key, value in self.entries if isinstance(value, Leaf))


@dataclass(frozen=True)
class Fields:
    """A record. `given` has the place of every key that is written, `values` only what is sound."""

    record: Record
    values: dict[str, Value]
    given: dict[str, Span]
    entry: tuple[Leaf, Leaf] | None
    span: Span

    def leaf(self, key: str) -> Leaf | None:
        value = self.values.get(key)
        return value if isinstance(value, Leaf) else None

    def text(self, key: str) -> str | None:
        leaf = self.leaf(key)
        return leaf.text if leaf else None

    def fields(self, key: str) -> Fields | None:
        value = self.values.get(key)
        return value if isinstance(value, Fields) else None

    def items(self, key: str) -> Items | None:
        value = self.values.get(key)
        return value if isinstance(value, Items) else None

    def table(self, key: str) -> Table | None:
        value = self.values.get(key)
        return value if isinstance(value, Table) else None


Value = Leaf | Items | Table | Fields
Report = Callable[[Diagnostic], None]


def read(root: Mapping, report: Report) -> Fields | None:
    value = _Reader(report).read(root, language.SPEC)
    return value if isinstance(value, Fields) else None


class _Reader:
    def __init__(self, report: Report) -> None:
        self._emit = report

    def read(self, node: Node, kind: Kind) -> Value | None:
        if isinstance(node, Broken):
            return None
        if isinstance(kind, Alternatives):
            return self._alternative(node, kind)
        if isinstance(kind, ListOf) and kind.lone and isinstance(node, Scalar) and node.text:
            item = self.read(node, kind.item)
            return Items((item,) if item else (), node.span, 1)
        if isinstance(kind, (Single, Words, Integer)):
            if isinstance(node, Scalar):
                return self._scalar(node, kind)
        elif isinstance(kind, ListOf):
            if isinstance(node, Sequence):
                return self._list(node, kind)
        elif isinstance(node, Mapping):
            return self._map(node, kind) if isinstance(kind, MapOf) else self._record(node, kind)
        self._mismatch(node, kind)
        return None

    def _mismatch(self, node: Node, kind: Kind) -> None:
        if isinstance(node, Scalar) and node.plain and not node.text:
            self._report("empty-value", node.span, f"nothing stands here; expected {description(kind)}")
            return
        found = "a list" if isinstance(node, Sequence) else "a mapping"
        if isinstance(node, Scalar):
            found = f"'{shown(node.text)}'"
        hint = None
        if isinstance(kind, Single) and kind.form in (Form.EXPRESSION, Form.STATEMENT) and not isinstance(node, Scalar):
            hint = "C text that begins with a bracket must be quoted"
        self._report("wrong-type", node.span, f"expected {description(kind)}, found {found}", hint)

    def _alternative(self, node: Node, kind: Alternatives) -> Value | None:
        if isinstance(node, Mapping):
            records = [option for option in kind.options if isinstance(option.kind, Record)]
            option = self._record_option(node, records)
            if option is not None:
                return self.read(node, option.kind)
            if records:
                return None
        shape = {Scalar: (Single, Words, Integer), Sequence: (ListOf,)}.get(type(node), ())
        fitting = [option.kind for option in kind.options if isinstance(option.kind, shape)]
        if not fitting or (isinstance(node, Scalar) and node.plain and not node.text):
            self._mismatch(node, kind)
            return None
        for candidate in fitting[:-1]:
            if isinstance(candidate, Words) and isinstance(node, Scalar) and _is_word(node.text, candidate):
                return self.read(node, candidate)
        return self.read(node, fitting[-1])

    def _record_option(self, node: Mapping, options: list[Option]) -> Option | None:
        if len(options) == 1:
            return options[0]
        keys = [key.text for key, _ in node.entries]
        for option in options:
            if option.tag in keys:
                return option
        tags = [option.tag for option in options if option.tag]
        expected = " or ".join(f"{{{tag}: ...}}" for tag in tags)
        if tags and keys:
            hint = next((hint for hint in (did_you_mean(key, tags) for key in keys) if hint), None)
            message = f"expected {expected}, found {{{shown(keys[0])}: ...}}"
            self._report("unknown-key", node.entries[0][0].span, message, hint)
        elif tags:
            self._report("missing-key", node.span, f"expected {expected}, found an empty mapping")
        return None

    def _scalar(self, node: Scalar, kind: Single | Words | Integer) -> Leaf | None:
        if node.plain and not node.text:
            self._mismatch(node, kind)
        elif len(node.text.encode()) > MAX_TEXT:
            message = f"a value of {len(node.text.encode())} bytes, and C takes string literals of 4095 at most"
            self._report("too-long", node.span, message, f"at most {MAX_TEXT} bytes, which leaves room for messages")
        elif isinstance(kind, Single):
            value = normal(kind.form, node.text)
            if not isinstance(value, Problem):
                return Leaf(value, node.span, kind.form)
            self._report(value.code, node.span, value.message, value.hint)
        elif isinstance(kind, Words):
            if _is_word(node.text, kind):
                return Leaf(node.text, node.span)
            hints = (did_you_mean(node.text, [word.name for word in kind.words]), kind.otherwise)
            hint = " ".join(hint for hint in hints if hint) or None
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            self._report("unknown-word", node.span, message, hint)
        elif _is_integer(node.text, kind):
            return Leaf(node.text, node.span)
        else:
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            self._report("bad-integer", node.span, message)
        return None

    def _list(self, node: Sequence, kind: ListOf) -> Items | None:
        if len(node.items) < kind.least or (kind.most is not None and len(node.items) > kind.most):
            if kind.most == language.MAX_RANK:
                message = f"{len(node.items)} axes; a tensor has at most {language.MAX_RANK}"
                self._report("rank-too-high", node.span, message)
            else:
                self._report("wrong-length", node.span, f"expected {kind.what}, found {len(node.items)} items")
            return None
        values = [self.read(item, kind.item) for item in node.items]
        sound = tuple(value for value in values if value is not None)
        return Items(sound, node.span, len(values))

    def _map(self, node: Mapping, kind: MapOf) -> Table | None:
        if not node.entries:
            self._report("wrong-length", node.span, f"expected {kind.what}, found an empty one")
            return None
        entries: list[tuple[Leaf, Value]] = []
        for key, item in node.entries:
            name = self._scalar(key, Single(kind.key))
            value = self.read(item, kind.value)
            if name is not None and value is not None:
                entries.append((name, value))
        return Table(tuple(entries), node.span, len(node.entries))

    def _record(self, node: Mapping, kind: Record) -> Fields:
        given = {key.text: key.span for key, _ in node.entries if kind.key(key.text)}
        values: dict[str, Value] = {}
        own: list[tuple[Scalar, Node]] = []
        for key, item in node.entries:
            declared = kind.key(key.text)
            if declared is None:
                own.append((key, item))
            elif (value := self.read(item, declared.kind)) is not None:
                values[key.text] = value
        meant = [self._unknown(key, kind) for key, _ in own] if kind.entry is None else []
        self._demands(node, kind, given, meant)
        return Fields(kind, values, given, self._entry(node, kind, own), node.span)

    def _entry(self, node: Mapping, kind: Record, own: list[tuple[Scalar, Node]]) -> tuple[Leaf, Leaf] | None:
        if kind.entry is None:
            return None
        if len(own) != 1:
            span = own[1][0].span if own else node.span
            message = f"{kind.what} has one entry, {kind.entry.doc.split(';')[0].replace('`', chr(39))}"
            self._report("wrong-length", span, message, "write a list item for each")
            return None
        key, item = own[0]
        name = self._scalar(key, Single(kind.entry.key))
        value = self.read(item, kind.entry.value)
        return (name, value) if name is not None and isinstance(value, Leaf) else None

    def _demands(self, node: Mapping, kind: Record, given: dict[str, Span], meant: list[str | None]) -> None:
        """`meant` are the keys that unknown ones are probably misspellings of: they are not missing as well."""
        for key in kind.keys:
            if key.required and key.name not in given and key.name not in meant:
                self._report("missing-key", node.span, f"{kind.what} needs the key '{key.name}'")
            if key.needs and key.name in given and key.needs.key not in (*given, *meant):
                message = f"'{key.name}' needs '{key.needs.key}' beside it: {key.needs.why}"
                self._report("needs-key", given[key.name], message)
        chosen = [name for name in given if name in kind.one_of]
        if kind.one_of and not chosen and not set(kind.one_of).intersection(meant):
            names = " or ".join(f"'{name}'" for name in kind.one_of)
            self._report("missing-key", node.span, f"{kind.what} needs the key {names}")
        for extra in chosen[1:]:
            message = f"'{extra}' and '{chosen[0]}' exclude each other"
            self._report("exclusive-keys", given[extra], message, notes=(Note(given[chosen[0]], "the other one"),))

    def _unknown(self, key: Scalar, kind: Record) -> str | None:
        """Reports the key; the one that was probably meant."""
        meant = closest(key.text, [known.name for known in kind.keys])
        home = _HOMES.get(key.text)
        hint = f"did you mean '{meant}'?" if meant else f"it is a key of {home}" if home else None
        self._report("unknown-key", key.span, f"'{shown(key.text)}' is not a key of {kind.what}", hint)
        return meant

    def _report(
        self, code: Code, span: Span, message: str, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self._emit(Diagnostic(code, span, message, hint, notes))


def _is_word(text: str, kind: Words) -> bool:
    return any(word.name == text for word in kind.words)


def _is_integer(text: str, kind: Integer) -> bool:
    if not _INTEGER.fullmatch(text):
        return False
    value = int(text)
    return kind.least <= value <= kind.most and not (kind.power_of_two and value & (value - 1))

"""The reader that converts nodes to values by the declared keys, with the checks of single values."""

from __future__ import annotations

import re
from collections.abc import Callable

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.expand import are_whole
from dlpack_bindgen.language.forms import normal
from dlpack_bindgen.language.keys import (
    MAX_RANK,
    Alternatives,
    Anything,
    Form,
    Integer,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Option,
    Record,
    Single,
    Words,
    description,
    options_of,
    records_of,
    takes_c,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Unread, Value
from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.diagnostics import (
    Advisor,
    Code,
    Diagnostic,
    GetAdvisor,
    Note,
    Report,
    Reporting,
    Span,
    UnknownName,
    closest,
    shown,
    within,
)
from dlpack_bindgen.text.names import is_keyword
from dlpack_bindgen.text.yaml import Broken, Mapping, Node, Scalar, Sequence

# ---- Records of the facts about mistakes: `advice` derives hints from them ----

Fits = Callable[[Node, Kind], bool]
"""A test that returns whether a node is valid as a value of a kind. It reports nothing."""


class UnknownKey(Frozen):
    key: str
    known: tuple[str, ...]


class UnknownOption(Frozen):
    """A mapping that has none of the keys that distinguish the options."""

    node: Mapping
    tags: tuple[str, ...]


class UnknownWord(Frozen):
    text: str
    words: tuple[str, ...]
    among: Alternatives | None


class WrongValue(Frozen):
    text: str
    form: Form
    among: Alternatives | None
    root: Mapping
    key: str | None
    """The key of the value in a mapping whose keys the author of the spec chooses."""
    cause: object
    """The facts about the problem in C code (`text/c_checks.py`), or None."""


class WrongType(Frozen):
    node: Node
    kind: Kind
    fits: Fits
    is_item: bool
    """Whether the node is an item of a list in a list."""


class WrongEntry(Frozen):
    """A mapping with several keys where one declaration is expected."""

    entries: tuple[tuple[Scalar, Node], ...]


# ---- Reader that converts nodes to values by the declaration of the language ----
# It reports every mistake of structure and of single values. It omits broken values, which later rules never see.

MAX_TEXT = 3500
"""The limit of one value in bytes. Values become part of string literals in C, together with a message."""


def read(root: Mapping, spec: Record, report: Report, advisor: GetAdvisor = Advisor) -> Fields | None:
    """Reads a file. `spec` declares the keys at the top."""
    value = _Reader(root, spec, report, advisor).read(root, spec)
    return value if isinstance(value, Fields) else None


def fits(root: Mapping, node: Node, kind: Kind) -> bool:
    """Returns whether a node of the spec is a value of that kind without mistakes."""
    found: list[Diagnostic] = []
    return _Reader(root, None, found.append, Advisor).read(node, kind) is not None and not found


class _Reader(Reporting):
    def __init__(self, root: Mapping, spec: Record | None, report: Report, advisor: GetAdvisor) -> None:
        """Creates a reader. `spec` declares the keys of the root; None: only a part is read."""
        self._root = root
        self._spec = spec
        self._emit = report
        self._advisor = advisor
        maps = next((value for key, value in root.entries if key.text == "maps"), None)
        self._maps = {key.text: table for key, table in maps.entries} if isinstance(maps, Mapping) else {}
        """The top-level `maps` of the spec, to which slots refer by name."""
        self._looked_up: dict[tuple[str, int], Value | None] = {}
        self._inner: set[int] = set()
        """The ids of lists that are items of other lists."""

    def read(self, node: Node, kind: Kind) -> Value | None:
        if isinstance(node, Broken):
            return None
        if isinstance(kind, Anything):
            return Unread(node.span)
        if isinstance(kind, Alternatives):
            return self._alternative(node, kind)
        if isinstance(kind, Lookup):
            return self._lookup(node, kind) if isinstance(node, Scalar) else self.read(node, kind.table)
        if isinstance(kind, ListOf) and kind.lone and not isinstance(node, Sequence) and not _is_empty(node):
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
        if _is_empty(node):
            self._report("empty-value", node.span, f"the value is missing; expected {description(kind)}")
            return
        found = "a list" if isinstance(node, Sequence) else "a mapping"
        if isinstance(node, Scalar):
            found = f"'{shown(node.text)}'"
        facts = WrongType(node, kind, self._fits, id(node) in self._inner)
        self._report("wrong-type", node.span, f"expected {description(kind)}, found {found}", facts=facts)

    def _fits(self, node: Node, kind: Kind) -> bool:
        found: list[Diagnostic] = []
        return _Reader(self._root, self._spec, found.append, self._advisor).read(node, kind) is not None and not found

    def _alternative(self, node: Node, kind: Alternatives) -> Value | None:
        if isinstance(node, Mapping):
            records = [option for option in kind.options if isinstance(option.kind, Record)]
            table = next((option.kind for option in kind.options if isinstance(option.kind, MapOf)), None)
            if table is not None:
                return self._map(node, table)
            if not any(_takes(option.kind, key.text) for key, _ in node.entries for option in records):
                is_c = takes_c(kind) and any(not key.text.isidentifier() for key, _ in node.entries)
                if is_c or self._is_list_with_names(node, kind):
                    self._mismatch(node, kind)
                    return None
            option = self._record_option(node, records)
            if option is not None:
                return self.read(node, option.kind)
            if records:
                return None
        if isinstance(node, Sequence):
            return self._list_option(node, kind)
        fitting = [option.kind for option in kind.options if isinstance(option.kind, (Single, Words, Integer))]
        if not fitting or not isinstance(node, Scalar) or _is_empty(node):
            self._mismatch(node, kind)
            return None
        for candidate in fitting[:-1]:
            if isinstance(candidate, Words) and candidate.has(node.text):
                return self.read(node, candidate)
        return self._scalar(node, fitting[-1], kind)

    def _is_list_with_names(self, node: Mapping, kind: Alternatives) -> bool:
        """Returns whether a mapping of unknown keys stands where a list is expected: `{height: self->height}`."""
        return is_list_with_names(node, kind) and all(
            self._advisor().meant_key(key.text, known_keys(kind)) is None for key, _ in node.entries
        )

    def _list_option(self, node: Sequence, kind: Alternatives) -> Value | None:
        lists = [option.kind for option in kind.options if isinstance(option.kind, ListOf)]
        of_mappings = any(isinstance(item, Mapping) for item in node.items)
        if not lists or (len(lists) == 1 and isinstance(lists[0].item, Record) and node.items and not of_mappings):
            self._mismatch(node, kind)
            return None
        if of_mappings and len(lists) > 1 and self._mapped(node, lists):
            return None
        if len(lists) > 1:
            lists = [known for known in lists if isinstance(known.item, Record) == of_mappings]
        return self.read(node, lists[0])

    def _mapped(self, node: Sequence, lists: list[ListOf]) -> bool:
        """Reports mappings in a list of single values. Returns False if the list may hold records with their keys."""
        message = next((known.if_mapped for known in lists if known.if_mapped), None)
        records = [known.item for known in lists if isinstance(known.item, Record)]
        mappings = [item for item in node.items if isinstance(item, Mapping)]
        keys = [key.text for item in mappings for key, _ in item.entries]
        if message is None or any(record.key(key) for record in records for key in keys):
            return False
        for item in mappings:
            self._report("wrong-type", item.span, message, "leave out the [ ]" if len(node.items) == 1 else None)
        return True

    def _record_option(self, node: Mapping, options: list[Option]) -> Option | None:
        keys = [key.text for key, _ in node.entries]
        for option in options:
            if option.tag in keys or len(options) == 1:
                return option
        tags = tuple(option.tag for option in options if option.tag)
        other = next((option for option in options if option.tag is None), None)
        if other is not None and not (_is_entry(other.kind) and all(map(str.isidentifier, keys))):
            return other
        if other is not None and not any(self._advisor().meant_key(key, tags) for key in keys):
            return other
        expected = " or ".join(f"{{{tag}: ...}}" for tag in tags)
        if tags and keys:
            message = f"expected {expected}, found {{{shown(keys[0])}: ...}}"
            self._report("unknown-key", node.entries[0][0].span, message, facts=UnknownOption(node, tags))
        elif tags:
            self._report("missing-key", node.span, f"expected {expected}, found an empty mapping")
        return None

    def _lookup(self, node: Scalar, kind: Lookup) -> Value | None:
        if _is_empty(node):
            self._mismatch(node, kind)
            return None
        table = self._maps.get(node.text)
        if table is None:
            message = f"there is no map '{shown(node.text)}' in the top-level 'maps'"
            self._report("unknown-map", node.span, message, facts=UnknownName(node.text, tuple(self._maps)))
            return None
        key = (node.text, id(kind))
        if key not in self._looked_up:
            # A map that is not a mapping is reported at its own place.
            self._looked_up[key] = self._map(table, kind.table) if isinstance(table, Mapping) else None
        return self._looked_up[key]

    def _scalar(
        self,
        node: Scalar,
        kind: Single | Words | Integer,
        among: Alternatives | None = None,
        otherwise: str | None = None,
        key: str | None = None,
    ) -> Leaf | None:
        """Reads a scalar as `kind`, one of the alternatives `among`. `otherwise` is the hint if there is no other, and
        `key` is the key of the value."""
        if _is_empty(node) and kind != Single(Form.INITIALISER):
            self._mismatch(node, kind)
        elif len(node.text.encode()) > MAX_TEXT:
            message = f"a value of {len(node.text.encode())} bytes, and C takes string literals of 4095 at most"
            self._report("too-long", node.span, message, f"at most {MAX_TEXT} bytes, so that messages fit")
        elif isinstance(kind, Single):
            value = normal(kind.form, node.text)
            if not isinstance(value, Problem):
                return Leaf(value, node.span, kind.form)
            if self._is_padded(value.code, node, lambda text: not isinstance(normal(kind.form, text), Problem)):
                return None
            span = within(node.span, node.text, value.place)
            facts = WrongValue(node.text, kind.form, among, self._root, key, value.facts)
            self._report(value.code, span, value.message, value.hint or otherwise, facts=facts)
        elif isinstance(kind, Words):
            if kind.has(node.text):
                return Leaf(node.text, node.span)
            if self._is_padded("unknown-word", node, kind.has):
                return None
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            words = tuple(word.name for word in kind.words)
            self._report("unknown-word", node.span, message, kind.otherwise, facts=UnknownWord(node.text, words, among))
        elif kind.has(node.text):
            return Leaf(node.text, node.span)
        else:
            message = f"expected {description(kind)}, found '{shown(node.text)}'"
            self._report("bad-integer", node.span, message)
        return None

    def _is_padded(self, code: Code, node: Scalar, is_sound: Callable[[str], bool]) -> bool:
        """Reports a quoted value that is valid without its outer spaces. Other messages would not show the spaces."""
        text = node.text.strip()
        if text == node.text or not is_sound(text):
            return False
        where = "before" if node.text[:1].isspace() else "behind"
        self._report(code, node.span, f"there is a space too much {where} '{shown(text)}'")
        return True

    def _list(self, node: Sequence, kind: ListOf) -> Items | None:
        if len(node.items) < kind.least or (kind.most is not None and len(node.items) > kind.most):
            if kind.most == MAX_RANK:
                message = f"{len(node.items)} axes; a tensor has at most {MAX_RANK}"
                self._report("rank-too-high", node.span, message)
            else:
                limit = f", of {kind.most} at most" if kind.most and len(node.items) > kind.most > kind.least else ""
                message = f"expected {kind.what}{limit}, found {len(node.items)} items"
                self._report("wrong-length", node.span, message, None if node.items else kind.if_empty)
            return None
        self._inner.update(id(item) for item in node.items if isinstance(item, Sequence))
        values = [self.read(item, kind.item) for item in node.items]
        return Items(tuple(value for value in values if value is not None), node.span, len(values))

    def _map(self, node: Mapping, kind: MapOf) -> Table | None:
        if not node.entries:
            self._report("wrong-length", node.span, f"expected {kind.what}, found an empty one")
            return None
        if kind.most is not None and len(node.entries) > kind.most:
            message = f"expected {kind.what}, of {kind.most} at most, found {len(node.entries)}"
            self._report("wrong-length", node.span, message)
            return None
        keys = [key for key, item in node.entries if isinstance(kind.value, Record) and _is_key(kind.value, key, item)]
        if isinstance(kind.value, Record) and len(keys) == len(node.entries) > 1:
            message = f"the name of {kind.value.what} is missing, and these are the keys of one"
            self._report(
                "unknown-key", keys[0].span, message, "write 'Name: {...}' around them, or indent them below it"
            )
            return None
        read = [(key.text, self._pair(key, item, kind)) for key, item in node.entries]
        broken = tuple(text for text, entry in read if entry is None)
        return Table(tuple(entry for _, entry in read if entry is not None), node.span, broken)

    def _pair(self, key: Scalar, item: Node, kind: MapOf) -> tuple[Leaf, Value] | None:
        if isinstance(kind.value, Record) and _is_key(kind.value, key, item):
            message = f"'{key.text}' is a key of {kind.value.what}, and a name is expected here"
            self._report("unknown-key", key.span, message, "indent it as far as the keys that it belongs to")
            return None
        name = self._scalar(key, Single(kind.key), otherwise=kind.otherwise if kind.key is Form.KEY else None)
        if isinstance(kind.value, Single) and isinstance(item, Scalar):
            value: Value | None = self._scalar(item, kind.value, key=key.text)
        else:
            value = self.read(item, kind.value)
        return (name, value) if name is not None and value is not None else None

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
        unread = 0
        for (key, item), name in zip(own, meant, strict=False):
            value = self._value_of_misspelt_key(key, item, name, kind) if name and name not in given else None
            if name and value is not None:
                values[name], given[name] = value, key.span
            elif kind is not self._spec or isinstance(item, Mapping):
                unread += 1
        return Fields(kind, values, given, self._entry(node, kind, own), node.span, unread > 0)

    def _value_of_misspelt_key(self, key: Scalar, item: Node, meant: str, kind: Record) -> Value | None:
        """Reads the value of a misspelt key as that of the key that was meant, so that later checks do not miss it.
        Mistakes in the sections of a spec are reported; the values of other keys must be without mistakes."""
        declared = kind.key(meant)
        is_section = kind is self._spec and are_whole(item)
        is_misspelt = closest(key.text, [each.name for each in kind.keys]) == meant
        if declared and (is_section or (is_misspelt and self._fits(item, declared.kind))):
            return self.read(item, declared.kind)
        return None

    def _entry(self, node: Mapping, kind: Record, own: list[tuple[Scalar, Node]]) -> tuple[Leaf, Leaf] | None:
        if kind.entry is None:
            return None
        if len(own) != 1:
            span = own[1][0].span if own else node.span
            declared = re.split(r"[;.]", kind.entry.doc)[0].replace("`", "'")
            message = f"{kind.what} has one entry, {declared}"
            self._report("wrong-length", span, message, "write a list item for each", facts=WrongEntry(tuple(own)))
            return None
        key, item = own[0]
        name = self._scalar(key, Single(kind.entry.key))
        value = self.read(item, kind.entry.value)
        return (name, value) if name is not None and isinstance(value, Leaf) else None

    def _demands(self, node: Mapping, kind: Record, given: dict[str, Span], meant: list[str | None]) -> None:
        """Reports missing and conflicting keys. Keys in `meant` are not missing: unknown keys probably mean them. A
        missing key of `one_of` is not reported if every unknown key already has a hint."""
        known = {*given, *meant}
        for key in kind.keys:
            if key.required and known.isdisjoint((key.name, key.unless)):
                other = f" (or a '{key.unless}' that sets it)" if key.unless else ""
                self._report("missing-key", node.span, f"{kind.what} needs the key '{key.name}'{other}")
            if key.needs and key.name in given and known.isdisjoint(key.needs.keys):
                names = " or ".join(f"'{name}'" for name in key.needs.keys)
                message = f"'{key.name}' needs {names} beside it: {key.needs.why}"
                self._report("needs-key", given[key.name], message, key.needs.hint)
        chosen = [name for name in given if name in kind.one_of]
        if kind.one_of and not chosen and known.isdisjoint(kind.one_of) and (given or None in meant or not meant):
            names = " or ".join(f"'{name}'" for name in kind.one_of)
            self._report("missing-key", node.span, f"{kind.what} needs the key {names}")
        if kind.some_of and known.isdisjoint(kind.some_of):
            names = ", ".join(f"'{name}'" for name in kind.some_of[:-1])
            message = f"{kind.what} needs at least one of the keys {names} and '{kind.some_of[-1]}'"
            self._report("missing-key", node.span, message)
        for extra in chosen[1:]:
            self._excludes(given, extra, chosen[0])
        for pair in kind.exclusive:
            if given.keys() >= set(pair):
                first, second = sorted(pair, key=list(given).index)
                self._excludes(given, second, first)

    def _excludes(self, given: dict[str, Span], extra: str, first: str) -> None:
        notes = (Note(given[first], "the other one"),)
        self._report("exclusive-keys", given[extra], f"'{extra}' and '{first}' exclude each other", notes=notes)

    def _unknown(self, key: Scalar, kind: Record) -> str | None:
        """Reports an unknown key. Returns the key that was probably meant, such as KEY for `KEY:VALUE`, or None."""
        known = tuple(each.name for each in kind.keys)
        if self._is_padded("unknown-key", key, lambda text: text in known):
            return key.text.strip()
        message = f"'{shown(key.text)}' is not a key of {kind.what}"
        self._report("unknown-key", key.span, message, facts=UnknownKey(key.text, known))
        return self._advisor().meant_key(key.text, known)


def is_list_with_names(node: Mapping, kind: Kind) -> bool:
    """Returns whether a mapping without known keys stands where a list of single values is expected."""
    values = bool(node.entries) and all(isinstance(value, Scalar) and value.text for _, value in node.entries)
    known = known_keys(kind) if values and isinstance(options_of(kind)[0], ListOf) else None
    return known is not None and not any(key.text in known for key, _ in node.entries)


def known_keys(kind: Kind) -> tuple[str, ...]:
    return tuple(key.name for record in records_of(kind) for key in record.keys)


def _takes(kind: Kind, text: str) -> bool:
    return isinstance(kind, Record) and (kind.entry is not None or kind.key(text) is not None)


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and not node.text


def _is_key(record: Record, key: Scalar, item: Node) -> bool:
    """Returns whether a key of the record stands in the place of a name. A key with a mapping may be a name."""
    return record.key(key.text) is not None and not (isinstance(item, Mapping) and not is_keyword(key.text))


def _is_entry(kind: Kind) -> bool:
    if isinstance(kind, Alternatives):
        return any(_is_entry(option.kind) for option in kind.options)
    return isinstance(kind, Record) and kind.entry is not None

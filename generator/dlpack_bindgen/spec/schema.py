"""The JSON Schema (2020-12) of the spec language. Editors use it to complete, explain and check specs.

The schema agrees with the validator on structure and words, and accepts every value that the validator leaves to C.
An editor reads scalars by the rules of YAML: `0`, `true` and `NULL` become a number, a boolean and null. Where the
language takes strings as written, the schema accepts all of these."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable

from dlpack_bindgen.dlpack import DEVICES, DTYPES, FIRST_LATER_DEVICE, LAST_LATER_DEVICE
from dlpack_bindgen.language.keys import (
    VERSION,
    Alternatives,
    Anything,
    Form,
    Integer,
    Key,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Record,
    Single,
    Word,
    Words,
    records,
)
from dlpack_bindgen.spec.all_keys import SPEC
from dlpack_bindgen.text.names import EXCEPTIONS, SPECIAL

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
Schema = dict[str, Json]

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_SUBSTITUTED = r"\$\{"
"""Matches a value with `${KEY}`, which `variants` replace later: the value can have any form before that."""
_TYPE_AND_NAME = r"[\s*]\s*[A-Za-z_]\w*\s*(\[\s*\]\s*)?$"
_PATTERNS = {
    Form.MODULE: f"^{_NAME}$",
    Form.PREFIX: f"^{_NAME}$",
    Form.PROPERTY: f"^{_NAME}$",
    Form.MAP: f"^{_NAME}$",
    Form.FIELD: f"^{_NAME}$",
    Form.TENSOR: f"^[A-Za-z][A-Za-z0-9_]*$|{_SUBSTITUTED}",
    Form.HANDLE: "^[A-Za-z][A-Za-z0-9_]*$",
    Form.ORIGIN: rf"^\.*{_NAME}(\.{_NAME})*(:{_NAME})?$",
    Form.FUNCTION: f"^[A-Za-z][A-Za-z0-9_]*$|^(?:{'|'.join(SPECIAL)})$|{_SUBSTITUTED}",
    Form.CONSTANT: "^[A-Za-z][A-Za-z0-9_]*$",
    Form.KIND: f"^{_NAME}$|{_SUBSTITUTED}",
    Form.VALUE: f"^{_NAME}$|{_SUBSTITUTED}",
    Form.OF_PROTOTYPE: f"^{_NAME}$|{_SUBSTITUTED}",
    Form.DECLARATION: f"{_TYPE_AND_NAME}|{_SUBSTITUTED}",
    Form.OUTPUT: rf"[\s*]\s*{_NAME}\s*(\[.+\]\s*)?$|{_SUBSTITUTED}",
    Form.VARIABLE: f"{_TYPE_AND_NAME}|{_SUBSTITUTED}",
}
_NAMES = {
    Form.DTYPE: tuple(DTYPES),
    Form.DEVICE: tuple(DEVICES),
    Form.VERSION: (str(VERSION),),
    Form.EXCEPTION: EXCEPTIONS,
}
_LATER_DEVICES: list[Json] = [
    {"type": "integer", "minimum": FIRST_LATER_DEVICE, "maximum": LAST_LATER_DEVICE},
    {"type": "string", "pattern": "^(19|[2-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$"},
]
_NULL_IS_C = (Form.EXPRESSION, Form.KEY, Form.INITIALISER, Form.STATEMENT)
"""The forms in which `NULL`, which is null for an editor, has a meaning."""
_MAY_BE_EMPTY = (Form.INITIALISER, Form.TEXT)
_RESOLVED: dict[str, Json] = {"true": True, "false": False}


def text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> Schema:
    definitions = _Definitions()
    root = definitions.record(SPEC)
    head: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A spec of dlpack-bindgen, version {VERSION} of the language",
    }
    return {**head, **root, "$defs": definitions.sorted()}


class _Definitions:
    """The schemas that others refer to by name: one for each record and each form of single values."""

    def __init__(self) -> None:
        self._schemas: dict[str, Json] = {}
        self._names: dict[Record | Form, str] = {}
        whats = [record.what for record in records(SPEC)]
        self._slugs = Counter([_slug(what) for what in whats] + [_long_slug(what) for what in whats])

    def sorted(self) -> dict[str, Json]:
        return dict(sorted(self._schemas.items()))

    def of(self, kind: Kind, key: str) -> Schema:
        """Returns the schema of `kind` at the key `key`."""
        if isinstance(kind, Anything):
            return {}
        if isinstance(kind, Single):
            return self._named(kind.form, _slug(kind.form.value))
        if isinstance(kind, Words):
            return _words(kind.words)
        if isinstance(kind, Integer):
            return _integer(kind)
        if isinstance(kind, ListOf):
            return self._list(kind, key)
        if isinstance(kind, MapOf):
            return self._map(kind, key)
        if isinstance(kind, Lookup):
            return {"anyOf": [self._map(kind.table, key), self.of(Single(Form.MAP), key)]}
        if isinstance(kind, Record):
            return self._named(kind, self._name(kind, key))
        return self._alternatives(kind, key)

    def _name(self, record: Record, key: str) -> str:
        """Returns the shortest name that identifies the record. The name includes the key if several keys have
        different records with one `what`."""
        short, long = _slug(record.what), _long_slug(record.what)
        alone = [name for name in (short, long) if self._slugs[name] == (2 if short == long else 1)]
        return alone[0] if alone else f"{short}-of-{key}"

    def _named(self, what: Record | Form, name: str) -> Schema:
        if what not in self._names:
            while name in self._schemas:
                name += "-too"
            self._names[what] = name
            # Reserves the name: the schemas inside must not take it.
            self._schemas[name] = {}
            self._schemas[name] = self.record(what) if isinstance(what, Record) else _single(what)
        return {"$ref": f"#/$defs/{self._names[what]}"}

    def _list(self, kind: ListOf, key: str) -> Schema:
        found: Schema = {"type": "array", "items": self.of(kind.item, key)}
        if kind.least:
            found["minItems"] = kind.least
        if kind.most is not None:
            found["maxItems"] = kind.most
        return {"anyOf": [found, self.of(kind.item, key)]} if kind.lone else found

    def _map(self, kind: MapOf, key: str) -> Schema:
        found: Schema = {"type": "object", "minProperties": 1, "additionalProperties": self.of(kind.value, key)}
        if kind.most is not None:
            found["maxProperties"] = kind.most
        if kind.key in _PATTERNS:
            found["propertyNames"] = {"pattern": _PATTERNS[kind.key]}
        return found

    def _alternatives(self, kind: Alternatives, key: str) -> Schema:
        tags: list[Json] = [{"required": [option.tag]} for option in kind.options if option.tag]
        options: list[Json] = []
        for option in kind.options:
            found: Schema = {**self.of(option.kind, key), "description": option.doc}
            if option.tag is not None:
                found["required"] = [option.tag]
            elif tags and isinstance(option.kind, Record):
                found["not"] = {"anyOf": tags}
            options.append(found)
        return {"anyOf": options}

    # ---- Records ----

    def record(self, record: Record) -> Schema:
        properties: Schema = {key.name: self._key(key) for key in record.keys}
        found: Schema = {"title": record.what, "description": record.doc, "type": "object", "properties": properties}
        further = _demands(record)
        further += [{"not": {"required": list(pair)}} for pair in record.exclusive]
        found["additionalProperties"] = False
        if record.template is not None:
            properties[record.template] = self._variants(record, record.template, properties)
        if record.entry is not None:
            found["additionalProperties"] = self.of(record.entry.value, _slug(record.what))
            found["propertyNames"] = {
                "anyOf": [{"enum": [key.name for key in record.keys]}, {"pattern": _PATTERNS[record.entry.key]}]
            }
            further += _one_entry(record)
        found["dependentSchemas"] = {
            key.name: {"anyOf": _each_required(key.needs.keys)} for key in record.keys if key.needs
        }
        found["allOf"] = further
        return {name: part for name, part in found.items() if part not in ({}, [])}

    def _key(self, key: Key) -> Schema:
        default = f" Default: {key.default}." if key.default and not key.required else ""
        return {**self.of(key.kind, key.name), "description": "\n\n".join((key.doc + default, *key.details))}

    def _variants(self, record: Record, template: str, properties: Schema) -> Schema:
        """Returns the schema of `variants`: keys of the record keep their form, other keys are strings for `${KEY}`."""
        key = record.key(template)
        assert key is not None and isinstance(key.kind, ListOf) and isinstance(key.kind.item, MapOf)
        items = {
            **self._map(key.kind.item, key.name),
            "properties": {name: known for name, known in properties.items() if name != template},
            "additionalProperties": self.of(Single(Form.TEXT), key.name),
        }
        return {**self._key(key), "items": items}


def _demands(record: Record) -> list[Json]:
    """Returns the conditions for the keys that a record requires."""
    found: list[Json] = []
    for key in record.keys:
        if key.required:
            ways = _each_required((key.name, key.unless) if key.unless else (key.name,))
            if record.template is not None:
                each: Schema = {"items": {"anyOf": ways}}
                ways = [*ways, {"required": [record.template], "properties": {record.template: each}}]
            found.append(ways[0] if len(ways) == 1 else {"anyOf": ways})
    if record.some_of:
        found.append({"anyOf": _each_required(record.some_of)})
    return [*found, {"oneOf": _each_required(record.one_of)}] if record.one_of else found


def _each_required(names: Iterable[str]) -> list[Json]:
    return [{"required": [name]} for name in names]


def _one_entry(record: Record) -> list[Json]:
    """Returns the conditions for exactly one undeclared key. At least one key is undeclared. Next to some subset of the
    declared keys, there is at most one other key."""
    names: list[Json] = [key.name for key in record.keys]
    subsets = [each for size in range(len(names) + 1) for each in itertools.combinations(names, size)]
    return [
        {"not": {"propertyNames": {"enum": names}}},
        {"anyOf": [{"required": list(subset), "maxProperties": len(subset) + 1} for subset in subsets]},
    ]


# ---- Single values ----


def _single(form: Form) -> Schema:
    found: Schema = {"title": form.value}
    if form in _NAMES:
        names: list[Json] = [*_NAMES[form]]
        numbers: list[Json] = [int(name) for name in _NAMES[form] if name.isdecimal()]
        further = _LATER_DEVICES if form is Form.DEVICE else []
        found["anyOf"] = [{"enum": names + numbers}, *further, {"type": "string", "pattern": _SUBSTITUTED}]
    elif form in _PATTERNS:
        found |= {"type": "string", "pattern": _PATTERNS[form]}
    else:
        found["type"] = ["string", "number", "boolean", *(["null"] if form in _NULL_IS_C else [])]
        if form not in _MAY_BE_EMPTY:
            found["minLength"] = 1
    return found


def _words(words: Iterable[Word]) -> Schema:
    names: list[Json] = [word.name for word in words]
    resolved = [_RESOLVED[word.name] for word in words if word.name in _RESOLVED]
    docs: list[Json] = [word.doc for word in words if word.name]
    choice: Schema = {"enum": names + resolved, "markdownEnumDescriptions": docs}
    return {"anyOf": [choice, {"type": "string", "pattern": _SUBSTITUTED}]}


def _integer(kind: Integer) -> Schema:
    numbers = [n for n in range(kind.least, kind.most + 1) if not (kind.power_of_two and n & (n - 1))]
    written = "|".join(map(str, numbers))
    return {"anyOf": [{"enum": [*numbers]}, {"type": "string", "pattern": f"^({written})$|{_SUBSTITUTED}"}]}


def _slug(what: str) -> str:
    """Returns the name of a definition without its keys: `shape` for `a shape {ndim, each}`."""
    return _long_slug(re.sub(r"\{.*\}", "", what))


def _long_slug(what: str) -> str:
    """Returns the name of a definition with its keys: `shape-ndim-each` for `a shape {ndim, each}`."""
    return "-".join(word for word in re.findall(r"\w+", what) if word not in ("a", "an", "the"))
